"""The result of Qin and Specia's experiment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.multi_reference import multi_reference_tables
from karat.results.base import Result

if TYPE_CHECKING:
    from karat.meta.multi_reference import MultiReferenceStudy
    from karat.report.table import Table

EXPERIMENT_DIGITS = 4
"""As many as the paper prints."""


@dataclass(frozen=True, kw_only=True, repr=False)
class MultiReferenceResult(Result):
    """Agreement of people, and the correlations of metrics with them."""

    records_of: ClassVar[str] = "correlations"
    page_title: ClassVar[str] = "One reference or several"

    study: MultiReferenceStudy

    def body(self) -> dict[str, Any]:
        """The lists of the experiment."""
        study = self.study
        return {
            "references": study.references,
            "criteria": list(study.criteria),
            "metrics": list(study.metrics),
            "systems": list(study.systems),
            "agreement": [dict(vars(entry)) for entry in study.agreement],
            "correlations": [dict(vars(entry)) for entry in study.correlations],
            "signatures": list(study.signatures),
        }

    def tables(self, digits: int = EXPERIMENT_DIGITS) -> tuple[Table, ...]:
        """The tables of the paper."""
        return tuple(multi_reference_tables(self.study, digits))
