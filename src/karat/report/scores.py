"""ScoreSequence as tables: systems by metrics, test sets side by side, documents and segments one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.identity import distinct_names
from karat.registry import metric_class
from karat.report.numbers import bounds, digits_for, fixed
from karat.report.table import Cell, Table
from karat.scores import ScoreSequence
from karat.significance.confidence import percent

WIDEST = 8
"""More metrics than this do not fit beside each other."""

if TYPE_CHECKING:
    from karat.scores import PartScore, Score, TestSetScores


def order_systems(testsets: Sequence[TestSetScores], asked: Sequence[str], sort: str) -> list[str]:
    """Systems as given, by name, or best first by the mean over test sets of a metric that was asked for."""
    systems = list(dict.fromkeys(system for testset in testsets for system in testset.scores.systems))
    if sort == "given":
        return systems
    if sort == "name":
        return sorted(systems)
    if sort not in asked:
        raise InputError(f"there is nothing to sort by: {sort} was left out")
    position = asked.index(sort)
    scores = [
        testset.scores[system, testset.specs[position]] for testset in testsets for system in testset.scores.systems
    ]
    from statistics import fmean

    means = {system: fmean(score.score for score in scores if score.system == system) for system in systems}
    return sorted(means, key=lambda system: means[system], reverse=scores[0].higher_is_better)


def _first_scores(testset: TestSetScores) -> list[Score]:
    """One score of each metric asked for, for what is the same for all systems."""
    system = testset.scores.systems[0]
    return [testset.scores[system, spec] for spec in testset.specs]


def score_table(testsets: Sequence[TestSetScores], *, digits: int, systems: Sequence[str]) -> Table:
    """Systems down, metrics across, the best of each metric marked, signatures below."""
    (testset,) = testsets
    headings, columns = score_columns(testset, digits=digits, systems=systems)
    if len(headings) > WIDEST:
        return _tall_table(testset, columns, systems)
    return Table(
        headings=("System", *headings),
        rows=tuple((Cell(system), *(column[i] for column in columns)) for i, system in enumerate(systems)),
        notes=signature_notes(testset.scores),
    )


def score_columns(testset: TestSetScores, *, digits: int, systems: Sequence[str]) -> tuple[list[str], list[list[Cell]]]:
    """The heading and the cells of each metric, the best marked."""
    columns = [_column(testset.scores, spec, systems, digits) for spec in testset.specs]
    return _headings(_first_scores(testset)), columns


def _tall_table(testset: TestSetScores, columns: Sequence[Sequence[Cell]], systems: Sequence[str]) -> Table:
    """Metrics down, by family, and systems across: what many metrics need to be readable."""
    first = _first_scores(testset)
    families = [metric_class(score.metric).family for score in first]
    order = sorted(range(len(first)), key=lambda i: families[i])
    names = _headings(first)
    return Table(
        headings=("Family", "Metric", *systems),
        rows=tuple((Cell(families[i]), Cell(names[i]), *columns[i]) for i in order),
        notes=(*interval_notes(testset.scores), *_brief_signatures([first[i] for i in order])),
        sections=frozenset(at for at, i in enumerate(order) if at == 0 or families[i] != families[order[at - 1]]),
    )


def _brief_signatures(scores: Sequence[Score]) -> tuple[str, ...]:
    """What the signatures of one test set have in common, once, and what each has of its own besides its name."""
    signatures = [score.signature for score in scores]
    common = dict(
        item
        for item in signatures[0].fields.items()
        if all(item in signature.fields.items() for signature in signatures)
    )
    own = {}
    for score in scores:
        rest = {name: value for name, value in score.signature.fields.items() if name not in common}
        if rest or score.spec != score.metric:
            own[score.display_name] = _printed(score.spec, rest)
    ending = f"All signatures are the metric's name and {_printed('', common)}"
    return (
        f"{ending}, except that these begin:" if own else ending,
        *(f"{name}: {text}" for name, text in own.items()),
    )


def _printed(spec: str, fields: Mapping[str, str]) -> str:
    """Part of a signature, as signatures are printed."""
    return "|".join((spec, *(f"{name}:{value}" for name, value in fields.items())))


def _column(scores: ScoreSequence, spec: str, systems: Sequence[str], digits: int) -> list[Cell]:
    """The cells of one metric on one test set, the best marked; a system that is not there gets a dash."""
    scored = frozenset(scores.systems)
    of_systems = [scores[system, spec] if system in scored else None for system in systems]
    present = [score for score in of_systems if score is not None]
    values = [score.score for score in present]
    best = _best(values, higher_is_better=present[0].higher_is_better)
    shown = digits_for(present[0].identity, values, digits)
    return [Cell("–", number=True) if score is None else _score_cell(score, best, shown) for score in of_systems]


def _score_cell(score: Score, best: float | None, digits: int) -> Cell:
    """A score, with its interval where it has one."""
    cell = _cell(score.score, best, digits)
    if score.estimate is None:
        return cell
    interval = score.estimate.interval
    return replace(cell, text=f"{cell.text} {bounds(interval.low, interval.high, digits)}")


def _best(values: Sequence[float], *, higher_is_better: bool) -> float | None:
    """The best of several values; None where there is only one."""
    if len(values) < 2:
        return None
    return max(values) if higher_is_better else min(values)


def _cell(value: float, best: float | None, digits: int) -> Cell:
    return Cell(fixed(value, digits), best=value == best, number=True)


def _headings(scores: Sequence[Score]) -> list[str]:
    """The name of each metric and the direction in which it is better."""
    names = distinct_names([score.identity for score in scores])
    return [f"{name} {score.identity.arrow}" for name, score in zip(names, scores, strict=True)]


def signature_notes(scores: ScoreSequence) -> tuple[str, ...]:
    """How the intervals were made, and one line per signature, sacreBLEU's beside karat's where there is one."""
    notes: dict[str, None] = {}
    for score in scores:
        testset = f" [{score.testset}]" if score.testset else ""
        theirs = f"  (sacreBLEU: {score.sacrebleu_signature})" if score.sacrebleu_signature else ""
        notes[f"{score.display_name}{testset}: {score.signature}{theirs}"] = None
    return (*interval_notes(scores), *notes)


def interval_notes(scores: ScoreSequence) -> tuple[str, ...]:
    """How the intervals were made, if there are any."""
    notes: dict[str, None] = {}
    for score in scores:
        if (estimate := score.estimate) is not None:
            drawn = f"n = {estimate.n:,} {estimate.resample} resamples, seed {estimate.seed}"
            unit = f"unit: {estimate.unit} ({estimate.units:,})"
            notes[
                f"Intervals: {percent(estimate.interval.confidence)} %, {estimate.interval.method}, {drawn}; {unit}"
            ] = None
    return tuple(notes)


def testset_table(testsets: Sequence[TestSetScores], *, digits: int, systems: Sequence[str]) -> Table:
    """One table over many test sets: metric and system down, test sets across, and their mean."""
    rows: list[tuple[Cell, ...]] = []
    sections = set()
    for position, heading in enumerate(_headings(_first_scores(testsets[0]))):
        sections.add(len(rows))
        rows += _testset_rows(testsets, position, heading, systems, digits)
    headings = ("Metric", "System", *(testset.name or "" for testset in testsets), "Mean")
    every = ScoreSequence([score for testset in testsets for score in testset.scores])
    return Table(headings, tuple(rows), signature_notes(every), frozenset(sections))


def _testset_rows(
    testsets: Sequence[TestSetScores], position: int, heading: str, systems: Sequence[str], digits: int
) -> list[tuple[Cell, ...]]:
    columns = [_column(testset.scores, testset.specs[position], systems, digits) for testset in testsets]
    columns.append(_mean_column(testsets, position, systems, digits))
    return [(Cell(heading), Cell(system), *(column[i] for column in columns)) for i, system in enumerate(systems)]


def mean_columns(
    testsets: Sequence[TestSetScores], *, digits: int, systems: Sequence[str]
) -> tuple[list[str], list[list[Cell]]]:
    """The heading of each metric, and the means over test sets."""
    headings = _headings(_first_scores(testsets[0]))
    return headings, [_mean_column(testsets, position, systems, digits) for position in range(len(headings))]


def _mean_column(testsets: Sequence[TestSetScores], position: int, systems: Sequence[str], digits: int) -> list[Cell]:
    """The mean of each system over all test sets; a system that is not on all of them gets a dash."""
    from statistics import fmean

    in_column = [score for testset in testsets for score in testset.scores if score.spec == testset.specs[position]]
    shown = digits_for(in_column[0].identity, [score.score for score in in_column], digits)
    cells = []
    for system in systems:
        everywhere = all(system in testset.scores.systems for testset in testsets)
        scores = [testset.scores[system, testset.specs[position]].score for testset in testsets] if everywhere else []
        cells.append(_cell(fmean(scores), None, shown) if everywhere else Cell("–", number=True))
    return cells


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
        own = [part.score for part in parts if part.spec == first.spec]
        shown = digits_for(first.identity, own, digits)
        for name in names:
            values = [by_key[first.spec, name, system] for system in systems]
            best = _best(values, higher_is_better=first.higher_is_better)
            rows.append((Cell(label), Cell(name), *(_cell(value, best, shown) for value in values)))
    notes = signature_notes(testset.scores)
    return Table(("Metric", heading, *systems), tuple(rows), notes, frozenset(sections), testset.name or "")
