"""What a command about significance found: frozen, with one JSON form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from karat.results import SCHEMA

if TYPE_CHECKING:
    from karat.corpus.diagnostics import Diagnostic
    from karat.significance import Comparison, NonInferiority, Power, Ranked, RunComparison, RunReport

Unit = Literal["segment", "document"]


@dataclass(frozen=True)
class Measure:
    """What systems were measured with: a metric of karat, or scores that came from elsewhere."""

    metric: str
    spec: str
    display_name: str
    signature: str
    sacrebleu_signature: str | None
    higher_is_better: bool


@dataclass(frozen=True)
class Units:
    """What was drawn at random, how many there are, out of how many segments, and why it was this."""

    unit: Unit
    count: int
    segments: int
    reason: str

    @property
    def segments_each(self) -> float:
        """How many segments a unit has on average."""
        return self.segments / self.count


@dataclass(frozen=True)
class PairPower:
    """What the test set can show about a pair of systems."""

    baseline: str
    system: str
    power: Power
    needed_segments: int | None


@dataclass(frozen=True)
class MeasureFindings:
    """What was found under one metric."""

    measure: Measure
    comparisons: tuple[Comparison, ...] = ()
    ranking: tuple[Ranked, ...] = ()
    runs: RunReport | None = None
    non_inferiority: tuple[NonInferiority, ...] = ()
    power: tuple[PairPower, ...] = ()


@dataclass(frozen=True)
class Findings:
    """All that was found, metric by metric, and what a reader must be told."""

    measures: tuple[MeasureFindings, ...]
    units: Units
    warnings: tuple[Diagnostic, ...]

    @property
    def shown(self) -> bool:
        """Whether every system was shown to be no worse than the baseline, if that was asked."""
        return all(one.shown for of in self.measures for one in of.non_inferiority)

    def to_json(self) -> dict[str, Any]:
        """The JSON form: only what was asked for is there."""
        parts: dict[str, list[dict[str, Any]]] = {
            "comparisons": [_named(of.measure, entry) for of in self.measures for entry in _comparisons(of)],
            "ranking": [_named(of.measure, one.to_json()) for of in self.measures for one in of.ranking],
            "runs": [_named(of.measure, entry) for of in self.measures for entry in _runs(of)],
            "non_inferiority": [_named(of.measure, asdict(one)) for of in self.measures for one in of.non_inferiority],
            "power": [_named(of.measure, _power(of.measure, one)) for of in self.measures for one in of.power],
        }
        asked = {name: entries for name, entries in parts.items() if entries}
        return {"schema": SCHEMA, **asked, "warnings": [asdict(warning) for warning in self.warnings]}


def _named(measure: Measure, entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with the metric under the names that scores have it."""
    names = {"metric": measure.metric, "name": measure.display_name, "spec": measure.spec}
    return {**names, **{key: value for key, value in entry.items() if key not in names}}


def _comparisons(of: MeasureFindings) -> Iterator[dict[str, Any]]:
    yield from (one.to_json() for one in of.comparisons)
    if of.runs is not None:
        yield from (run_entry(one) for one in of.runs.comparisons)


def run_entry(one: RunComparison) -> dict[str, Any]:
    """A comparison over several runs in the form of all comparisons: scores are means, p is that of these runs."""
    entry = {**asdict(one), "baseline_score": one.baseline_mean, "score": one.mean, "p": one.p_these_runs}
    interval = {
        "interval": [one.interval.low, one.interval.high],
        "interval_level": one.interval.level,
        "interval_method": one.interval.method,
    }
    rest = {"p_adjusted": one.p_these_runs_adjusted, "wins": None, "losses": None, "ties": None}
    warnings = {"test": "stratified randomization", "warnings": list(one.warnings)}
    return {**entry, **interval, **rest, **warnings}


def _runs(of: MeasureFindings) -> Iterator[dict[str, Any]]:
    if of.runs is not None:
        yield from (asdict(one) for one in of.runs.systems)


def _power(measure: Measure, one: PairPower) -> dict[str, Any]:
    found = {"baseline": one.baseline, "system": one.system, **asdict(one.power)}
    return {**found, "needed_segments": one.needed_segments, "signature": measure.signature}
