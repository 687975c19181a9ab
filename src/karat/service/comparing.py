"""Which differences are real: systems against a baseline, all pairs, several runs, and what a test set can show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING

from karat import significance
from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.findings import Findings, Measure, MeasureFindings, PairPower, Units
from karat.service.evidence import Evidence, EvidenceRequest, MeasureRows, gather
from karat.significance import Options

if TYPE_CHECKING:
    from karat.rows import Rows

RUN = "{name}, run {number}"
"""What the runs of a system are called."""


@dataclass(frozen=True, kw_only=True)
class CompareRequest:
    """Every system against the baseline (the first one if not named); `margin` asks for non-inferiority, too.

    `runs` are the systems by name where one of them has several runs, each with the names of its runs.
    """

    evidence: EvidenceRequest
    options: Options = field(default_factory=Options)
    baseline: str | None = None
    margin: float | None = None
    runs: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, kw_only=True)
class RankRequest:
    """All pairs of systems."""

    evidence: EvidenceRequest
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, kw_only=True)
class PowerRequest:
    """What the test set can show about each system and the baseline."""

    evidence: EvidenceRequest
    baseline: str | None = None
    difference: float | None = None
    level: float = 0.05
    power: float = 0.8


@dataclass(frozen=True)
class Listeners:
    """Who hears how far the work has come: segments as they are scored, and draws done out of all."""

    segments: Callable[[int], None] | None = None
    draws: Callable[[int, int], None] | None = None


SILENT = Listeners()


def compare_systems(request: CompareRequest, listeners: Listeners = SILENT) -> Findings:
    """Compare every system with the baseline."""
    evidence = gather(request.evidence, listeners.segments)
    options = replace(request.options, unit=evidence.units.unit)
    if request.runs:
        return _compare_runs(request, evidence, options, listeners)
    threads = request.evidence.threads
    compared = significance.compare(
        evidence.tables, options, baseline=request.baseline, threads=threads, progress=listeners.draws
    )
    each = len(compared) // len(evidence.measures)
    found = []
    for i, one in enumerate(evidence.measures):
        of_metric = compared[i * each : (i + 1) * each]
        gates = _gates(one.systems, of_metric[0].baseline, request, options)
        found.append(MeasureFindings(one.measure, of_metric, non_inferiority=gates))
    return _findings(evidence, found)


def _gates(
    systems: Mapping[str, Rows], baseline: str, request: CompareRequest, options: Options
) -> tuple[significance.NonInferiority, ...]:
    """Whether each system is worse than the baseline by less than the margin, if that is asked."""
    if request.margin is None:
        return ()
    return tuple(
        significance.non_inferiority(
            systems[baseline],
            rows,
            request.margin,
            level=options.level,
            n=10_000 if options.n is None else options.n,
            resample=options.resample,
            seed=options.seed,
            unit=options.unit,
            names=(baseline, name),
            threads=request.evidence.threads,
        )
        for name, rows in systems.items()
        if name != baseline
    )


def _compare_runs(request: CompareRequest, evidence: Evidence, options: Options, listeners: Listeners) -> Findings:
    found = []
    for one in evidence.measures:
        runs = {name: [one.systems[label] for label in labels] for name, labels in request.runs}
        report = significance.compare_runs(
            runs, options, baseline=request.baseline, threads=request.evidence.threads, progress=listeners.draws
        )
        if not report.comparisons:
            raise InputError("there is one system only: give at least two to compare")
        # Where one run has to stand for its system, it is the one in the middle.
        median = {of.system: runs[of.system][of.median_run] for of in report.systems}
        gates = _gates(median, report.comparisons[0].baseline, request, options)
        found.append(MeasureFindings(one.measure, runs=report, non_inferiority=gates))
    return _findings(evidence, found)


def rank_systems(request: RankRequest, listeners: Listeners = SILENT) -> Findings:
    """Compare all pairs and order the systems."""
    evidence = gather(request.evidence, listeners.segments)
    options = replace(request.options, unit=evidence.units.unit)
    ranking = significance.rank(evidence.tables, options, threads=request.evidence.threads, progress=listeners.draws)
    pairs, places = (len(of) // len(evidence.measures) for of in (ranking.comparisons, ranking.ranking))
    found = [
        MeasureFindings(
            one.measure,
            ranking.comparisons[i * pairs : (i + 1) * pairs],
            ranking.ranking[i * places : (i + 1) * places],
        )
        for i, one in enumerate(evidence.measures)
    ]
    return _findings(evidence, found)


def plan(request: PowerRequest, listeners: Listeners = SILENT) -> Findings:
    """What the test set can show about each system and the baseline."""
    evidence = gather(request.evidence, listeners.segments)
    found = [MeasureFindings(one.measure, power=_powers(one, request, evidence.units)) for one in evidence.measures]
    return _findings(evidence, found)


def _powers(one: MeasureRows, request: PowerRequest, units: Units) -> tuple[PairPower, ...]:
    names = list(one.systems)
    baseline = names[0] if request.baseline is None else request.baseline
    if baseline not in names:
        raise InputError(f"there is no system {baseline!r}; there is: {', '.join(names)}")
    if len(names) < 2:
        raise InputError("there is one system only: power is that of a pair, or of --sd and --units")
    made = []
    for name in names:
        if name != baseline:
            deviation = significance.difference_deviation(one.systems[baseline], one.systems[name])
            if deviation == 0:
                raise InputError(
                    f"{baseline} and {name} differ alike in every {units.unit} under {one.measure.spec}, so nothing "
                    "can be planned from them: take systems like those to come, or assume --sd"
                )
            seen = abs(one.systems[name].score - one.systems[baseline].score)
            difference = request.difference if request.difference is not None else seen or None
            made.append(_pair_power(baseline, name, deviation, difference, request, units))
    return tuple(made)


def _pair_power(
    baseline: str, name: str, deviation: float, difference: float | None, request: PowerRequest, units: Units
) -> PairPower:
    power = significance.power(
        deviation, units.count, difference, level=request.level, power=request.power, unit=units.unit
    )
    needed = None if power.needed_units is None else ceil(power.needed_units * units.segments_each)
    return PairPower(baseline, name, power, needed)


def plan_assumed(
    deviation: float, units: int, *, unit: str = "segment", difference: float | None, level: float, power: float
) -> Findings:
    """What so many units can show if the differences of units have this standard deviation."""
    made = significance.power(deviation, units, difference, level=level, power=power, unit=unit)
    drawn = Units("document" if unit == "document" else "segment", units, units, "assumed")
    needed = made.needed_units if unit == "segment" else None
    measure = Measure("assumed", "assumed", "score", f"assumed|sd:{deviation:g}", None, higher_is_better=True)
    pair = PairPower("baseline", "system", made, needed)
    return _told(Findings((MeasureFindings(measure, power=(pair,)),), drawn, ()), made.warnings)


def _findings(evidence: Evidence, found: Iterable[MeasureFindings]) -> Findings:
    """The findings, with everything said about single comparisons said once for all."""
    measures = tuple(found)
    said: list[str] = []
    for of in measures:
        said += (text for one in of.comparisons for text in one.warnings)
        said += (text for one in ([] if of.runs is None else of.runs.comparisons) for text in one.warnings)
        said += (text for gate in of.non_inferiority for text in gate.warnings)
        said += (text for pair in of.power for text in pair.power.warnings)
    return _told(Findings(measures, evidence.units, evidence.warnings), said)


def _told(findings: Findings, said: Iterable[str]) -> Findings:
    told = tuple(Diagnostic("significance", text) for text in dict.fromkeys(said))
    return replace(findings, warnings=(*findings.warnings, *told))
