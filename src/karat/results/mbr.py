"""The result of choosing among several hypotheses of every segment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from karat.errors import InputError
from karat.report.choices import choice_table
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.identity import Identity
    from karat.report.table import Table


@dataclass(frozen=True)
class SegmentChoice:
    """The best hypothesis of a segment by its place in the list, from 1, and its expected utility.

    `margin` is how much better it is than the best other text; `tied` are the places of other texts that are as good.
    `utilities` has all hypotheses in order, None for those that were dropped before they were measured to the end.
    """

    segment: str
    place: int
    hypothesis: str
    utility: float
    margin: float | None
    tied: tuple[int, ...]
    utilities: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class MbrResult(Result):
    """The best hypothesis of each segment."""

    records_of: ClassVar[str] = "segments"
    page_title: ClassVar[str] = "The best of several hypotheses"

    identity: Identity
    strategy: str
    weights: str | None
    segments: tuple[SegmentChoice, ...]

    @property
    def best(self) -> list[str]:
        """The best hypothesis of each segment."""
        return [choice.hypothesis for choice in self.segments]

    def lines(self) -> Iterator[str]:
        """The same as lines of a file, one for each segment."""
        for choice in self.segments:
            if "\n" in choice.hypothesis or "\r" in choice.hypothesis:
                raise InputError(
                    f"segment {choice.segment}: the best hypothesis has a line break, so it cannot be a line of text: "
                    "ask for another form, such as --json"
                )
        return iter(self.best)

    def body(self) -> dict[str, Any]:
        """The utility and how it was found, and the choice for each segment."""
        known = self.identity
        return {
            "utility": {
                **known.names(),
                "higher_is_better": known.higher_is_better,
                "signature": str(known.signature),
                "strategy": self.strategy,
                "weights": self.weights,
            },
            "segments": [
                {**asdict(choice), "tied": list(choice.tied), "utilities": list(choice.utilities)}
                for choice in self.segments
            ],
        }

    def records(self) -> list[dict[str, Any]]:
        """One record per segment, without the utilities of the others."""
        return [
            {
                "segment": choice.segment,
                "place": choice.place,
                "utility": choice.utility,
                "margin": choice.margin,
                "tied": len(choice.tied),
                "hypothesis": choice.hypothesis,
            }
            for choice in self.segments
        ]

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """A row per segment."""
        return (choice_table(self.identity, self.segments, digits),)
