"""Wins that go round in a circle, with which no order agrees."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence


def circle(wins: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """A shortest circle of systems, each of which beats the next and the last the first; empty where there is none.

    >>> circle([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")]), circle([("a", "b"), ("a", "c")])
    (('a', 'b', 'c'), ())
    """
    beaten_by: dict[str, list[str]] = {}
    for winner, loser in wins:
        beaten_by.setdefault(winner, []).append(loser)
    circles = [way for start in beaten_by if (way := _way_back(start, beaten_by))]
    return min(circles, key=len, default=())


def around(systems: Sequence[str]) -> list[tuple[str, str]]:
    """Each system of a circle with the one that it beats."""
    return list(zip(systems, (*systems[1:], systems[0]), strict=True))


def _way_back(start: str, beaten_by: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The shortest way from a system over those beaten back to it."""
    seen = {start}
    ahead = deque[tuple[str, ...]]([(start,)])
    while ahead:
        way = ahead.popleft()
        for loser in beaten_by.get(way[-1], ()):
            if loser == start:
                return way
            if loser not in seen:
                seen.add(loser)
                ahead.append((*way, loser))
    return ()
