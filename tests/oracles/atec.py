"""ATEC-style written down as slowly and plainly as possible, for one pair of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from tests.oracles.tesla import f_measure, is_function_word, same_sense, same_stem

from karat.resources.sounds import soundex

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


def same_sound(a: str, b: str) -> bool:
    """Whether two words have one code of Soundex."""
    return soundex(a) == soundex(b) != ""


def english_score(hypothesis: str, reference: str) -> float:
    """With English stems, synonyms and function words, and all parameters as they are by default."""
    stages: list[Stage] = [(1.0, str.__eq__), (0.9, same_stem), (0.6, same_sound), (0.8, same_sense)]
    return score(hypothesis, reference, stages, lambda word: 0.25 if is_function_word(word) else 1.0)
