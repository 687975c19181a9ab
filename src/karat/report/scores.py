"""Scores as tables: systems by metrics, test sets side by side, documents and segments one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.registry import metric_class
from karat.report.table import Cell, Table
from karat.results import direction

WIDEST = 8
"""More metrics than this do not fit beside each other."""

if TYPE_CHECKING:
    from karat.results import PartScore, Score, ScoreReport, Scores, TestSetScores


def order_systems(report: ScoreReport, sort: str) -> list[str]:
    """Systems as given, by name, or best first by the mean over test sets of a metric that was asked for."""
    if sort == "given":
        return list(report.systems)
    if sort == "name":
        return sorted(report.systems)
    if sort not in report.asked:
        raise InputError(f"there is nothing to sort by: {sort} was left out")
    position = report.asked.index(sort)
    found = [
        testset.scores[system, testset.specs[position]]
        for testset in report.testsets
        for system in testset.scores.systems
    ]
    means = {system: fmean(score.score for score in found if score.system == system) for system in report.systems}
    return sorted(means, key=lambda system: means[system], reverse=found[0].higher_is_better)


def _first_scores(testset: TestSetScores) -> list[Score]:
    """One score of each metric asked for, for what is the same for all systems."""
    system = testset.scores.systems[0]
    return [testset.scores[system, spec] for spec in testset.specs]


def score_table(report: ScoreReport, *, digits: int, systems: Sequence[str]) -> Table:
    """Systems down, metrics across, the best of each metric marked, signatures below."""
    (testset,) = report.testsets
    columns = [_column(testset.scores, spec, systems, digits) for spec in testset.specs]
    first = _first_scores(testset)
    if len(first) > WIDEST:
        return _tall_table(report, columns, systems)
    return Table(
        headings=("System", *_headings(first)),
        rows=tuple((Cell(system), *(column[i] for column in columns)) for i, system in enumerate(systems)),
        notes=signature_notes(report.scores),
    )


def _tall_table(report: ScoreReport, columns: Sequence[Sequence[Cell]], systems: Sequence[str]) -> Table:
    """Metrics down, by family, and systems across: what many metrics need to be readable."""
    first = _first_scores(report.testsets[0])
    families = [metric_class(score.metric).family for score in first]
    order = sorted(range(len(first)), key=lambda i: families[i])
    names = _headings(first)
    return Table(
        headings=("Family", "Metric", *systems),
        rows=tuple((Cell(families[i]), Cell(names[i]), *columns[i]) for i in order),
        notes=(*interval_notes(report.scores), *_brief_signatures([first[i] for i in order])),
        sections=frozenset(at for at, i in enumerate(order) if at == 0 or families[i] != families[order[at - 1]]),
    )


def _brief_signatures(scores: Sequence[Score]) -> tuple[str, ...]:
    """What the signatures of one test set have in common, once, and what each has of its own besides its name."""
    parts = [score.signature.split("|") for score in scores]
    common = [part for part in parts[0][1:] if all(part in others for others in parts)]
    own = {
        score.display_name: "|".join(part for part in mine if part not in common)
        for score, mine in zip(scores, parts, strict=True)
        if mine[: -len(common)] != [score.metric]
    }
    ending = f"All signatures are the metric's name and |{'|'.join(common)}"
    return (
        f"{ending}, except that these begin:" if own else ending,
        *(f"{name}: {text}" for name, text in own.items()),
    )


def _column(scores: Scores, spec: str, systems: Sequence[str], digits: int) -> list[Cell]:
    """The cells of one metric on one test set, the best marked; a system that is not there gets a dash."""
    found = [scores[system, spec] if system in scores.systems else None for system in systems]
    values = [score.score for score in found if score is not None]
    best = _best(values, higher_is_better=next(score.higher_is_better for score in found if score is not None))
    return [Cell("–", number=True) if score is None else _score_cell(score, best, digits) for score in found]


def _score_cell(score: Score, best: float | None, digits: int) -> Cell:
    """A score, with its interval where it has one."""
    cell = _cell(score.score, best, digits)
    if score.estimate is None:
        return cell
    interval = score.estimate.interval
    return replace(cell, text=f"{cell.text} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]")


def _best(values: Sequence[float], *, higher_is_better: bool) -> float | None:
    """The best of several values; nobody wins alone."""
    if len(values) < 2:
        return None
    return max(values) if higher_is_better else min(values)


def _cell(value: float, best: float | None, digits: int) -> Cell:
    return Cell(f"{value:.{digits}f}", best=value == best, number=True)


def _headings(scores: Sequence[Score]) -> list[str]:
    """The name of each metric and the direction in which it is better; the spec where a name is not enough."""
    names = [score.display_name for score in scores]
    return [
        f"{score.spec if names.count(score.display_name) > 1 else score.display_name} {direction(score)}"
        for score in scores
    ]


def signature_notes(scores: Scores) -> tuple[str, ...]:
    """One line per distinct signature, sacreBLEU's beside karat's where there is one."""
    notes: dict[str, None] = {}
    for score in scores:
        testset = f" [{score.testset}]" if score.testset else ""
        theirs = f"  (sacreBLEU: {score.sacrebleu_signature})" if score.sacrebleu_signature else ""
        notes[f"{score.display_name}{testset}: {score.signature}{theirs}"] = None
    return (*interval_notes(scores), *notes)


def interval_notes(scores: Scores) -> tuple[str, ...]:
    """How the intervals were made, if there are any."""
    notes: dict[str, None] = {}
    for score in scores:
        if (found := score.estimate) is not None:
            drawn = f"n = {found.n:,} {found.resample} resamples, seed {found.seed}"
            unit = f"unit: {found.unit} ({found.units:,})"
            notes[f"Intervals: {found.interval.level * 100:g} %, {found.interval.method}, {drawn}; {unit}"] = None
    return tuple(notes)


def testset_table(report: ScoreReport, *, digits: int, systems: Sequence[str]) -> Table:
    """One table over many test sets: metric and system down, test sets across, and their mean."""
    rows: list[tuple[Cell, ...]] = []
    sections = set()
    for position, heading in enumerate(_headings(_first_scores(report.testsets[0]))):
        sections.add(len(rows))
        rows += _testset_rows(report.testsets, position, heading, systems, digits)
    headings = ("Metric", "System", *(testset.name or "" for testset in report.testsets), "Mean")
    return Table(headings, tuple(rows), signature_notes(report.scores), frozenset(sections))


def _testset_rows(
    testsets: Sequence[TestSetScores], position: int, heading: str, systems: Sequence[str], digits: int
) -> list[tuple[Cell, ...]]:
    columns = [_column(testset.scores, testset.specs[position], systems, digits) for testset in testsets]
    rows = []
    for i, system in enumerate(systems):
        everywhere = all(system in testset.scores.systems for testset in testsets)
        scores = [testset.scores[system, testset.specs[position]].score for testset in testsets] if everywhere else []
        mean = _cell(fmean(scores), None, digits) if everywhere else Cell("–", number=True)
        rows.append((Cell(heading), Cell(system), *(column[i] for column in columns), mean))
    return rows


def part_table(
    parts: Sequence[PartScore], testset: TestSetScores, *, heading: str, digits: int, systems: Sequence[str]
) -> Table:
    """Documents or segments down, systems across, one section per metric."""
    by_key = {(part.spec, part.part, part.system): part.score for part in parts}
    names = list(dict.fromkeys(part.part for part in parts))
    rows: list[tuple[Cell, ...]] = []
    sections = set()
    first_scores = _first_scores(testset)
    for first, label in zip(first_scores, _headings(first_scores), strict=True):
        sections.add(len(rows))
        for name in names:
            values = [by_key[first.spec, name, system] for system in systems]
            best = _best(values, higher_is_better=first.higher_is_better)
            rows.append((Cell(label), Cell(name), *(_cell(value, best, digits) for value in values)))
    notes = signature_notes(testset.scores)
    return Table(("Metric", heading, *systems), tuple(rows), notes, frozenset(sections), testset.name or "")
