"""The result of measuring strings against each other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from dataclasses import fields as dataclass_fields
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.similarity import nearest_table, summary_table, system_tables
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.identity import Identity
    from karat.report.table import Table

NEAREST_SHOWN = 20


@dataclass(frozen=True)
class NearPair:
    """Two strings that are nearly the same, by their places from 1; `equal` says that they are the same."""

    hypothesis: int
    reference: int
    score: float
    equal: bool
    hypothesis_text: str
    reference_text: str


@dataclass(frozen=True)
class ListSummary:
    """How alike the strings of a list are, or those of two lists.

    `closest` is the mean over hypotheses of the best score that any reference gives each; `near_hypotheses` counts
    those with a near reference: in a list, an earlier string.
    """

    hypotheses: int
    references: int | None
    different: int
    pairs: int
    mean: float | None
    lowest: float | None
    highest: float | None
    closest: float | None
    near_pairs: int
    near_hypotheses: int


@dataclass(frozen=True)
class SystemPair:
    """How alike two systems are: the score of all segments, the mean of theirs, and how many are near or the same."""

    hypothesis: str
    reference: str
    score: float
    mean_of_segments: float
    near_segments: int
    equal_segments: int


@dataclass(frozen=True, kw_only=True, repr=False)
class PairwiseResult(Result):
    """What a matrix of scores tells: about lists of strings, or about systems segment by segment.

    `scores` is the matrix itself where it is asked for: hypotheses by references.
    """

    records_of: ClassVar[str] = "nearest"
    fields: ClassVar[tuple[str, ...]] = tuple(field.name for field in dataclass_fields(NearPair))
    page_title: ClassVar[str] = "How alike texts are"

    identity: Identity
    near: float
    lists: ListSummary | None = None
    nearest: tuple[NearPair, ...] = ()
    systems: tuple[SystemPair, ...] = ()
    segments: int | None = None
    diversity: float | None = None
    scores: NDArray[np.float64] | None = None

    def body(self) -> dict[str, Any]:
        """The measure, and what was found about lists or systems."""
        known = self.identity
        measure = {
            **known.names(),
            "higher_is_better": known.higher_is_better,
            "signature": str(known.signature),
            "near": self.near,
        }
        if self.lists is None:
            systems = [asdict(pair) for pair in self.systems]
            alike = {"segments": self.segments, "mean": self.diversity, "systems": systems}
            return {"measure": measure, **alike, "nearest": []}
        return {"measure": measure, "lists": asdict(self.lists), "nearest": [asdict(pair) for pair in self.nearest]}

    def records(self) -> list[dict[str, Any]]:
        """One record per pair of systems, or per pair of strings that are near."""
        return [asdict(pair) for pair in (self.nearest if self.lists is not None else self.systems)]

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """A summary and the nearest pairs, or how alike systems are."""
        if self.lists is None:
            return system_tables(self.identity, self.systems, self.segments or 0, self.near, self.diversity, digits)
        summary = summary_table(self.identity, self.lists, self.near, digits)
        if not self.nearest:
            return (summary,)
        shown = self.nearest[:NEAREST_SHOWN]
        return (summary, nearest_table(self.identity, shown, self.lists.near_pairs, digits))
