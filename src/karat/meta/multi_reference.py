"""What Qin and Specia's experiment finds: agreement of people, and correlations of metrics with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from karat.results import SCHEMA

if TYPE_CHECKING:
    from karat.meta.task import Level


@dataclass(frozen=True)
class Agreement:
    """How far people agreed on one system: the share of segments, and kappa by the paper's and by the right chance."""

    criterion: str
    system: str
    segments: int
    share: float
    kappa_paper: float | None
    kappa: float | None


@dataclass(frozen=True)
class Correlation:
    """Pearson's correlation of one metric: over systems, or over the parts of one system; None where not defined."""

    criterion: str
    metric: str
    level: Level
    system: str | None
    value: float | None
    n: int


@dataclass(frozen=True)
class MultiReferenceReport:
    """The tables of the experiment."""

    references: int
    criteria: tuple[str, ...]
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    agreement: tuple[Agreement, ...]
    correlations: tuple[Correlation, ...]
    signatures: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "schema": SCHEMA,
            "references": self.references,
            "criteria": list(self.criteria),
            "metrics": list(self.metrics),
            "systems": list(self.systems),
            "agreement": [dict(vars(one)) for one in self.agreement],
            "correlations": [dict(vars(one)) for one in self.correlations],
            "signatures": list(self.signatures),
        }
