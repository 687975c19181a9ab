"""What `karat human` finds: systems, pairs of them, agreement and raters; frozen, with one JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from karat.results import SCHEMA

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.corpus.diagnostics import Diagnostic
    from karat.human.agreement import Agreement
    from karat.human.quality import RaterQuality
    from karat.significance import Interval


@dataclass(frozen=True)
class SystemResult:
    """One system under one criterion: its score, how sure it is, its ranks, and what else belongs to the protocol.

    `n` counts judgements, `items` what was judged (segments, documents or questions). `score` is what the systems are
    ranked by, `raw` and `z` the means of raw and of standardised values, `normalised` the mean between 0 and 1.
    """

    system: str
    n: int
    items: int
    raters: int
    score: float
    rank_low: int
    rank_high: int
    cluster: int
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
        plain = ("system", "n", "items", "raters", "score", "rank_low", "rank_high", "cluster")
        entry = {name: getattr(self, name) for name in plain}
        if self.interval is not None:
            entry |= {"interval": [self.interval.low, self.interval.high], "interval_level": self.interval.level}
        known = {name: getattr(self, name) for name in ("raw", "z", "normalised", "model", "model_error")}
        entry |= {name: value for name, value in known.items() if value is not None}
        maps = {name: dict(getattr(self, name)) for name in ("distribution", "by_domain", "by_document")}
        return entry | {name: value for name, value in maps.items() if value} | dict(self.details)


@dataclass(frozen=True)
class PairResult:
    """Two systems: how far they are apart, and whether that can be told from chance."""

    first: str
    second: str
    difference: float
    p: float | None
    p_adjusted: float | None
    significant: bool
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "pairs" of the JSON form."""
        entry = dict(vars(self))
        return {**{name: value for name, value in entry.items() if name != "details"}, **self.details}


@dataclass(frozen=True, eq=False)
class SegmentScores:
    """The mean judgement of every segment of one system, and how many there are; NaN and 0 where there is none."""

    system: str
    segments: tuple[str, ...]
    documents: tuple[str | None, ...]
    scores: NDArray[np.float64]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class CriterionFindings:
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
    agreement: tuple[Agreement, ...] = ()
    raters: tuple[RaterQuality, ...] = ()
    without: tuple[SystemResult, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    preset: str | None = None
    seed: int | None = None
    segments: tuple[SegmentScores, ...] = ()

    @property
    def label(self) -> dict[str, Any]:
        """What entries of the JSON form say about where they belong."""
        named = {"protocol": self.protocol, "criterion": self.criterion, "level": self.level}
        return named if self.language_pair is None else {**named, "language_pair": self.language_pair}

    def with_notes(self, *notes: str) -> CriterionFindings:
        """The same with further notes."""
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True)
class HumanFindings:
    """What people said, criterion by criterion; `sheet` holds extended criteria that are shown as they are."""

    criteria: tuple[CriterionFindings, ...]
    sheet: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[Diagnostic, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON form; numbers at full precision."""
        document: dict[str, Any] = {"schema": SCHEMA, "systems": [], "agreement": [], "raters": [], "pairs": []}
        document["methods"] = []
        for one in self.criteria:
            again = {result.system: result for result in one.without}
            for result in one.systems:
                entry = {**one.label, **result.to_json(), "higher_is_better": one.higher_is_better}
                if result.system in again:
                    entry["filtered"] = again[result.system].to_json()
                document["systems"].append(entry)
            document["agreement"] += [{**one.label, **found.to_json()} for found in one.agreement]
            document["raters"] += [{**one.label, **rater.to_json()} for rater in one.raters]
            document["pairs"] += [{**one.label, **pair.to_json()} for pair in one.pairs]
            ways = {"kind": one.kind, "method": one.method, "preset": one.preset, "seed": one.seed}
            document["methods"].append({**one.label, **ways, "left_out": list(one.left_out), "notes": list(one.notes)})
        if self.sheet:
            document["sheet"] = [dict(row) for row in self.sheet]
        document["warnings"] = [warning.message for warning in self.warnings]
        return document
