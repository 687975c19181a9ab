"""GTM's matching written down as slowly and plainly as possible."""

from __future__ import annotations

from collections.abc import Sequence


def runs(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
    """Lengths of the runs that are taken: always the longest that is free."""
    joined = [(r, word) for r, reference in enumerate(references) for word in reference]
    free_h, free_r = set(range(len(hypothesis))), set(range(len(joined)))
    taken = []
    while True:
        best = (0, 0, 0)
        for i in range(len(hypothesis)):
            for j in range(len(joined)):
                k = 0
                while i + k in free_h and j + k in free_r and joined[j + k] == (joined[j][0], hypothesis[i + k]):
                    k += 1
                if k > best[0]:
                    best = (k, i, j)
        length, i, j = best
        if length == 0:
            return taken
        free_h -= set(range(i, i + length))
        free_r -= set(range(j, j + length))
        taken.append(length)


def row(hypothesis: str, references: Sequence[str], exponent: float) -> list[float]:
    """Matching, length of the hypothesis and mean length of the references."""
    h, rs = hypothesis.split(), [reference.split() for reference in references]
    mean = sum(map(len, rs)) / len(rs)
    size = sum(length**exponent for length in runs(h, rs)) ** (1 / exponent)
    return [min(size, len(h), mean), len(h), mean]
