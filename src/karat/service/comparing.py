"""Which differences between systems are real: against a baseline, between all pairs, over several runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import ceil
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from karat import significance
from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.evidence import Units, common_systems, pooled
from karat.findings import Findings, MeasureFindings, PairPower
from karat.identity import Identity
from karat.quick_dataclasses import dataclass
from karat.results.comparisons import CompareResult, PowerResult, RankResult
from karat.service.drawn import Drawn
from karat.service.listening import SILENT, Listeners
from karat.service.parts import on_testset
from karat.service.requests import EvidenceRequest
from karat.significance import Options
from karat.significance.paired import ON_UNIT_SCORES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.evidence import Evidence, Measure, Unit
    from karat.rows import Rows
    from karat.significance import Comparison

RUN = "{name}, run {number}"
"""What the runs of a system are called."""

UNPAIRED = "score them on the same segments, or ask for an unpaired comparison"


@dataclass(frozen=True, kw_only=True)
class CompareRequest:
    """Every system against the baseline (the first one if not named); a `margin` asks for non-inferiority, too.

    `margins` are those of single metrics, by spec or name; others have `margin`, and no gate where that is None.
    `runs` are the systems by name where one of them has several runs, each with the names of its runs. `unit` is None
    where documents are to be the units if they are known. `unpaired` compares systems on whatever each was scored on,
    instead of on the segments that both have.
    """

    evidence: EvidenceRequest
    unit: Unit | None = None
    unpaired: bool = False
    options: Options = field(default_factory=Options)
    baseline: str | None = None
    margin: float | None = None
    margins: tuple[tuple[str, float], ...] = ()
    runs: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, kw_only=True)
class RankRequest:
    """All pairs of systems, on the segments that all of them have unless they are `unpaired`."""

    evidence: EvidenceRequest
    unit: Unit | None = None
    unpaired: bool = False
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, kw_only=True)
class PowerRequest:
    """What the test set can show about each system and the baseline."""

    evidence: EvidenceRequest
    unit: Unit | None = None
    baseline: str | None = None
    difference: float | None = None
    alpha: float = 0.05
    power: float = 0.8


def compare_systems(request: CompareRequest, listeners: Listeners = SILENT) -> CompareResult:
    """Compare every system with the baseline, on every test set and over all of them."""
    return compare_evidence(request, gathered_evidence(request.evidence, listeners), listeners)


def compare_evidence(
    request: CompareRequest, gathered: Sequence[Evidence], listeners: Listeners = SILENT
) -> CompareResult:
    """Compare every system with the baseline by evidence that is there already; the baseline is one for all."""
    _refuse_without_segments(gathered)
    chosen = request if request.runs else replace(request, baseline=_common_baseline(gathered, request.baseline))
    _refuse_unpaired_units(request.options, unpaired=request.unpaired)
    _refuse_unknown_margins(request, gathered)
    parts = _on_each(gathered, lambda evidence: _compared(chosen, evidence, listeners))
    return CompareResult(parts=tuple(parts), warnings=_warnings(parts))


def rank_systems(request: RankRequest, listeners: Listeners = SILENT) -> RankResult:
    """Compare all pairs and order the systems, on every test set and over all of them."""
    return rank_evidence(request, gathered_evidence(request.evidence, listeners), listeners)


def rank_evidence(request: RankRequest, gathered: Sequence[Evidence], listeners: Listeners = SILENT) -> RankResult:
    """Compare all pairs and order the systems by evidence that is there already."""
    _refuse_without_segments(gathered)
    _refuse_unpaired_units(request.options, unpaired=request.unpaired)
    parts = _on_each(gathered, lambda evidence: _ranked(request, evidence, listeners))
    return RankResult(parts=tuple(parts), warnings=_warnings(parts))


def _on_each(gathered: Sequence[Evidence], work: Callable[[Evidence], Findings]) -> list[Findings]:
    """What the work finds on each test set; errors name it where there are several."""
    parts = []
    for evidence in gathered:
        with on_testset(evidence.testset, one_of_several=len(gathered) > 1):
            parts.append(work(evidence))
    return parts


def _refuse_without_segments(gathered: Sequence[Evidence]) -> None:
    """Refuse scores of whole systems: there is nothing that could be drawn."""
    for evidence in gathered:
        for measure in evidence.measures:
            if not measure.rows:
                raise InputError(f"{measure.name} has scores of whole systems only: differences are tested by segments")


def _refuse_unpaired_units(options: Options, *, unpaired: bool) -> None:
    """Refuse tests of unit scores where units are not paired: they see only those that both systems have."""
    if unpaired and options.test in ON_UNIT_SCORES:
        raise InputError(f"the test {options.test} pairs the scores of units: leave out unpaired, or take another test")


def plan(request: PowerRequest, listeners: Listeners = SILENT) -> PowerResult:
    """What each test set can show about each system and the baseline."""
    gathered = gathered_evidence(request.evidence, listeners)
    _refuse_without_segments(gathered)
    request = replace(request, baseline=_common_baseline(gathered, request.baseline))

    def planned(evidence: Evidence) -> Findings:
        drawn = Drawn.of(evidence, request.unit)
        baseline = _baseline(evidence, request.baseline)
        pairings = [_power_pairings(drawn, baseline, measure) for measure in evidence.measures]
        units = [pairing.unit for of_measure in pairings for pairing in of_measure]
        drawn = drawn.by(units).saying(_of_pairings(pairings))
        planned_measures = [
            _planned(request, drawn, baseline, *of_measure)
            for of_measure in zip(evidence.measures, pairings, strict=True)
        ]
        alike = [text for measure in planned_measures for text in _alike(drawn, baseline, measure)]
        if not any(measure.power for measure in planned_measures):
            raise InputError(f"{'; '.join(alike)}: take systems like those to come, or assume --sd")
        drawn = drawn.saying(Diagnostic("differ-alike", text) for text in alike)
        return drawn.findings(measure for measure in planned_measures if measure.power)

    parts = _on_each(gathered, planned)
    return PowerResult(parts=tuple(parts), warnings=_warnings(parts))


def plan_assumed(
    deviation: float, units: int, *, unit: str = "segment", difference: float | None, alpha: float, power: float
) -> PowerResult:
    """What so many units can show if the differences of units have this standard deviation."""
    if deviation == 0:
        raise InputError("units that all differ alike can show any difference: --sd must be more than 0")
    planned = significance.power(deviation, units, difference, alpha=alpha, power=power, unit=unit)
    drawn = Units("document" if unit == "document" else "segment", units, units, "assumed")
    needed = planned.needed_units if unit == "segment" else None
    identity = replace(Identity.of_scores("assumed"), display_name="score")
    identity = replace(identity, signature=identity.signature.with_details(sd=f"{deviation:g}"))
    pair = PairPower("baseline", "system", planned, needed)
    part = Findings((MeasureFindings(identity, power=(pair,)),), drawn)
    return PowerResult(parts=(part,), warnings=_warnings([part]))


def gathered_evidence(request: EvidenceRequest, listeners: Listeners) -> Sequence[Evidence]:
    """The evidence of every test set, and after several of them that of all together, if they share systems."""
    # Loaded where it is used: evidence that is there already needs no reader of files.
    from karat.service.gathering import gather

    gathered = gather(request, listeners)
    if len(gathered) == 1:
        return gathered
    common = common_systems(gathered)
    if len(common) > 1:
        together = pooled(gathered)
        together = replace(together, warnings=(*together.warnings, *_measured_somewhere(gathered)))
        return (*gathered, together) if together.measures else gathered
    subject = f"only {common[0]}" if common else "no system"
    reason = Diagnostic("not-pooled", f"{subject} is on all test sets, so there is no table of all together")
    first, *others = gathered
    return replace(first, warnings=(*first.warnings, reason)), *others


def _measured_somewhere(gathered: Sequence[Evidence]) -> Iterable[Diagnostic]:
    """A warning of metrics that are not on all test sets, and so not in what is said of all together."""
    specs = [dict(evidence.adapted) for evidence in gathered]
    some_only = dict.fromkeys(spec for known in specs for spec in known if not all(spec in other for other in specs))
    if some_only:
        names = ", ".join(some_only)
        yield Diagnostic("not-everywhere", f"metrics not on all test sets, so left out of all together: {names}")


def _compared(request: CompareRequest, evidence: Evidence, listeners: Listeners) -> Findings:
    drawn = Drawn.of(evidence, request.unit)
    options = replace(request.options, unit=drawn.units.unit)
    if request.runs:
        return drawn.findings(_compared_runs(request, drawn, options, listeners))
    baseline = _baseline(evidence, request.baseline)
    pairings = [_pairings(drawn, measure, baseline, unpaired=request.unpaired) for measure in evidence.measures]
    tables = [pairing.rows for of_measure in pairings for pairing in of_measure]
    families = [i for i, of_measure in enumerate(pairings) for _ in of_measure]
    units = [pairing.unit for of_measure in pairings for pairing in of_measure]
    drawn = drawn.by(units).saying(_of_pairings(pairings))
    compared = significance.compare(
        tables,
        options,
        baseline=baseline,
        families=families,
        units=units,
        threads=request.evidence.threads,
        progress=listeners.draws,
    )
    remaining = list(compared)
    findings = []
    for measure, of_measure in zip(evidence.measures, pairings, strict=True):
        count = sum(len(pairing.rows) - 1 for pairing in of_measure)
        comparisons = _in_order(evidence, remaining[:count])
        del remaining[:count]
        margin = _margin(request, measure.identity, evidence.specs)
        gates = () if margin is None else _in_order(evidence, _gates(of_measure, baseline, margin, request, options))
        shared = _shared(comparisons, of_measure, evidence.segment_count)
        unpaired = _own_segments(measure, evidence) if request.unpaired else None
        findings.append(
            MeasureFindings(measure.identity, comparisons, non_inferiority=gates, shared=shared, unpaired=unpaired)
        )
    return drawn.findings(findings)


def _own_segments(measure: Measure, evidence: Evidence) -> dict[str, int]:
    """How many segments each system has a score of."""
    return {name: int(measure.rows[name].known.sum()) for name in evidence.systems}


OfSystem = TypeVar("OfSystem", "Comparison", "significance.NonInferiority", PairPower)


def _in_order(evidence: Evidence, results: Iterable[OfSystem]) -> tuple[OfSystem, ...]:
    """In the order of the systems, whichever share the same segments with the baseline."""
    return tuple(sorted(results, key=lambda of_system: evidence.systems.index(of_system.system)))


def _common_baseline(gathered: Sequence[Evidence], asked: str | None) -> str | None:
    """The baseline asked for, or the first system that is on all test sets; None where there is none such."""
    return next(iter(common_systems(gathered)), None) if asked is None else asked


def _baseline(evidence: Evidence, asked: str | None) -> str:
    if asked is not None and asked not in evidence.systems:
        raise InputError(
            f"there is no system {asked!r} among those to compare: {', '.join(evidence.systems)}; where systems are "
            "listed, list the baseline with them"
        )
    return evidence.systems[0] if asked is None else asked


@dataclass(frozen=True)
class Pairing:
    """The rows of the baseline and of systems that share the same segments with it, how many, and what is drawn."""

    rows: dict[str, Rows]
    segments: int
    unit: Unit
    warnings: tuple[Diagnostic, ...]


def _pairings(
    drawn: Drawn, measure: Measure, baseline: str, *, unpaired: bool, remedy: str = UNPAIRED
) -> list[Pairing]:
    """Systems with the baseline, each on the segments that both have; `remedy` helps where there are none."""
    systems = [name for name in drawn.evidence.systems if name != baseline]
    everything = np.ones(drawn.evidence.segment_count, dtype=bool)
    by_mask: dict[bytes, tuple[NDArray[np.bool_], list[str]]] = {}
    for name in systems:
        kept = everything if unpaired else measure.known([baseline, name])
        if not kept.any():
            raise InputError(_nothing_shared(measure, [baseline, name], remedy))
        by_mask.setdefault(kept.tobytes(), (kept, []))[1].append(name)
    if not systems:
        raise InputError("there is one system only: give at least two to compare")
    made = []
    for kept, names in by_mask.values():
        paired = [baseline, *names]
        masks = [measure.known([name]) for name in paired] if unpaired else [kept]
        unit, warnings = drawn.unit_on(masks, _subject(measure, paired, unpaired=unpaired))
        rows = drawn.grouped(measure.for_systems(paired), kept, unit)
        made.append(Pairing(rows, int(kept.sum()), unit, warnings))
    return made


def _subject(measure: Measure, names: Sequence[str], *, unpaired: bool) -> str:
    """The segments that are looked at, where not all systems have a score of all."""
    if unpaired:
        return f"all segments that one of {', '.join(names)} has a score of under {measure.name}"
    return f"all segments that {_and(names)} have a score of under {measure.name}"


def _and(names: Sequence[str]) -> str:
    """Names as a sentence lists them."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def _nothing_shared(measure: Measure, names: Sequence[str], remedy: str = UNPAIRED) -> str:
    quoted = _and([repr(name) for name in names])
    return f"{quoted} share no segment with a score under {measure.name}, so nothing can be paired: {remedy}"


