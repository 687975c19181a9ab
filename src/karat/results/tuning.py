"""The result of tuning a metric."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.numbers import fixed
from karat.report.table import Cell, Table
from karat.results.base import Result

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class TuningAgreement:
    """Correlation with people on the segments tuned on, and on those held out."""

    tuned_on: float
    held_out: float


@dataclass(frozen=True, kw_only=True, repr=False)
class TuneResult(Result):
    """The parameters found, as a metric, and what they are worth; `segments` were tuned on and held out."""

    records_of: ClassVar[str] = "agreement"
    page_title: ClassVar[str] = "Parameters tuned on judgements"

    metric: str
    parameters: Mapping[str, float]
    criterion: str
    measure: str
    level: str
    systems: int
    segments: tuple[int, int]
    before: TuningAgreement
    after: TuningAgreement
    seed: int

    def body(self) -> dict[str, Any]:
        """One object; the agreement once more as records."""
        names = ("metric", "parameters", "criterion", "measure", "level", "systems", "seed")
        records = [
            {"segments": part, "count": count, "before": getattr(self.before, part), "after": getattr(self.after, part)}
            for part, count in zip(("tuned_on", "held_out"), self.segments, strict=True)
        ]
        return {
            **{name: getattr(self, name) for name in names},
            "segments": list(self.segments),
            "before": asdict(self.before),
            "after": asdict(self.after),
            "agreement": records,
        }

    def tables(self, digits: int = 3) -> tuple[Table, ...]:
        """Agreement before and after, under the metric as a spec."""
        lines = (
            (f"{self.segments[0]} segments tuned on", self.before.tuned_on, self.after.tuned_on),
            (f"{self.segments[1]} segments held out", self.before.held_out, self.after.held_out),
        )
        rows = tuple(
            (Cell(label), *(Cell(fixed(value, digits), number=True) for value in values)) for label, *values in lines
        )
        note = f"{self.measure} with {self.criterion}, by {self.level}, {self.systems} systems"
        return (Table(("", "Before", "After"), rows, notes=(note,), title=self.metric),)
