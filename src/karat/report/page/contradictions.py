"""What a reader must know where an interval and a test say different things of the same difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from karat.report.comparisons import CORRECTIONS, is_adjusted
from karat.report.sentences import listed

if TYPE_CHECKING:
    from karat.scores import Score
    from karat.significance import Comparison

MOST_NAMES = 3
"""Of more systems than this it is decided how many they are."""


def of_differences(differences: Mapping[str, Comparison]) -> tuple[str, ...]:
    """Where the interval of a difference leaves out 0 though it may be chance, or holds 0 though it is shown.

    `differences` are those of systems from one baseline.
    """
    outside = {name: pair for name, pair in differences.items() if pair.winner is None and not _holds_zero(pair)}
    corrected = [name for name, pair in outside.items() if is_adjusted(pair) and pair.p <= pair.alpha]
    uncorrected = [name for name in outside if name not in corrected]
    inside = [name for name, pair in differences.items() if pair.winner is not None and _holds_zero(pair)]
    return tuple(_sentences(differences, corrected, uncorrected, inside))


def of_scores(pairs: Sequence[Comparison], scores: Mapping[str, Score | None]) -> tuple[str, ...]:
    """Where intervals of two scores overlap though the systems are told apart, or do not though they are not."""
    decided, undecided = 0, 0
    for pair in pairs:
        overlap = _overlap(scores.get(pair.baseline), scores.get(pair.system))
        decided += overlap is True and pair.winner is not None
        undecided += overlap is False and pair.winner is None
    return tuple(_on_scores(decided, undecided, len(pairs)))


def _sentences(
    differences: Mapping[str, Comparison], corrected: Sequence[str], uncorrected: Sequence[str], inside: Sequence[str]
) -> Iterator[str]:
    methods = "test and interval are found in different ways"
    if corrected:
        pair = differences[corrected[0]]
        how = f"{CORRECTIONS[pair.correction]}'s correction over {pair.family} comparisons"
        chance = f"Without 0 in its interval, and yet it may be chance: {_named(corrected)}"
        yield f"{chance}. p has {how}, intervals have none."
    if uncorrected:
        yield f"Without 0 in its interval, and yet it may be chance: {_named(uncorrected)}; {methods}."
    if inside:
        yield f"With 0 in its interval, and yet told apart by the test: {_named(inside)}; {methods}."


def _on_scores(decided: int, undecided: int, total: int) -> Iterator[str]:
    why = "an interval is that of one score, and the test looks at the difference"
    if decided:
        yield f"Intervals of scores overlap in {decided} of {total} pairs, which are told apart all the same: {why}."
    if undecided:
        yield f"Intervals of scores lie apart in {undecided} of {total} pairs, which are not told apart: {why}."


def _overlap(first: Score | None, second: Score | None) -> bool | None:
    """Whether two scores have intervals that overlap; None where one has none."""
    if first is None or second is None or first.estimate is None or second.estimate is None:
        return None
    left, right = first.estimate.interval, second.estimate.interval
    return left.low <= right.high and right.low <= left.high


def _holds_zero(pair: Comparison) -> bool:
    return pair.interval.low <= 0 <= pair.interval.high


def _named(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= MOST_NAMES else f"{len(names)} systems"
