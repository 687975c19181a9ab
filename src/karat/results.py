"""What scoring gives back: frozen results, with one JSON form for the command line, the API and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, overload

from karat.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.corpus.diagnostics import Diagnostic
    from karat.rows import Rows
    from karat.significance import Estimate

SCHEMA = 1


@dataclass(frozen=True, eq=False)
class Score:
    """One number for one system, and what a reader must know beside it."""

    system: str
    metric: str
    display_name: str
    spec: str
    score: float
    signature: str
    sacrebleu_signature: str | None
    higher_is_better: bool
    segment_count: int
    testset: str | None = None
    other_names: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    kept_rows: Rows | None = field(default=None, repr=False)
    estimate: Estimate | None = None

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

    def __str__(self) -> str:
        return f"{self.display_name} = {self.score:.2f} ({self.signature})"

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "scores" of the JSON form; numbers at full precision."""
        entry: dict[str, Any] = {
            "system": self.system,
            "metric": self.metric,
            "name": self.display_name,
            "spec": self.spec,
            "score": self.score,
            "signature": self.signature,
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
    found = estimate.interval
    drawn = {key: getattr(estimate, key) for key in ("unit", "units", "n", "resample", "seed")}
    bounds = {"interval": [found.low, found.high], "interval_level": found.level, "interval_method": found.method}
    return {**bounds, **drawn}


class Scores(Sequence[Score]):
    """Scores in the order asked for; also by metric, by system, or by both.

    `scores[0]`, `scores["bleu"]`, `scores["sysA", "bleu"]`, where a metric is named by its spec, its name or the name
    that papers use.
    """

    def __init__(self, scores: Sequence[Score]) -> None:
        self._scores = tuple(scores)

    @overload
    def __getitem__(self, key: int | str | tuple[str, str]) -> Score: ...
    @overload
    def __getitem__(self, key: slice) -> Scores: ...
    def __getitem__(self, key: int | slice | str | tuple[str, str]) -> Score | Scores:
        if isinstance(key, int):
            return self._scores[key]
        if isinstance(key, slice):
            return Scores(self._scores[key])
        return self._find(*key) if isinstance(key, tuple) else self._find(None, key)

    def _find(self, system: str | None, metric: str) -> Score:
        wanted = metric.replace(" ", "")
        candidates = [score for score in self._scores if system in (None, score.system)]
        exact = [score for score in candidates if wanted in (score.spec, *score.other_names)]
        loose = [score for score in candidates if wanted in (score.metric, score.display_name)]
        for found in (exact, loose):
            if len(found) == 1:
                return found[0]
            if found:
                several = ", ".join(f"[{score.system!r}, {score.spec!r}]" for score in found)
                raise KeyError(f"{metric!r} is more than one score: {several}")
        raise KeyError(f"no score {metric!r}{f' of {system!r}' if system else ''}; there is: {', '.join(self.specs)}")

    def __len__(self) -> int:
        return len(self._scores)

    def __iter__(self) -> Iterator[Score]:
        return iter(self._scores)

    def __repr__(self) -> str:
        lines = "\n".join(f"  {score.system}: {score}" for score in self._scores)
        return f"Scores(\n{lines}\n)"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order given."""
        return tuple(dict.fromkeys(score.system for score in self._scores))

    @property
    def specs(self) -> tuple[str, ...]:
        """The metrics, as specs, in the order asked for."""
        return tuple(dict.fromkeys(score.spec for score in self._scores))

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"schema": SCHEMA, "scores": [score.to_json() for score in self._scores]}

    def _repr_html_(self) -> str:
        """A table for notebooks: systems by metrics, signatures below."""
        by_key = {(score.system, score.spec): score for score in self._scores}
        first = {score.spec: score for score in reversed(self._scores)}
        head = "".join(f"<th>{escape(first[spec].display_name)} {direction(first[spec])}</th>" for spec in self.specs)
        body = "".join(
            f"<tr><th style='text-align:left'>{escape(system)}</th>"
            + "".join(f"<td>{by_key[system, spec].score:.2f}</td>" for spec in self.specs)
            + "</tr>"
            for system in self.systems
        )
        notes = "<br>".join(f"<code>{escape(first[spec].signature)}</code>" for spec in self.specs)
        return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table><p>{notes}</p>"


def direction(score: Score) -> str:
    """An arrow that tells which way is better."""
    return "↑" if score.higher_is_better else "↓"


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
    scores: Scores
    specs: tuple[str, ...]


@dataclass(frozen=True)
class ScoreReport:
    """All that one run of scoring found; `asked[i]` is the i-th metric as it was asked for."""

    testsets: tuple[TestSetScores, ...]
    documents: tuple[PartScore, ...]
    warnings: tuple[Diagnostic, ...]
    asked: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems of all test sets, in order of first appearance."""
        return tuple(dict.fromkeys(system for testset in self.testsets for system in testset.scores.systems))

    @property
    def scores(self) -> Scores:
        """All scores in one sequence."""
        return Scores([score for testset in self.testsets for score in testset.scores])
