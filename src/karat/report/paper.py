"""Tables as papers print them: systems down, metrics across, and all that a reader needs in a short caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.report.comparisons import (
    AGAINST_SCORE,
    CORRECTIONS,
    POOLED_SCORE,
    has_clusters,
    is_adjusted,
    paper_notes,
    star_limits,
    stars,
)
from karat.report.numbers import fixed, shown_measures
from karat.report.scores import WIDEST, mean_columns, score_columns, signature_notes
from karat.report.sentences import gate_sentences, test_name
from karat.report.table import Cell, Table
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from karat.findings import Findings, MeasureFindings
    from karat.scores import TestSetScores
    from karat.significance import Comparison

BEST = "Bold: best score."


def score_paper(testset: TestSetScores, *, digits: int, systems: Sequence[str]) -> Table:
    """The scores on one test set."""
    headings, columns = score_columns(testset, digits=digits, systems=systems)
    segments = max(score.segment_count for score in testset.scores)
    claims = [] if len(systems) < 2 else [BEST]
    if (estimate := next(iter(testset.scores)).estimate) is not None:
        claims.append(f"Brackets: {percent(estimate.interval.confidence)} % intervals.")
    return _paper(headings, systems, columns, _caption(testset.name, segments, claims), signature_notes(testset.scores))


def mean_paper(testsets: Sequence[TestSetScores], *, digits: int, systems: Sequence[str]) -> Table:
    """The means over several test sets, of the systems that are on all of them."""
    everywhere = [system for system in systems if all(system in testset.scores.systems for testset in testsets)]
    headings, columns = mean_columns(testsets, digits=digits, systems=everywhere)
    some_only = " Only systems that are on all of them." if len(everywhere) < len(systems) else ""
    return _paper(headings, everywhere, columns, f"Mean scores over {len(testsets)} test sets.{some_only}", ())


def comparison_paper(findings: Findings, digits: int) -> Table:
    """The scores of the baseline and of every system, with the marks of the differences from the baseline."""
    pairs = [pair for measure in findings.measures for pair in measure.comparisons]
    first = pairs[0]
    systems = [first.baseline, *(pair.system for pair in findings.measures[0].comparisons)]
    columns = [_compared_column(shown.findings, shown.digits) for shown in shown_measures(findings, digits)]
    claims = [_marks_claim(first), *_against_claim(pairs), BEST, *gate_sentences(findings, digits)]
    return _findings_paper(findings, systems, columns, claims)


def ranking_paper(findings: Findings, digits: int) -> Table:
    """The scores of all systems in the order of the first metric, the first cluster of each in bold."""
    systems = [place.system for place in findings.measures[0].ranking]
    columns = [_ranked_column(shown.findings, systems, shown.digits) for shown in shown_measures(findings, digits)]
    first = findings.measures[0].comparisons[0]
    claims = [f"Bold: the first cluster, each of whose systems beats every system outside it ({_test(first)})."]
    if not all(has_clusters(measure) for measure in findings.measures):
        claims.append("Nothing is bold where there is only one cluster.")
    return _findings_paper(findings, systems, columns, claims)


def _findings_paper(
    findings: Findings, systems: Sequence[str], columns: Sequence[Sequence[Cell]], claims: Sequence[str]
) -> Table:
    shown = shown_measures(findings, 0)
    headings = [measure.heading for measure in shown]
    pooled = [f"{POOLED_SCORE.format(count=findings.pooled_testsets)}."] if findings.pooled_testsets else []
    caption = _caption(findings.testset, findings.units.segments, [*pooled, *claims])
    return _paper(headings, systems, columns, caption, paper_notes(findings))


def _compared_column(measure: MeasureFindings, digits: int) -> list[Cell]:
    scores = {measure.comparisons[0].baseline: measure.comparisons[0].baseline_score}
    scores |= {pair.system: pair.score for pair in measure.comparisons}
    best = (max if measure.identity.higher_is_better else min)(scores.values())
    marks = {pair.system: _mark(pair) for pair in measure.comparisons}
    return [_score(score, digits, bold=score == best, mark=marks.get(system, "")) for system, score in scores.items()]


def _ranked_column(measure: MeasureFindings, systems: Sequence[str], digits: int) -> list[Cell]:
    places = {place.system: place for place in measure.ranking}
    several = has_clusters(measure)
    return [
        _score(places[system].score, digits, bold=several and places[system].cluster == 1, mark="")
        if system in places
        else Cell("–", number=True)
        for system in systems
    ]


def _score(score: float, digits: int, *, bold: bool, mark: str) -> Cell:
    return Cell(fixed(score, digits), best=bold, number=True, mark=mark)


def _mark(pair: Comparison) -> str:
    """Stars for a difference in favour of the better score, a dagger for one against it."""
    if pair.winner is None:
        return ""
    return AGAINST_SCORE if pair.against_score else stars(pair.p_adjusted, pair.alpha)


def _marks_claim(first: Comparison) -> str:
    limits = star_limits(first.alpha)
    marks = ", ".join("*" * (i + 1) for i in range(len(limits)))
    at_most = ", ".join(f"{limit:g}" for limit in limits)
    return f"{marks}: differs from {first.baseline} at p of at most {at_most} ({_test(first, with_alpha=False)})."


def _against_claim(pairs: Sequence[Comparison]) -> list[str]:
    if not any(pair.against_score for pair in pairs):
        return []
    return [f"{AGAINST_SCORE}: differs significantly, but in favour of the system with the worse score."]


def _test(pair: Comparison, *, with_alpha: bool = True) -> str:
    corrected = f", {CORRECTIONS[pair.correction]} correction" if is_adjusted(pair) else ""
    units = f" over {pair.units:,} {pair.unit}s"
    return f"{test_name(pair)}{units}{corrected}{f', p of at most {pair.alpha:g}' if with_alpha else ''}"


def _caption(testset: str | None, segments: int, claims: Sequence[str]) -> str:
    where = f"{testset}, {segments:,} segments" if testset else f"{segments:,} segments"
    return " ".join((f"Scores on {where}.", *claims))


def _paper(
    headings: Sequence[str],
    systems: Sequence[str],
    columns: Sequence[Sequence[Cell]],
    caption: str,
    notes: Sequence[str],
) -> Table:
    """Systems down and metrics across; the other way round where the metrics are too many for a line."""
    if len(headings) > max(WIDEST, len(systems)):
        rows = tuple((Cell(heading), *column) for heading, column in zip(headings, columns, strict=True))
        return Table(("Metric", *systems), rows, notes=tuple(notes), caption=caption)
    rows = tuple((Cell(system), *(column[i] for column in columns)) for i, system in enumerate(systems))
    return Table(("System", *headings), rows, notes=tuple(notes), caption=caption)


def comparable(findings: Findings) -> bool:
    """Whether all scores of a measure are of the same segments, so that one column can hold them."""
    return all(measure.shared is None and measure.unpaired is None for measure in findings.measures)
