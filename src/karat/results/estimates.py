"""The result of estimating how sure a score is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.numbers import bounds, fixed
from karat.report.table import Cell, Table
from karat.results.base import DIGITS, Result
from karat.scores import interval_json

if TYPE_CHECKING:
    from karat.identity import Identity
    from karat.significance import Estimate, Interval


@dataclass(frozen=True, kw_only=True, repr=False)
class EstimateResult(Result):
    """A score with its interval over resamples."""

    records_of: ClassVar[str] = "estimates"
    page_title: ClassVar[str] = "A score and its interval"

    identity: Identity
    estimate: Estimate

    @property
    def value(self) -> float:
        """The score."""
        return self.estimate.value

    @property
    def interval(self) -> Interval:
        """The bounds, their confidence and the method that found them."""
        return self.estimate.interval

    @property
    def mean(self) -> float:
        """The mean of the resamples."""
        return self.estimate.mean

    @property
    def standard_error(self) -> float:
        """The standard deviation of the resamples."""
        return self.estimate.standard_error

    @property
    def n(self) -> int:
        """The number of resamples."""
        return self.estimate.n

    @property
    def seed(self) -> int:
        """The seed of the resamples."""
        return self.estimate.seed

    @property
    def unit(self) -> str:
        """What was drawn."""
        return self.estimate.unit

    @property
    def units(self) -> int:
        """How many of these there are."""
        return self.estimate.units

    def body(self) -> dict[str, Any]:
        """One entry: the score, its interval, and how that was made."""
        estimate = self.estimate
        numbers = {"score": estimate.value, "mean": estimate.mean, "standard_error": estimate.standard_error}
        signed = {"signature": str(self.identity.signature), "higher_is_better": self.identity.higher_is_better}
        return {"estimates": [{**self.identity.names(), **numbers, **interval_json(estimate), **signed}]}

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """One row."""
        estimate, interval = self.estimate, self.interval
        shown = fixed(estimate.value, digits), bounds(interval.low, interval.high, digits)
        numbers = (*shown, fixed(estimate.standard_error, digits), str(estimate.units))
        headings = (self.identity.display_name, f"{interval.confidence * 100:g} % interval", "Standard error")
        drawn = f"{interval.method}, n = {estimate.n:,}, seed {estimate.seed}"
        return (
            Table(
                (*headings, f"{estimate.unit.capitalize()}s"),
                (tuple(Cell(number, number=True) for number in numbers),),
                notes=(drawn, str(self.identity.signature)),
            ),
        )
