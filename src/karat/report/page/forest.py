"""Forest plots: the differences of all systems from one of them, with their intervals, beside the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.report.numbers import ShownMeasure, fixed
from karat.report.page.contradictions import of_differences
from karat.report.page.parts import Exhibit, Picture
from karat.report.sentences import p_is, p_value
from karat.report.svg import BLUE, GRID, INK, MUTED, ORANGE, RULE, Axis, FluidDrawing, cut_middle
from karat.report.table import Cell, Table
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from karat.significance import Comparison, Ranked

WIDTH, LINE, BOTTOM = 420, 28, 40
"""The width of a plot in a file of its own, and heights: that of a line is the one that a row of the table has."""
PLOT, NUMBERS = 73.0, 100.0
"""Where the plot ends and where the numbers beside it end, in percent of the width."""
LONGEST = 18
EDGE = 8.0
"""Left of this, in percent, the left half of a label in the middle of its tick may be cut off."""


@dataclass(frozen=True)
class Difference:
    """How far a system is from the baseline, seen from the baseline."""

    system: str
    value: float
    low: float
    high: float
    pair: Comparison

    @classmethod
    def of(cls, pair: Comparison, baseline: str) -> Difference:
        """The pair as it is seen from one of its two systems."""
        if pair.baseline == baseline:
            return cls(pair.system, pair.difference, pair.interval.low, pair.interval.high, pair)
        return cls(pair.baseline, -pair.difference, -pair.interval.high, -pair.interval.low, pair)

    @property
    def colour(self) -> str:
        """Blue for a system that is better, orange for one that is worse, and grey where that is open."""
        winner = self.pair.winner
        return MUTED if winner is None else BLUE if winner == self.system else ORANGE

    @property
    def verdict(self) -> str:
        """Whether the system is better than the baseline, in a word."""
        winner = self.pair.winner
        return "not told apart" if winner is None else "better" if winner == self.system else "worse"


def differences(shown: ShownMeasure, baseline: str) -> list[Difference]:
    """The differences from a baseline, in the order of the ranking."""
    pairs = shown.findings.comparisons
    by_system = {
        seen.system: seen
        for seen in (Difference.of(pair, baseline) for pair in pairs if baseline in (pair.baseline, pair.system))
    }
    return [by_system[place.system] for place in shown.findings.ranking if place.system in by_system]


def forest(shown: ShownMeasure, baseline: str, key: str) -> Picture:
    """The differences of all systems from the baseline under one measure, a line for each row of the ranking."""
    lines = differences(shown, baseline)
    ranking = shown.findings.ranking
    height = LINE * len(ranking) + BOTTOM
    drawing = FluidDrawing(
        WIDTH, height, f"{shown.name}: differences from {baseline}", description=_told(lines, baseline)
    )
    axis = Axis.over([0.0, *(bound for difference in lines for bound in (difference.low, difference.high))], 0, PLOT)
    _rules(drawing, ranking)
    _frame(drawing, shown, axis, height - BOTTOM)
    by_system = {difference.system: difference for difference in lines}
    for number, place in enumerate(ranking):
        middle = LINE * (number + 0.5)
        drawing.text(-2, middle + 4, cut_middle(place.system, LONGEST), size=13, anchor="end", colour=INK)
        if place.system == baseline:
            drawing.text(NUMBERS, middle + 4, "baseline", size=11, anchor="end", colour=MUTED)
        elif place.system in by_system:
            _line(drawing, by_system[place.system], axis, middle, shown.digits)
    numbers = Exhibit(f"{key}-numbers", _numbers(lines, shown), tuple(_records(lines, baseline)))
    return Picture(key, drawing, numbers, of_differences({line.system: line.pair for line in lines}))


def _told(lines: list[Difference], baseline: str) -> str:
    counts = {
        word: sum(difference.verdict == word for difference in lines) for word in ("better", "worse", "not told apart")
    }
    counted = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return f"Each system's score minus that of {baseline}, with its interval: {counted}."


def _rules(drawing: FluidDrawing, ranking: tuple[Ranked, ...]) -> None:
    """The lines between clusters, which go on from those of the table."""
    for number in range(1, len(ranking)):
        if ranking[number].cluster != ranking[number - 1].cluster:
            drawing.line(0, LINE * number + 0.5, 100, LINE * number + 0.5, RULE)


def _frame(drawing: FluidDrawing, shown: ShownMeasure, axis: Axis, bottom: float) -> None:
    for value in axis.ticks(5):
        drawing.line(axis(value), 0, axis(value), bottom, GRID)
        label = fixed(value, 12).rstrip("0").rstrip(".")
        anchor = "start" if axis(value) < EDGE else "middle"
        drawing.text(axis(value), bottom + 15, label, size=12, anchor=anchor, colour=MUTED)
    drawing.line(axis(0), 0, axis(0), bottom + 3, MUTED, 1.2)
    higher = shown.findings.identity.higher_is_better
    left, right = ("worse", "better") if higher else ("better", "worse")
    drawing.text(0, bottom + 32, f"← {left}", size=12, colour=MUTED)
    drawing.text(PLOT, bottom + 32, f"{right} →", size=12, anchor="end", colour=MUTED)


def _line(drawing: FluidDrawing, difference: Difference, axis: Axis, y: float, digits: int) -> None:
    interval = f"{fixed(difference.low, digits)} to {fixed(difference.high, digits)}"
    size, p = fixed(difference.value, digits, signed=True), p_is(difference.pair.p_adjusted)
    hint = f"{difference.system}: {size} ({interval}), {p}"
    drawing.line(axis(difference.low), y, axis(difference.high), y, difference.colour, 2)
    drawing.circle(axis(difference.value), y, 4.5, difference.colour, hint, hollow=difference.pair.winner is None)
    drawing.text(NUMBERS, y + 4, size, size=13, anchor="end", colour=MUTED if difference.pair.winner is None else INK)


def _numbers(lines: list[Difference], shown: ShownMeasure) -> Table:
    digits = shown.digits
    confidence = percent(lines[0].pair.interval.confidence)
    rows = tuple(
        (
            Cell(difference.system),
            Cell(fixed(difference.value, digits, signed=True), number=True),
            Cell(f"{fixed(difference.low, digits)} to {fixed(difference.high, digits)}", number=True),
            Cell(p_value(difference.pair.p_adjusted), number=True),
            Cell(difference.verdict),
        )
        for difference in lines
    )
    return Table(("System", f"Difference in {shown.name}", f"{confidence} % interval", "p", "Verdict"), rows)


def _records(lines: list[Difference], baseline: str) -> Iterator[dict[str, object]]:
    for difference in lines:
        yield {
            "metric": difference.pair.metric,
            "baseline": baseline,
            "system": difference.system,
            "difference": difference.value,
            "interval_low": difference.low,
            "interval_high": difference.high,
            "p_adjusted": difference.pair.p_adjusted,
            "verdict": difference.verdict,
        }