def _of_pairings(pairings: Iterable[Sequence[Pairing]]) -> Iterable[Diagnostic]:
    """What is to be said of the units of all pairings."""
    return (warning for of_measure in pairings for pairing in of_measure for warning in pairing.warnings)


def _shared(
    results: Sequence[Comparison] | Sequence[PairPower], pairings: Sequence[Pairing], segments: int
) -> dict[str, int] | None:
    """How many segments each system shares with the baseline, where these are not all."""
    counts = {name: pairing.segments for pairing in pairings for name in pairing.rows}
    if all(count == segments for count in counts.values()):
        return None
    return {of_system.system: counts[of_system.system] for of_system in results}


def _refuse_unknown_margins(request: CompareRequest, gathered: Sequence[Evidence]) -> None:
    """Refuse a margin of a metric that is not there."""
    identities = [measure.identity for evidence in gathered for measure in evidence.measures]
    known = {name: None for identity in identities for name in (identity.spec, identity.metric)}
    for name, _ in request.margins:
        if name not in known:
            raise InputError(f"--non-inferior {name}=...: there is no such metric here; there is: {', '.join(known)}")


def _margin(request: CompareRequest, identity: Identity, specs: Sequence[str]) -> float | None:
    """The margin of a metric: that of its spec, or of its name if no other has this for a spec, or of all."""
    by_name = dict(request.margins)
    by_metric = None if identity.metric in specs else by_name.get(identity.metric)
    return by_name.get(identity.spec, request.margin if by_metric is None else by_metric)


