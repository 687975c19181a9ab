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


def script_alignment(hypothesis: Sequence[str], reference: Sequence[str], window: int) -> list[tuple[int, int]]:
    """Pairs of aligned positions with the slips of the authors' script."""

    def neighbours(words: Sequence[str], place: int) -> set[str]:
        near = [place + step for step in range(-window, window + 1) if step]
        return {words[k] for k in near if -len(words) <= k < len(words)}

    pairs = []
    for i, word in enumerate(hypothesis):
        places = [j for j, other in enumerate(reference) if other == word]
        shared = [j for j in places if neighbours(hypothesis, i) & neighbours(reference, j)]
        if places:
            nearest = min(shared or places, key=lambda j: abs(i - j))
            pairs.append((i, places[(shared or places).index(nearest)]))
    return pairs


def script_matches(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """How many words the script takes for matched: a position is used if the digits of a used one begin with its."""
    used: list[str] = []
    for word in hypothesis:
        places = [str(j) for j, other in enumerate(reference, start=1) if other == word]
        used += [j for j in places if not any(other.startswith(j) for other in used)][:1]
    return len(used)


def script_factors(hypothesis: str, reference: str, window: int = 2) -> tuple[float, float, float]:
    """Length penalty, position penalty, and the mean of recall and precision (9 : 1) with the slips of the script."""
    h, r = hypothesis.split(), reference.split()
    if not h or not r:
        return 0.0, 1.0, 0.0
    moved = sum(abs((i + 1) / len(h) - (j + 1) / len(r)) for i, j in script_alignment(h, r, window))
    matches = script_matches(h, r)
    position = 1.0 if matches == len(h) == len(r) else math.exp(-moved / len(h))
    harmonic = 10 * matches / (9 * len(r) + len(h))
    return math.exp(1 - max(len(h), len(r)) / min(len(h), len(r))), position, harmonic


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
