"""What an analysis of ratings finds: systems, pairs of them, agreement and raters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.corpus.diagnostics import Diagnostic
    from karat.human.agreement.value import AgreementValue
    from karat.human.scales.quality import RaterQuality
    from karat.significance import Interval


@dataclass(frozen=True)
class SystemResult:
    """One system under one criterion: its score, how sure it is, its ranks, and what else belongs to the protocol.

    `n` counts judgements, `items` what was judged (segments, documents or questions). `score` is what the systems are
    ranked by, `raw` and `z` the means of raw and of standardised values, `normalised` the mean between 0 and 1. A
    system that is not `ranked` was tested against no other and may have any rank.
    """

    system: str
    n: int
    items: int
    raters: int
    score: float
    rank_low: int
    rank_high: int
    cluster: int
    ranked: bool = True
    interval: Interval | None = None
    raw: float | None = None
    z: float | None = None
    normalised: float | None = None
    model: float | None = None
    model_error: float | None = None
    distribution: Mapping[str, int] = field(default_factory=dict)
    by_domain: Mapping[str, float] = field(default_factory=dict)
    by_document: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The part of the JSON form that is about this system; what is not known is left out."""
        plain = ("system", "n", "items", "raters", "score", "rank_low", "rank_high", "cluster", "ranked")
        entry = {name: getattr(self, name) for name in plain}
        if self.interval is not None:
            entry |= self.interval.to_json()
        known = {name: getattr(self, name) for name in ("raw", "z", "normalised", "model")}
        entry |= {name: value for name, value in known.items() if value is not None}
        if self.model is not None:
            entry["model_error"] = self.model_error
        maps = {name: dict(getattr(self, name)) for name in ("distribution", "by_domain", "by_document")}
        return entry | {name: value for name, value in maps.items() if value} | dict(self.details)


@dataclass(frozen=True)
class PairResult:
    """Two systems: how far their scores are apart, and whether a test can tell them from each other.

    `better` is the system in whose favour the test's own statistic is, None where it favours neither; a test of ranks
    may favour another system than the scores do. `smallest_p` is the least p that the test could have given, and
    `smallest_p_adjusted` the same after correction. `segments` is how many segments both were judged on, which is where
    difference and p come from; None where these are not paired. Without a p the pair was not tested.
    """

    first: str
    second: str
    difference: float | None
    p: float | None
    p_adjusted: float | None
    significant: bool
    better: str | None = None
    higher_is_better: bool = True
    reachable: bool = True
    smallest_p: float | None = None
    smallest_p_adjusted: float | None = None
    segments: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def better_score(self) -> str | None:
        """The system with the better score on the same segments; None where scores are equal, or there are none."""
        if not self.difference:
            return None
        return self.first if (self.difference > 0) == self.higher_is_better else self.second

    @property
    def contradicts_score(self) -> bool:
        """Whether the test is significant in favour of the system with the worse score."""
        return self.significant and None not in (self.better, self.better_score) and self.better != self.better_score

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "pairs" of the JSON form."""
        entry = {name: value for name, value in vars(self).items() if name not in ("details", "higher_is_better")}
        return {**entry, "contradicts_score": self.contradicts_score, **self.details}


@dataclass(frozen=True)
class ModelVariances:
    """The variances of a mixed model; None where the judgements cannot tell one."""

    rater: float | None
    segment: float | None
    residual: float | None


@dataclass(frozen=True, eq=False)
class JudgedSegments:
    """The mean judgement of every segment of one system, and how many there are; NaN and 0 where there is none."""

    system: str
    segments: tuple[str, ...]
    documents: tuple[str | None, ...]
    scores: NDArray[np.float64]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class CriterionResult:
    """Everything about one criterion of one protocol: systems with the best first, pairs, agreement, raters.

    `method` says in a sentence how systems were ranked; `without` are the systems once more with flagged raters left
    out, and `left_out` their names.
    """

    protocol: str
    criterion: str
    kind: str
    higher_is_better: bool
    systems: tuple[SystemResult, ...]
    method: str
    language_pair: str | None = None
    level: str = "segment"
    pairs: tuple[PairResult, ...] = ()
    agreement: tuple[AgreementValue, ...] = ()
    raters: tuple[RaterQuality, ...] = ()
    without: tuple[SystemResult, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    preset: str | None = None
    seed: int | None = None
    segments: tuple[JudgedSegments, ...] = ()
    variances: ModelVariances | None = None

    @property
    def ranked(self) -> bool:
        """Whether any systems were ranked."""
        return any(system.ranked for system in self.systems)

    @property
    def label(self) -> dict[str, Any]:
        """What entries of the JSON form say about where they belong."""
        named = {"protocol": self.protocol, "criterion": self.criterion, "level": self.level}
        return named if self.language_pair is None else {**named, "language_pair": self.language_pair}


@dataclass(frozen=True)
class RatingAnalysis:
    """What people said, criterion by criterion; `sheet` holds extended criteria that are shown as they are."""

    criteria: tuple[CriterionResult, ...]
    sheet: tuple[Mapping[str, Any], ...] = ()