def _gates(
    pairings: Sequence[Pairing], baseline: str, margin: float, request: CompareRequest, options: Options
) -> Iterable[significance.NonInferiority]:
    """Whether each system is worse than the baseline by less than the margin."""
    for pairing in pairings:
        of_units = replace(options, unit=pairing.unit)
        for name, rows in pairing.rows.items():
            if name != baseline:
                yield _gate({baseline: pairing.rows[baseline], name: rows}, margin, request, of_units)


def _gate(
    systems: Mapping[str, Rows | Sequence[Rows]], margin: float, request: CompareRequest, options: Options
) -> significance.NonInferiority:
    """Whether the second system, or its runs on average, are worse than the first by less than the margin."""
    (baseline, first), (name, second) = systems.items()
    return significance.non_inferiority(
        first,
        second,
        margin,
        alpha=options.alpha,
        n=10_000 if options.n is None else options.n,
        resample=options.resample,
        seed=options.seed,
        unit=options.unit,
        names=(baseline, name),
        threads=request.evidence.threads,
    )


def _compared_runs(
    request: CompareRequest, drawn: Drawn, options: Options, listeners: Listeners
) -> Iterable[MeasureFindings]:
    for measure in drawn.evidence.measures:
        rows = drawn.grouped(measure)
        runs = {name: [rows[label] for label in labels] for name, labels in request.runs}
        report = significance.compare_runs(
            runs, options, baseline=request.baseline, threads=request.evidence.threads, progress=listeners.draws
        )
        if not report.comparisons:
            raise InputError("there is one system only: give at least two to compare")
        margin = _margin(request, measure.identity, drawn.evidence.specs)
        gates = [
            _gate({pair.baseline: runs[pair.baseline], pair.system: runs[pair.system]}, margin, request, options)
            for pair in report.comparisons
            if margin is not None
        ]
        yield MeasureFindings(measure.identity, runs=report, non_inferiority=tuple(gates))


