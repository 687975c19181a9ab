"""Edit distances as their definitions put them: slow, and plain to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def levenshtein(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """The least number of insertions, deletions and substitutions."""
    row = list(range(len(hypothesis) + 1))
    for l, word in enumerate(reference, 1):  # noqa: E741
        diagonal, row[0] = row[0], l
        for i, other in enumerate(hypothesis, 1):
            diagonal, row[i] = row[i], min(diagonal + (word != other), row[i] + 1, row[i - 1] + 1)
    return row[-1]


def most_and_fewest_hits(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[int, int]:
    """How many hits an alignment with the fewest edits can have, at most and at least."""

    def best(sign: int) -> int:
        cells = {(0, 0): (0, 0)}
        for i in range(len(hypothesis) + 1):
            for j in range(len(reference) + 1):
                options = []
                if i:
                    edits, hits = cells[i - 1, j]
                    options.append((edits + 1, hits))
                if j:
                    edits, hits = cells[i, j - 1]
                    options.append((edits + 1, hits))
                if i and j:
                    edits, hits = cells[i - 1, j - 1]
                    same = hypothesis[i - 1] == reference[j - 1]
                    options.append((edits + (not same), hits + sign * same))
                if options:
                    cells[i, j] = min(options)
        return abs(cells[len(hypothesis), len(reference)][1])

    return best(-1), best(1)


def cder(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """Cells of the recurrence, row by row, with a jump from the least cell of a row to every other."""
    row = [0] + [1] * len(hypothesis)
    for word in reference:
        following = [row[0] + 1]
        for i, other in enumerate(hypothesis, 1):
            following.append(min(row[i - 1] + (word != other), row[i] + 1, following[i - 1] + 1))
        jump = min(following) + 1
        row = [min(cell, jump) for cell in following]
    return row[-1]


def shared(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """How many words both have, in any order."""
    return (Counter(hypothesis) & Counter(reference)).total()
