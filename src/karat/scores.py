"""Scores of systems and of parts of the corpus: frozen, with one JSON form each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, overload

from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.evidence import Evidence, Measure
    from karat.identity import Identity, Signature
    from karat.rows import Rows
    from karat.significance import Estimate

MOST_SHOWN = 10
"""How many scores a sequence shows of itself at the prompt."""


@dataclass(frozen=True, eq=False, repr=False)
class Score:
    """One number for one system, and what a reader must know beside it."""

    system: str
    identity: Identity
    score: float
    segment_count: int
    testset: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    kept_rows: Rows | None = None
    estimate: Estimate | None = None

    @property
    def metric(self) -> str:
        """The plain name of the metric."""
        return self.identity.metric

    @property
    def display_name(self) -> str:
        """The metric's name as papers write it."""
        return self.identity.display_name

    @property
    def spec(self) -> str:
        """The metric with its parameters."""
        return self.identity.spec

    @property
    def signature(self) -> Signature:
        """What a reader needs to reproduce the number; `str` prints it."""
        return self.identity.signature

    @property
    def sacrebleu_signature(self) -> str | None:
        """The signature that sacreBLEU prints for the same score, where there is one."""
        return self.identity.sacrebleu_signature

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is a better one."""
        return self.identity.higher_is_better

    @property
    def rows(self) -> Rows:
        """The rows that the score is made of: for intervals, tests and parts of the corpus."""
        if self.kept_rows is None:
            raise InputError("this score was made from a stream, which keeps sums and no rows")
        return self.kept_rows

    @property
    def segments(self) -> NDArray[np.float64]:
        """The score of every segment by itself."""
        return self.rows.unit_scores()

    def __float__(self) -> float:
        return self.score

    def __repr__(self) -> str:
        return f"Score({self.system}: {self})"

    def __str__(self) -> str:
        digits = 4 if self.identity.scale is not None and max(map(abs, self.identity.scale)) <= 1 else 2
        return f"{self.display_name} = {self.score:.{digits}f} ({self.signature})"

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "scores" of the JSON form; numbers at full precision."""
        entry: dict[str, Any] = {
            "system": self.system,
            **self.identity.names(),
            "score": self.score,
            "signature": str(self.signature),
            "sacrebleu_signature": self.sacrebleu_signature,
            "higher_is_better": self.higher_is_better,
            "segment_count": self.segment_count,
        }
        if self.testset is not None:
            entry["testset"] = self.testset
        if self.estimate is not None:
            entry |= interval_json(self.estimate)
        return {**entry, **({"details": dict(self.details)} if self.details else {})}


def interval_json(estimate: Estimate) -> dict[str, Any]:
    """An interval in the JSON form, and how it was made."""
    interval = estimate.interval
    drawn = {key: getattr(estimate, key) for key in ("unit", "units", "n", "resample", "seed")}
    bounds = {
        "interval": [interval.low, interval.high],
        "interval_level": interval.confidence,
        "interval_method": interval.method,
    }
    return {**bounds, **drawn}


