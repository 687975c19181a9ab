"""What Qin and Specia's experiment finds: agreement of people, and correlations of metrics with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.evidence import Level


@dataclass(frozen=True)
class RaterAgreement:
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
class MultiReferenceStudy:
    """The tables of the experiment."""

    references: int
    criteria: tuple[str, ...]
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    agreement: tuple[RaterAgreement, ...]
    correlations: tuple[Correlation, ...]
    signatures: tuple[str, ...]
