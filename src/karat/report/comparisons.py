"""Comparisons, rankings, runs and power as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from karat.report.sentences import p_value, sentences, test_name
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.findings import Findings, Measure, MeasureFindings, Units
    from karat.significance import Comparison, RunComparison

Line = tuple[Cell, ...]
UNIT_SCORES = "This test looks at the scores of each {unit} by itself; for most metrics their mean is not the score"
CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "none"}


def findings_table(findings: Findings, digits: int) -> Table:
    """The table of whatever was asked for, with what may be concluded and how it was found below."""
    first = findings.measures[0]
    headings: tuple[str, ...]
    if first.power:
        headings, lines = POWER_HEADINGS, _power_lines
    elif first.runs is not None:
        headings, lines = _run_headings(first.runs.comparisons[0]), _run_lines
    elif first.ranking:
        headings, lines = RANK_HEADINGS, _rank_lines
    else:
        headings, lines = _compare_headings(first.comparisons[0]), _compare_lines
    return _table(findings, headings, lines, digits)


def _table(
    findings: Findings,
    headings: Sequence[str],
    lines: Callable[[MeasureFindings, int], list[tuple[bool, Line]]],
    digits: int,
) -> Table:
    """One section per metric; a line says whether a rule goes before it."""
    rows: list[Line] = []
    sections = set()
    for of in findings.measures:
        sections.add(len(rows))
        for ruled, line in lines(of, digits):
            if ruled:
                sections.add(len(rows))
            rows.append((Cell(_heading(of.measure)), *line))
    return Table(
        ("Metric", *headings),
        tuple(rows),
        notes=notes(findings),
        sections=frozenset(sections),
        remarks=sentences(findings, digits),
    )


def _heading(measure: Measure) -> str:
    return f"{measure.display_name} {'↑' if measure.higher_is_better else '↓'}"


def number(value: float | None, digits: int) -> Cell:
    """A number, or a dash where there is none."""
    return Cell("–" if value is None else f"{value:.{digits}f}", number=True)


def stars(p: float | None, level: float) -> str:
    """One star at the level, two at a fifth of it, three at a fiftieth."""
    return "" if p is None else "*" * sum(p <= limit for limit in _limits(level))


def _limits(level: float) -> tuple[float, ...]:
    return level, level / 5, level / 50


def _starred(p: float | None, level: float) -> Cell:
    return Cell(f"{p_value(p)} {stars(p, level):<3}".rstrip() if p is not None else "–", number=True)


def _shares(one: Comparison) -> Cell:
    shares = (one.wins, one.losses, one.ties)
    return Cell("/".join(f"{100 * share:.1f}".removesuffix(".0") for share in shares), number=True)


def _interval_text(low: float, high: float, digits: int) -> Cell:
    return Cell(f"[{low:.{digits}f}, {high:.{digits}f}]", number=True)


def _adjusted(one: Comparison | RunComparison) -> bool:
    return one.correction != "none" and one.family > 1


def _compare_headings(one: Comparison) -> tuple[str, ...]:
    adjusted = (f"p ({CORRECTIONS[one.correction]})",) if _adjusted(one) else ()
    interval = f"{one.interval.level * 100:g} % interval"
    return ("System", "Score", "Difference", interval, "p", *adjusted, "W/L/T %", "Effect")


def _compare_lines(of: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    first = of.comparisons[0]
    scores = [first.baseline_score, *(one.score for one in of.comparisons)]
    best = max(scores) if first.higher_is_better else min(scores)
    adjusted = _adjusted(first)
    empty = [Cell("", number=True)] * (5 if adjusted else 4)
    base = (Cell(first.baseline), _score(first.baseline_score, best, digits), Cell("baseline", number=True), *empty)
    lines: list[tuple[bool, Line]] = [(False, base)]
    for one in of.comparisons:
        p = (Cell(p_value(one.p), number=True),) if adjusted else ()
        line = (
            *(Cell(one.system), _score(one.score, best, digits)),
            Cell(f"{one.difference:+.{digits}f}", number=True),
            _interval_text(one.interval.low, one.interval.high, digits),
            *(*p, _starred(one.p_adjusted, one.level)),
            *(_shares(one), number(one.effect_size, 2)),
        )
        lines.append((False, line))
    return lines


def _score(value: float, best: float, digits: int) -> Cell:
    return Cell(f"{value:.{digits}f}", best=value == best, number=True)


RANK_HEADINGS = ("Rank", "System", "Score", "Cluster", "To next", "p to next")


def _rank_lines(of: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    by_pair = {frozenset((one.baseline, one.system)): one for one in of.comparisons}
    lines: list[tuple[bool, Line]] = []
    for i, one in enumerate(of.ranking):
        ruled = i > 0 and one.cluster != of.ranking[i - 1].cluster
        below = of.ranking[i + 1] if i + 1 < len(of.ranking) else None
        pair = by_pair[frozenset((one.system, below.system))] if below else None
        line = (
            Cell(
                f"{one.rank_low}" if one.rank_low == one.rank_high else f"{one.rank_low}–{one.rank_high}", number=True
            ),
            Cell(one.system),
            Cell(f"{one.score:.{digits}f}", best=one.cluster == 1, number=True),
            Cell(str(one.cluster), number=True),
            number(abs(pair.difference) if pair else None, digits),
            _starred(pair.p_adjusted if pair else None, pair.level if pair else 0.05),
        )
        lines.append((ruled, line))
    return lines


def _run_headings(one: RunComparison) -> tuple[str, ...]:
    return (
        *(
            "System",
            "Runs",
            "Mean",
            "s_sel",
            "s_opt",
            "Median run",
            "Difference",
            f"{one.interval.level * 100:g} % interval",
        ),
        *("p, these runs", "p, over runs", "at best"),
    )


def _run_lines(of: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    if of.runs is None:
        return []
    by_system = {one.system: one for one in of.runs.comparisons}
    means = [one.mean for one in of.runs.systems]
    best = max(means) if of.measure.higher_is_better else min(means)
    lines: list[tuple[bool, Line]] = []
    for one in of.runs.systems:
        found = by_system.get(one.system)
        compared: Line = (Cell("baseline", number=True), *[Cell("", number=True)] * 4)
        if found is not None:
            compared = (
                Cell(f"{found.difference:+.{digits}f}", number=True),
                _interval_text(found.interval.low, found.interval.high, digits),
                _starred(found.p_these_runs_adjusted, found.level),
                _starred(found.p_over_runs_adjusted, found.level),
                Cell(p_value(found.p_over_runs_smallest), number=True),
            )
        line = (
            *(Cell(one.system), Cell(str(len(one.scores)), number=True), _score(one.mean, best, digits)),
            *(number(one.s_sel, digits), number(one.s_opt, digits), Cell(str(one.median_run + 1), number=True)),
            *compared,
        )
        lines.append((False, line))
    return lines


POWER_HEADINGS = ("Baseline", "System", "SD", "Units", "Detectable", "Difference", "Power", "Needs units", "Segments")


def _power_lines(of: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    lines: list[tuple[bool, Line]] = []
    for pair in of.power:
        found = pair.power
        line = (
            *(Cell(pair.baseline), Cell(pair.system), number(found.deviation, digits)),
            *(Cell(f"{found.units:,}", number=True), number(found.detectable, digits)),
            number(found.difference, digits),
            Cell("–" if found.reached is None else f"{found.reached:.0%}", number=True),
            Cell("–" if found.needed_units is None else f"{found.needed_units:,}", number=True),
            Cell("–" if pair.needed_segments is None else f"{pair.needed_segments:,}", number=True),
        )
        lines.append((False, line))
    return lines


def notes(findings: Findings) -> tuple[str, ...]:
    """How it was found: test, unit, draws, seed, correction, and the signatures."""
    first = findings.measures[0]
    made: list[str] = []
    if first.comparisons:
        made += _test_notes(findings, first.comparisons[0])
    elif first.runs is not None:
        made += _run_notes(findings.units, first.runs.comparisons[0])
    elif first.power:
        power = first.power[0].power
        made.append(
            f"Two-sided paired test at level {power.level:g}, power {power.power:g}; {_unit_note(findings.units)}. "
            "SD is the standard deviation of what one unit adds to the difference."
        )
    return (*made, *signature_notes(findings))


def signature_notes(findings: Findings) -> tuple[str, ...]:
    """One line per signature, sacreBLEU's beside karat's where there is one."""
    lines = []
    for of in findings.measures:
        measure = of.measure
        theirs = f"  (sacreBLEU: {measure.sacrebleu_signature})" if measure.sacrebleu_signature else ""
        lines.append(f"{measure.display_name}: {measure.signature}{theirs}")
    return tuple(dict.fromkeys(lines))


def _unit_note(units: Units) -> str:
    return f"unit: {units.unit} ({units.count:,}; {units.reason})"


def _test_notes(findings: Findings, one: Comparison) -> list[str]:
    draws = "" if one.n is None else f", n = {one.n:,}"
    found = [pair for of in findings.measures for pair in of.comparisons]
    methods = " or ".join(dict.fromkeys(pair.interval.method for pair in found))
    intervals = (
        f"Intervals: {one.interval.level * 100:g} %, {methods}, of {one.interval_n:,} {one.resample} resamples; "
        "W/L/T: shares of these that the system wins, loses and ties"
    )
    return [
        f"Test: {test_name(one.test, one.unit)}, two-sided{draws}, seed {one.seed}; {_unit_note(findings.units)}",
        *([UNIT_SCORES.format(unit=one.unit)] if one.test in ("permutation", "wilcoxon") else []),
        *([] if findings.measures[0].ranking else [intervals]),
        _correction_note(one),
    ]


def _run_notes(units: Units, one: RunComparison) -> list[str]:
    return [
        f"p, these runs: stratified randomisation, two-sided, n = {one.n:,}, seed {one.seed}; {_unit_note(units)}",
        "p, over runs: the runs' scores dealt to the two systems in all ways; 'at best' is the smallest it can be",
        f"s_sel: standard deviation over {one.interval_n:,} resampled test sets; s_opt: over the runs",
        _correction_note(one),
    ]


def _correction_note(one: Comparison | RunComparison) -> str:
    explained = ", ".join(f"{'*' * (i + 1)} at most {limit:g}" for i, limit in enumerate(_limits(one.level)))
    if one.correction == "none" or one.family == 1:
        which = "none" if one.correction == "none" else "none needed for one comparison"
        return f"Correction: {which}. p: {explained}"
    which = f"{CORRECTIONS[one.correction]} over {one.family} comparisons of each metric"
    return f"Correction: {which}. Corrected p: {explained}"