def _ranked(request: RankRequest, evidence: Evidence, listeners: Listeners) -> Findings:
    drawn = Drawn.of(evidence, request.unit)
    of_measures = []
    # Metrics over as many units share draws.
    by_units: dict[tuple[Unit, int], list[tuple[Measure, dict[str, Rows], int]]] = {}
    for measure in evidence.measures:
        kept = np.ones(evidence.segment_count, dtype=bool) if request.unpaired else measure.known(evidence.systems)
        if not kept.any():
            raise InputError(_nothing_shared(measure, evidence.systems))
        masks = [measure.known([name]) for name in evidence.systems] if request.unpaired else [kept]
        unit, warnings = drawn.unit_on(masks, _subject(measure, evidence.systems, unpaired=request.unpaired))
        drawn = drawn.saying(warnings)
        rows = drawn.grouped(measure, kept, unit)
        by_units.setdefault((unit, len(next(iter(rows.values())))), []).append((measure, rows, int(kept.sum())))
    drawn = drawn.by([unit for unit, _ in by_units])
    for (unit, _), group in by_units.items():
        options = replace(request.options, unit=unit)
        ranking = significance.rank(
            [rows for _, rows, _ in group], options, threads=request.evidence.threads, progress=listeners.draws
        )
        pairs, places = (len(of_all) // len(group) for of_all in (ranking.comparisons, ranking.ranking))
        for i, (measure, _, segments) in enumerate(group):
            comparisons = ranking.comparisons[i * pairs : (i + 1) * pairs]
            places_here = ranking.ranking[i * places : (i + 1) * places]
            whole = segments == evidence.segment_count
            shared = None if whole else dict.fromkeys(evidence.systems, segments)
            unpaired = _own_segments(measure, evidence) if request.unpaired else None
            of_measures.append(
                MeasureFindings(measure.identity, comparisons, places_here, shared=shared, unpaired=unpaired)
            )
    order = {measure.name: i for i, measure in enumerate(evidence.measures)}
    return drawn.findings(sorted(of_measures, key=lambda of_measure: order[of_measure.identity.spec]))


def _power_pairings(drawn: Drawn, baseline: str, measure: Measure) -> list[Pairing]:
    if len(drawn.evidence.systems) < 2:
        raise InputError("there is one system only: power is that of a pair, or of --sd and --units")
    return _pairings(drawn, measure, baseline, unpaired=False, remedy="score them on the same segments")


def _planned(
    request: PowerRequest, drawn: Drawn, baseline: str, measure: Measure, pairings: Sequence[Pairing]
) -> MeasureFindings:
    """What the segments that each system shares with the baseline can show."""
    evidence = drawn.evidence
    powers = _in_order(evidence, (pair for pairing in pairings for pair in _powers(request, drawn, baseline, pairing)))
    return MeasureFindings(measure.identity, power=powers, shared=_shared(powers, pairings, evidence.segment_count))


def _alike(drawn: Drawn, baseline: str, measure: MeasureFindings) -> Iterable[str]:
    """From which systems nothing can be planned, because they differ from the baseline alike in every unit."""
    planned = {baseline, *(pair.system for pair in measure.power)}
    names = ", ".join(name for name in drawn.evidence.systems if name not in planned)
    if names:
        yield (
            f"nothing can be planned from {names}: differs from {baseline} alike in every {drawn.units.unit} under "
            f"{measure.identity.spec}"
        )


def _powers(request: PowerRequest, drawn: Drawn, baseline: str, pairing: Pairing) -> Iterable[PairPower]:
    """The power of each pair whose units do not all differ alike: from these nothing can be planned."""
    first = pairing.rows[baseline]
    segments = drawn.evidence.grouped_segments or pairing.segments
    units = replace(drawn.units, unit=pairing.unit, count=len(first), segments=segments)
    for name, rows in pairing.rows.items():
        if name == baseline or (deviation := significance.difference_deviation(first, rows)) == 0:
            continue
        seen = abs(rows.score - first.score)
        difference = request.difference if request.difference is not None else seen or None
        power = significance.power(
            deviation, units.count, difference, alpha=request.alpha, power=request.power, unit=units.unit
        )
        needed = None if power.needed_units is None else ceil(power.needed_units * units.segments_each)
        yield PairPower(baseline, name, power, needed, (first.score, rows.score))


def _warnings(parts: Sequence[Findings]) -> tuple[Diagnostic, ...]:
    """All that is to be said, everything about single comparisons once for all."""
    warnings = dict.fromkeys(warning for part in parts for warning in part.warnings)
    said = dict.fromkeys(text for part in parts for of_measure in part.measures for text in of_measure.warnings())
    return (*warnings, *(Diagnostic("significance", text) for text in said))
