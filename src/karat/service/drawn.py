"""What is drawn from the evidence of one test set, and its rows by these units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.findings import Findings, MeasureFindings
from karat.quick_dataclasses import dataclass
from karat.service.units import choose_units
from karat.significance.alike import drawn_unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Diagnostic
    from karat.evidence import Evidence, Measure, Unit, Units
    from karat.rows import Rows

    Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Drawn:
    """One test set's evidence, and the units that are drawn from it."""

    evidence: Evidence
    units: Units
    asked: Unit | None
    warnings: tuple[Diagnostic, ...]

    @classmethod
    def of(cls, evidence: Evidence, asked: Unit | None) -> Drawn:
        """Documents where they are known, unless something else is asked for."""
        segments = evidence.segments
        units, _, warnings = choose_units(
            evidence.segment_count,
            segments.documents,
            asked,
            partly_labelled=segments.partly_labelled,
            grouped=evidence.grouped_segments,
        )
        return cls(evidence, units, asked, warnings)

    def unit_on(self, masks: Iterable[Mask], subject: str) -> tuple[Unit, tuple[Diagnostic, ...]]:
        """The unit where only these segments count: those of one document leave only segments, and this is said."""
        documents = self.evidence.segments.documents
        if self.units.unit == "segment" or documents is None or self.evidence.grouped_segments:
            return self.units.unit, ()
        labels = np.asarray(documents)
        return drawn_unit(min(len(np.unique(labels[mask])) for mask in masks), self.asked, subject)

    def grouped(self, measure: Measure, kept: Mask | None = None, unit: Unit | None = None) -> dict[str, Rows]:
        """The rows of all systems under a measure, by unit, of all segments or of some."""
        rows, documents = measure.comparable(), self.evidence.segments.documents
        labels: Sequence[str] = documents or ()
        if kept is not None and not kept.all():
            rows = {name: of_system.taken(kept) for name, of_system in rows.items()}
            labels = [label for label, keep in zip(labels, kept, strict=False) if keep]
        if (unit or self.units.unit) == "segment":
            return rows
        return {name: of_system.grouped(labels) for name, of_system in rows.items()}

    def saying(self, warnings: Iterable[Diagnostic]) -> Drawn:
        """The same with more to be said, each thing once."""
        return replace(self, warnings=tuple(dict.fromkeys((*self.warnings, *warnings))))

    def by(self, units: Iterable[Unit]) -> Drawn:
        """The same, drawing segments where these are the units of everything that was drawn."""
        if self.units.unit == "segment" or "document" in units:
            return self
        count = self.evidence.segment_count
        reason = "all segments that are compared are of one document"
        return replace(self, units=replace(self.units, unit="segment", count=count, segments=count, reason=reason))

    def findings(self, measures: Iterable[MeasureFindings]) -> Findings:
        """What was found on this test set."""
        evidence = self.evidence
        said = (*evidence.warnings, *self.warnings)
        of_measures = tuple(measures)
        if evidence.pooled_testsets:
            of_measures = tuple(measure.without_effects() for measure in of_measures)
        return Findings(of_measures, self.units, evidence.testset, said, pooled_testsets=evidence.pooled_testsets)
