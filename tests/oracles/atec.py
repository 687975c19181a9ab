"""ATEC-style written down as slowly and plainly as possible, for one pair of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from tests.oracles.tesla import f_measure

Stage = tuple[float, Callable[[str, str], bool]]


def alignment(h: Sequence[str], r: Sequence[str], stages: Sequence[Stage]) -> dict[int, tuple[int, float]]:
    """Partner and worth of each aligned place of the hypothesis."""
    aligned: dict[int, tuple[int, float]] = {}
    for worth, related in stages:
        for i, word in enumerate(h):
            taken = {j for j, _ in aligned.values()}
            free = [j for j in range(len(r)) if j not in taken and related(word, r[j])]
            if i not in aligned and free and worth > 0:
                aligned[i] = (min(free, key=lambda j: (abs(i - j), j)), worth)
    return dict(sorted(aligned.items()))


def score(
    hypothesis: str, reference: str, stages: Sequence[Stage], weight: Callable[[str], float], order: float = 0.5
) -> float:
    """From 0 to 100, with both penalties of order weighted alike."""
    h, r = hypothesis.split(), reference.split()
    aligned = alignment(h, r, stages)
    if not aligned:
        return 0.0
    found, wanted = sum(map(weight, h)), sum(map(weight, r))
    precision = sum(worth * weight(h[i]) for i, (_, worth) in aligned.items()) / found if found else 0.0
    recall = sum(worth * weight(r[j]) for j, worth in aligned.values()) / wanted if wanted else 0.0
    moved = sum(abs(i / len(h) - j / len(r)) for i, (j, _) in aligned.items()) / len(aligned)
    pairs = list(combinations([j for j, _ in aligned.values()], 2))
    discordant = sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0
    return 100 * f_measure(precision, recall, 0.5) * (1 - order * moved) * (1 - order * discordant)
