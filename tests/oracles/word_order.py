"""The order of aligned words written down as slowly and plainly as possible."""

from __future__ import annotations

from itertools import combinations

from tests.oracles.lepor import alignment


def numbers(hypothesis: str, reference: str) -> list[int]:
    """Aligned words, chunks, moves, jumps, squared moves, ascending pairs."""
    pairs = alignment(hypothesis.split(), reference.split(), 2)
    places = sorted(j for _, j in pairs)
    ranks = [places.index(j) + 1 for _, j in pairs]
    moves = [abs(rank - place) for place, rank in enumerate(ranks, 1)]
    jumps = [abs(rank - before - 1) for before, rank in zip([0, *ranks], ranks, strict=False)]
    chunks = sum((i - 1, j - 1) not in pairs for i, j in pairs)
    ascending = sum(a < b for a, b in combinations(ranks, 2))
    return [len(pairs), chunks, sum(moves), sum(jumps), sum(move**2 for move in moves), ascending]
