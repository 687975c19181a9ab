"""RIBES written down as slowly and plainly as possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations


def places(ngram: Sequence[str], words: Sequence[str]) -> list[int]:
    """Where an n-gram begins."""
    size = len(ngram)
    return [i for i in range(len(words) - size + 1) if list(words[i : i + size]) == list(ngram)]


def alignment(hypothesis: Sequence[str], reference: Sequence[str], context: str) -> list[int]:
    """Positions in the reference of the words that can be aligned."""
    aligned = []
    for i, word in enumerate(hypothesis):
        if word not in reference:
            continue
        for size in range(1, len(hypothesis) + 1):
            left = (i - size + 1, size - 1)
            right = (i, 0)
            for start, shift in (left, right) if context == "left" else (right, left):
                ngram = hypothesis[start : start + size] if start >= 0 else []
                if len(ngram) == size and len(places(ngram, hypothesis)) == len(places(ngram, reference)) == 1:
                    aligned.append(places(ngram, reference)[0] + shift)
                    break
            else:
                continue
            break
    return aligned


def score(hypothesis: str, reference: str, alpha: float = 0.25, beta: float = 0.1, context: str = "left") -> float:
    """RIBES of one pair that is tokenised already."""
    h, r = hypothesis.split(), reference.split()
    if not h:
        return 0.0
    aligned = alignment(h, r, context)
    pairs = list(combinations(aligned, 2))
    tau = sum(a < b for a, b in pairs) / len(pairs) if pairs else float(len(aligned) == 1 and len(r) == 1)
    brevity = min(1.0, math.exp(1 - len(r) / len(h)))
    return float(100 * tau * (len(aligned) / len(h)) ** alpha * brevity**beta)
