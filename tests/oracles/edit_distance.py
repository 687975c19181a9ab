"""Edit distances as their definitions put them: slow, and plain to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction


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


Row = Sequence[int]


def per(errors: int, length: int) -> Fraction:
    """A rate; with nothing to divide by, all is wrong if anything is."""
    return Fraction(errors, length) if length else Fraction(errors > 0)


def information_lost(row: Row) -> Fraction:
    """What the shares of hits in hypothesis and reference, multiplied, lack to 1."""
    hits, substitutions, deletions, insertions = row[:4]
    if not sum(row[:4]):
        return Fraction(0)
    shares = (hits + substitutions + deletions, hits + substitutions + insertions)
    return 1 - Fraction(hits**2, shares[0] * shares[1]) if all(shares) else Fraction(1)


RATES: dict[tuple[str, str], Callable[[Row], Fraction]] = {
    ("levenshtein", "error-rate"): lambda row: per(row[0], row[1]),
    ("cder", "error-rate"): lambda row: per(row[0], row[1]),
    ("bag", "error-rate"): lambda row: per(row[0], row[3]),
    ("operations", "error-rate"): lambda row: per(sum(row[1:4]), sum(row[:3])),
    ("operations", "match-error-rate"): lambda row: per(sum(row[1:4]), sum(row[:4])),
    ("operations", "information-lost"): information_lost,
    ("operations", "error-rate-with-moves"): lambda row: per(sum(row[1:4]) - row[4], sum(row[:3])),
}
"""By kind of row and choice of reference."""

LENGTHS: dict[str, Callable[[Row], int]] = {
    "levenshtein": lambda row: row[1],
    "cder": lambda row: row[1],
    "bag": lambda row: row[3],
    "operations": lambda row: sum(row[:3]),
}
"""How long the reference of a row is."""


def best_row(rows: Sequence[Row], kind: str, choice: str) -> Row:
    """The row with the lowest rate, then the longest reference, then the greatest numbers."""
    rate, length = RATES[kind, choice], LENGTHS[kind]
    return max(rows, key=lambda row: (-rate(row), length(row), row))
