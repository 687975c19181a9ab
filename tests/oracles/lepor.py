"""LEPOR's factors written down as slowly and plainly as possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def alignment(hypothesis: Sequence[str], reference: Sequence[str], window: int) -> list[tuple[int, int]]:
    """Pairs of aligned positions, by the published rule."""
    free, pairs = set(range(len(reference))), []

    def neighbours(words: Sequence[str], place: int) -> set[str]:
        return {words[k] for k in range(len(words)) if k != place and abs(k - place) <= window}

    for i, word in enumerate(hypothesis):
        places = sorted((j for j in free if reference[j] == word), key=lambda j: (abs(i - j), j))
        shared = [j for j in places if neighbours(hypothesis, i) & neighbours(reference, j)]
        if places:
            chosen = (shared or places)[0]
            free.remove(chosen)
            pairs.append((i, chosen))
    return pairs


def factors(hypothesis: str, reference: str, window: int = 2, order: int = 1) -> tuple[float, float, float]:
    """Length penalty, position penalty, and the mean of recall and precision (9 : 1) of one order of n-grams."""
    h, r = hypothesis.split(), reference.split()
    if not h or not r:
        return 0.0, 1.0, 0.0
    moved = sum(abs((i + 1) / len(h) - (j + 1) / len(r)) for i, j in alignment(h, r, window))
    grams = [Counter(tuple(words[k : k + order]) for k in range(len(words) - order + 1)) for words in (h, r)]
    matches = (grams[0] & grams[1]).total()
    harmonic = 10 / (9 / (matches / grams[1].total()) + 1 / (matches / grams[0].total())) if matches else 0.0
    return math.exp(1 - max(len(h), len(r)) / min(len(h), len(r))), math.exp(-moved / len(h)), harmonic
