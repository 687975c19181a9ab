"""TESLA-M-style written down as slowly and plainly as possible, for one pair of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import linprog

from karat.resources import function_words, stemmer, synonyms

Likeness = Callable[[str, str], float]


def transport(supplies: Sequence[float], demands: Sequence[float], worths: Sequence[Sequence[float]]) -> float:
    """The linear programme as it is written, by SciPy."""
    if not supplies or not demands:
        return 0.0
    sending = np.kron(np.eye(len(supplies)), np.ones(len(demands)))
    getting = np.kron(np.ones(len(supplies)), np.eye(len(demands)))
    limits = [*supplies, *demands]
    found = linprog(-np.ravel(worths), A_ub=np.vstack([sending, getting]), b_ub=limits, bounds=(0, None))
    assert found.success
    return float(-found.fun)


def score(
    hypothesis: str,
    reference: str,
    alike: Likeness,
    weight: Callable[[str], float],
    orders: int = 3,
    alpha: float = 0.8,
) -> float:
    """From 0 to 100."""
    values = []
    for n in range(1, orders + 1):
        bags = [
            [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
            for words in (hypothesis.split(), reference.split())
        ]
        weights = [[float(np.prod([weight(word) for word in gram])) for gram in bag] for bag in bags]
        worths = [[ngram_likeness(x, y, alike) for y in bags[1]] for x in bags[0]]
        if not any(map(sum, weights)):
            continue
        matched = transport(*weights, worths)
        precision, recall = (matched / sum(bag) if sum(bag) else 0.0 for bag in weights)
        values.append(f_measure(precision, recall, alpha))
    return 100 * sum(values) / len(values) if values else 0.0


def ngram_likeness(x: Sequence[str], y: Sequence[str], alike: Likeness) -> float:
    """The mean of the likeness of words, 0 if one pair has none."""
    values = [alike(a, b) for a, b in zip(x, y, strict=True)]
    return sum(values) / len(values) if all(values) else 0.0


def f_measure(precision: float, recall: float, alpha: float) -> float:
    """The weighted harmonic mean."""
    return precision * recall / (alpha * precision + (1 - alpha) * recall) if precision and recall else 0.0


def same_stem(a: str, b: str) -> bool:
    """Whether two English words have one stem."""
    stem, other = stemmer("en").stems([a.lower(), b.lower()])
    return stem == other


def same_sense(a: str, b: str) -> bool:
    """Whether two English words share a set of synonyms."""
    sets, others = synonyms("en").synsets([a.lower(), b.lower()])
    return not set(sets).isdisjoint(others)


def is_function_word(word: str) -> bool:
    """Whether an English word is one of those that every text is full of."""
    return function_words("en").contains([word.lower()])[0]


def english_score(hypothesis: str, reference: str) -> float:
    """With English stems, synonyms and function words, and all parameters as they are by default."""
    return score(
        hypothesis,
        reference,
        lambda a, b: float(a == b or same_stem(a, b) or same_sense(a, b)),
        lambda word: 0.1 if is_function_word(word) else 1.0,
    )
