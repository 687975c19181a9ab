"""What tests found about systems on one test set, measure by measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, field, replace
from typing import TYPE_CHECKING, Any

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.corpus import Diagnostic
    from karat.evidence import Units
    from karat.identity import Identity
    from karat.significance import Comparison, NonInferiority, Power, Ranked, RunReport


@dataclass(frozen=True)
class PairPower:
    """What the test set can show about a pair of systems; `scores` are theirs, where there are any."""

    baseline: str
    system: str
    power: Power
    needed_segments: int | None
    scores: tuple[float, float] | None = None


@dataclass(frozen=True)
class MeasureFindings:
    """What was found under one measure; `shared` tells how many segments were compared, where these are not all.

    `unpaired` has the number of segments of each system, where they are scored on whatever each has.
    """

    identity: Identity
    comparisons: tuple[Comparison, ...] = ()
    ranking: tuple[Ranked, ...] = ()
    runs: RunReport | None = None
    non_inferiority: tuple[NonInferiority, ...] = ()
    power: tuple[PairPower, ...] = ()
    shared: Mapping[str, int] | None = None
    unpaired: Mapping[str, int] | None = None

    def without_effects(self) -> MeasureFindings:
        """The same without effect sizes: over several test sets they would depend on the sizes of these."""
        return replace(self, comparisons=tuple(replace(pair, effect_size=None) for pair in self.comparisons))

    def warnings(self) -> Iterator[str]:
        """Warnings about single comparisons."""
        for comparison in self.comparisons:
            yield from comparison.warnings
        for run_comparison in () if self.runs is None else self.runs.comparisons:
            yield from run_comparison.warnings
        for gate in self.non_inferiority:
            yield from gate.warnings
        for pair in self.power:
            yield from pair.power.warnings

    def scores(self) -> Iterator[float]:
        """The scores of all systems; of power that is assumed, how far scores differ."""
        for comparison in self.comparisons:
            yield from (comparison.baseline_score, comparison.score)
        for run_summary in () if self.runs is None else self.runs.systems:
            yield from run_summary.scores
        for pair in self.power:
            yield from (pair.power.deviation,) if pair.scores is None else pair.scores

    def entries(self) -> dict[str, list[dict[str, Any]]]:
        """The lists of the JSON form, each entry with the names of the measure."""
        lists: dict[str, list[dict[str, Any]]] = {
            "comparisons": [*self._compared()],
            "ranking": [place.to_json() for place in self.ranking],
            "runs": [] if self.runs is None else [asdict(summary) for summary in self.runs.systems],
            "non_inferiority": [gate.to_json() for gate in self.non_inferiority],
            "power": [self._planned(pair) for pair in self.power],
        }
        names = self.identity.names()
        return {
            name: [{**names, **{key: value for key, value in entry.items() if key not in names}} for entry in entries]
            for name, entries in lists.items()
        }

    def _compared(self) -> Iterator[dict[str, Any]]:
        for comparison in self.comparisons:
            entry = comparison.to_json()
            if self.shared is not None:
                entry["shared_segments"] = self.shared[comparison.system]
            yield entry if self.unpaired is None else {**entry, "unpaired": True}
        if self.runs is not None:
            yield from (comparison.to_json() for comparison in self.runs.comparisons)

    def _planned(self, pair: PairPower) -> dict[str, Any]:
        planned = {"baseline": pair.baseline, "system": pair.system, **pair.power.to_json()}
        return {**planned, "needed_segments": pair.needed_segments, "signature": str(self.identity.signature)}


@dataclass(frozen=True)
class Findings:
    """What was found on one test set, measure by measure; or on as many together as `pooled_testsets` says."""

    measures: tuple[MeasureFindings, ...]
    units: Units
    testset: str | None = None
    pooled_testsets: int = field(default=0, kw_only=True)
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether every system was shown to be no worse than the baseline, if that was asked."""
        return all(gate.shown for measure in self.measures for gate in measure.non_inferiority)