class ScoreSequence(Sequence[Score]):
    """Scores in the order asked for; also by metric, by system, or by both.

    `scores[0]`, `scores["bleu"]`, `scores["sysA", "bleu"]`, where a metric is named by its spec, its name or the name
    that papers use.
    """

    def __init__(self, scores: Sequence[Score]) -> None:
        self._scores = tuple(scores)

    @overload
    def __getitem__(self, key: int | str | tuple[str, str]) -> Score: ...
    @overload
    def __getitem__(self, key: slice) -> Self: ...
    def __getitem__(self, key: int | slice | str | tuple[str, str]) -> Score | Self:
        if isinstance(key, int):
            return self._scores[key]
        if isinstance(key, slice):
            return type(self)(self._scores[key])
        return self._find(*key) if isinstance(key, tuple) else self._find(None, key)

    def _find(self, system: str | None, metric: str) -> Score:
        # Spaces between parameters do not matter; those of a value do.
        wanted = {metric, metric.replace(" ", "")}
        candidates = self._scores if system is None else self._of_systems.get(system, ())
        exact = [score for score in candidates if wanted.intersection((score.spec, *score.identity.other_names))]
        loose = [score for score in candidates if wanted.intersection((score.metric, score.display_name))]
        for matches in (exact, loose):
            if len(matches) == 1:
                return matches[0]
            if matches:
                several = ", ".join(f"[{score.system!r}, {score.spec!r}]" for score in matches)
                raise KeyError(f"{metric!r} is more than one score: {several}")
        raise KeyError(f"no score {metric!r}{f' of {system!r}' if system else ''}; there is: {', '.join(self.specs)}")

    def __len__(self) -> int:
        return len(self._scores)

    def __iter__(self) -> Iterator[Score]:
        return iter(self._scores)

    def __repr__(self) -> str:
        hidden = len(self) - MOST_SHOWN
        shown = str(self[:MOST_SHOWN]) + (f"\n... and {hidden} more" if hidden > 0 else "")
        return f"{type(self).__name__} of {len(self)}:\n{shown}"

    def __str__(self) -> str:
        return "\n".join(f"{score.system}: {score}" for score in self._scores)

    @cached_property
    def _of_systems(self) -> Mapping[str, Sequence[Score]]:
        """The scores of each system: looking through all for each of many systems takes too long."""
        of_systems: dict[str, list[Score]] = {}
        for score in self._scores:
            of_systems.setdefault(score.system, []).append(score)
        return of_systems

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order given."""
        return tuple(self._of_systems)

    @cached_property
    def specs(self) -> tuple[str, ...]:
        """The metrics, as specs, in the order asked for."""
        return tuple(dict.fromkeys(score.spec for score in self._scores))


def scores_of(evidence: Evidence) -> ScoreSequence:
    """The score of every system under every measure, systems in order and under each the measures in order."""
    return ScoreSequence(
        [_score(evidence, measure, name) for name in evidence.systems for measure in evidence.measures]
    )


def _score(evidence: Evidence, measure: Measure, system: str) -> Score:
    rows = measure.rows[system]
    total = rows.sum()
    return Score(
        system=system,
        identity=rows.identity,
        score=float(rows.aggregate(total)),
        segment_count=evidence.grouped_segments or evidence.segment_count,
        testset=evidence.testset,
        details={} if measure.details is None else measure.details(total),
        kept_rows=None if evidence.streamed else rows,
    )


@dataclass(frozen=True)
class PartScore:
    """The score of one part of the corpus: a document or a segment."""

    system: str
    metric: str
    spec: str
    part: str
    score: float
    document: str | None = None
    testset: str | None = None

    def to_json(self, level: str) -> dict[str, Any]:
        """The object that stands in "documents" or "segments" of the JSON form."""
        entry: dict[str, Any] = {"system": self.system, "metric": self.metric, "spec": self.spec, level: self.part}
        if level == "segment" and self.document is not None:
            entry["document"] = self.document
        if self.testset is not None:
            entry["testset"] = self.testset
        return {**entry, "score": self.score}


@dataclass(frozen=True, eq=False)
class SegmentScores:
    """The scores of one system under one metric for a run of segments."""

    system: str
    metric: str
    spec: str
    testset: str | None
    segments: Sequence[str]
    documents: Sequence[str] | None
    scores: NDArray[np.float64]

    def parts(self) -> Iterator[PartScore]:
        """The segments one by one."""
        documents = self.documents or (None,) * len(self.segments)
        for segment, document, score in zip(self.segments, documents, self.scores.tolist(), strict=True):
            yield PartScore(self.system, self.metric, self.spec, segment, score, document, self.testset)


@dataclass(frozen=True)
class TestSetScores:
    """The scores on one test set; `specs[i]` is what the i-th metric asked for became on it."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    name: str | None
    scores: ScoreSequence
    specs: tuple[str, ...]
