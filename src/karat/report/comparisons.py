"""Comparisons, rankings, runs and power as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from karat.report.numbers import bounds, fixed, shown_measures
from karat.report.sentences import p_value, sentences, test_name
from karat.report.table import Cell, Line, Table
from karat.significance.confidence import percent
from karat.significance.paired import ON_UNIT_SCORES

if TYPE_CHECKING:
    from karat.evidence import Units
    from karat.findings import Findings, MeasureFindings
    from karat.report.numbers import ShownMeasure
    from karat.significance import Comparison, RunComparison

UNIT_SCORES = "This test looks at the scores of each {unit} by itself; their mean is not the score: {names}"
EFFECT = "Effect: the difference in standard deviations of what one {unit} adds to it"
DEVIATION = "SD is the standard deviation of what one unit adds to the difference"
POOLED_DEVIATION = (
    "SD: the standard error of the difference times the root of the number of units, for test sets of these sizes"
)
POOLED_SCORE = "Score: the mean over {count} test sets, which count alike whatever their sizes"
POOLED_UNITS = "The test takes the {unit}s of all test sets together: larger test sets weigh more"
AGAINST_SCORE = "†"
AGAINST_SCORES = f"{AGAINST_SCORE} significant, but in favour of the system that does not have the better score"
CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "none"}


def findings_table(findings: Findings, digits: int, *, one_of_several: bool = False) -> Table:
    """The table of whatever was asked for, with what may be concluded and how it was found below.

    One of several has the name of its test set.
    """
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
    return _table(findings, headings, lines, digits, one_of_several=one_of_several)


def _table(
    findings: Findings,
    headings: Sequence[str],
    lines: Callable[[MeasureFindings, int], list[tuple[bool, Line]]],
    digits: int,
    *,
    one_of_several: bool,
) -> Table:
    """One section per metric; a line says whether a rule goes before it."""
    rows: list[Line] = []
    sections = set()
    for shown in shown_measures(findings, digits):
        sections.add(len(rows))
        for ruled, line in lines(shown.findings, shown.digits):
            if ruled:
                sections.add(len(rows))
            rows.append((Cell(shown.heading), *line))
    return Table(
        ("Metric", *headings),
        tuple(rows),
        notes=notes(findings, digits, one_of_several=one_of_several),
        sections=frozenset(sections),
        title=findings.testset or "" if one_of_several else "",
        remarks=sentences(findings, digits),
    )


def number(value: float | None, digits: int) -> Cell:
    """A number, or a dash where there is none."""
    return Cell("–" if value is None else fixed(value, digits), number=True)


def stars(p: float | None, alpha: float) -> str:
    """One star at alpha, two at a fifth of it, three at a fiftieth."""
    return "" if p is None else "*" * sum(p <= limit for limit in star_limits(alpha))


def star_limits(alpha: float) -> tuple[float, ...]:
    """The p-values from which one, two and three stars are given."""
    return alpha, alpha / 5, alpha / 50


def _starred(p: float | None, alpha: float) -> Cell:
    return Cell(f"{p_value(p)} {stars(p, alpha):<3}".rstrip() if p is not None else "–", number=True)


def _marked(pair: Comparison) -> Cell:
    """The adjusted p with its stars, which stand for a difference in favour of the better score."""
    if pair.winner is None:
        return Cell(p_value(pair.p_adjusted), number=True)
    if pair.against_score:
        return Cell(f"{p_value(pair.p_adjusted)} {AGAINST_SCORE}", number=True)
    return _starred(pair.p_adjusted, pair.alpha)


def _shares(pair: Comparison) -> Cell:
    shares = (pair.wins, pair.losses, pair.ties)
    return Cell("/".join(f"{100 * share:.1f}".removesuffix(".0") for share in shares), number=True)


def is_adjusted(comparison: Comparison | RunComparison) -> bool:
    """Whether p was corrected for several comparisons."""
    return comparison.correction != "none" and comparison.family > 1


def _compare_headings(pair: Comparison) -> tuple[str, ...]:
    adjusted = (f"p ({CORRECTIONS[pair.correction]})",) if is_adjusted(pair) else ()
    interval = f"{percent(pair.interval.confidence)} % interval"
    return ("System", "Score", "Difference", interval, "p", *adjusted, "W/L/T %", "Effect")


def _compare_lines(measure: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    first = measure.comparisons[0]
    alike = len({pair.baseline_score for pair in measure.comparisons}) == 1
    scores = [first.baseline_score, *(pair.score for pair in measure.comparisons)] if alike else []
    best = (max if first.higher_is_better else min)(scores, default=None)
    adjusted = is_adjusted(first)
    empty = [Cell("", number=True)] * (5 if adjusted else 4)
    base_score = _score(first.baseline_score, best, digits) if alike else number(None, digits)
    base = (Cell(first.baseline), base_score, Cell("baseline", number=True), *empty)
    lines: list[tuple[bool, Line]] = [(False, base)]
    for pair in measure.comparisons:
        p = (Cell(p_value(pair.p), number=True),) if adjusted else ()
        line = (
            *(Cell(pair.system), _score(pair.score, best, digits)),
            Cell(fixed(pair.difference, digits, signed=True), number=True),
            Cell(bounds(pair.interval.low, pair.interval.high, digits), number=True),
            *(*p, _marked(pair)),
            *(_shares(pair), number(pair.effect_size, 2)),
        )
        lines.append((False, line))
    return lines


def _score(value: float, best: float | None, digits: int) -> Cell:
    return Cell(fixed(value, digits), best=value == best, number=True)


RANK_HEADINGS = ("Rank", "System", "Score", "Cluster", "To next", "p to next")


def _rank_lines(measure: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    by_pair = {frozenset((pair.baseline, pair.system)): pair for pair in measure.comparisons}
    several = has_clusters(measure)
    lines: list[tuple[bool, Line]] = []
    for i, place in enumerate(measure.ranking):
        ruled = i > 0 and place.cluster != measure.ranking[i - 1].cluster
        below = measure.ranking[i + 1] if i + 1 < len(measure.ranking) else None
        pair = by_pair[frozenset((place.system, below.system))] if below else None
        line = (
            Cell(
                f"{place.rank_low}" if place.rank_low == place.rank_high else f"{place.rank_low}–{place.rank_high}",
                number=True,
            ),
            Cell(place.system),
            Cell(fixed(place.score, digits), best=several and place.cluster == 1, number=True),
            Cell(str(place.cluster), number=True),
            number(measure.identity.sign * (place.score - below.score) if below else None, digits),
            _marked(pair) if pair else Cell("–", number=True),
        )
        lines.append((ruled, line))
    return lines


def has_clusters(measure: MeasureFindings) -> bool:
    """Whether there is a first cluster that stands out."""
    return any(place.cluster > 1 for place in measure.ranking)


def _run_headings(comparison: RunComparison) -> tuple[str, ...]:
    return (
        *(
            "System",
            "Runs",
            "Mean",
            "s_sel",
            "s_opt",
            "Median run",
            "Difference",
            f"{percent(comparison.interval.confidence)} % interval",
        ),
        *("p, these runs", "p, over runs", "at best"),
    )


def _run_lines(measure: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    if measure.runs is None:
        return []
    by_system = {comparison.system: comparison for comparison in measure.runs.comparisons}
    means = [runs.mean for runs in measure.runs.systems]
    best = max(means) if measure.identity.higher_is_better else min(means)
    lines: list[tuple[bool, Line]] = []
    for runs in measure.runs.systems:
        line = (
            *(Cell(runs.system), Cell(str(len(runs.scores)), number=True), _score(runs.mean, best, digits)),
            *(number(runs.s_sel, digits), number(runs.s_opt, digits), Cell(str(runs.median_run + 1), number=True)),
            *_run_difference(by_system.get(runs.system), digits),
        )
        lines.append((False, line))
    return lines


def _run_difference(comparison: RunComparison | None, digits: int) -> Line:
    """The cells of a system's difference to the baseline; the baseline itself has none."""
    if comparison is None:
        return (Cell("baseline", number=True), *[Cell("", number=True)] * 4)
    return (
        Cell(fixed(comparison.difference, digits, signed=True), number=True),
        Cell(bounds(comparison.interval.low, comparison.interval.high, digits), number=True),
        _starred(comparison.p_these_runs_adjusted, comparison.alpha),
        _starred(comparison.p_over_runs_adjusted, comparison.alpha),
        Cell(p_value(comparison.p_over_runs_smallest_adjusted), number=True),
    )


POWER_HEADINGS = ("Baseline", "System", "SD", "Units", "Detectable", "Difference", "Power", "Needs units", "Segments")


def _power_lines(measure: MeasureFindings, digits: int) -> list[tuple[bool, Line]]:
    lines: list[tuple[bool, Line]] = []
    for pair in measure.power:
        power = pair.power
        line = (
            *(Cell(pair.baseline), Cell(pair.system), number(power.deviation, digits)),
            *(Cell(f"{power.units:,}", number=True), number(power.detectable, digits)),
            number(power.difference, digits),
            Cell("–" if power.reached is None else _probability(power.reached), number=True),
            Cell("–" if power.needed_units is None else f"{power.needed_units:,}", number=True),
            Cell("–" if pair.needed_segments is None else f"{pair.needed_segments:,}", number=True),
        )
        lines.append((False, line))
    return lines


def _probability(value: float) -> str:
    """The probability to find a difference, which is never 1, and 0 only where units are too few for any test."""
    shown = f"{value:.0%}"
    if shown == "100%":
        return "> 99%"
    return "< 1%" if shown == "0%" and value > 0 else shown


def notes(findings: Findings, digits: int, *, one_of_several: bool = False) -> tuple[str, ...]:
    """How it was found: test, unit, draws, seed, correction, and the signatures."""
    first = findings.measures[0]
    shown = shown_measures(findings, digits)
    lines: list[str] = []
    place = (
        "" if not one_of_several else " on all test sets together" if findings.pooled_testsets else " on this test set"
    )
    if first.comparisons:
        lines += [*_test_notes(findings, shown), _correction_note(first.comparisons[0], place)]
    elif first.runs is not None:
        run_comparison = first.runs.comparisons[0]
        lines += [*_run_notes(findings.units, run_comparison), _correction_note(run_comparison, place)]
    elif first.power:
        lines += _power_notes(findings, shown)
    return (*lines, *signature_notes(shown))


def signature_notes(shown: Sequence[ShownMeasure]) -> tuple[str, ...]:
    """One line per signature, sacreBLEU's beside karat's where there is one."""
    lines = []
    for measure in shown:
        identity = measure.findings.identity
        theirs = f"  (sacreBLEU: {identity.sacrebleu_signature})" if identity.sacrebleu_signature else ""
        lines.append(f"{measure.name}: {identity.signature}{theirs}")
    return tuple(dict.fromkeys(lines))


def _unit_note(units: Units, tested: Iterable[int]) -> str:
    """What was drawn, how many of them each test had, and why it is this."""
    counts = sorted(set(tested))
    count = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"unit: {units.unit} ({count}; {units.reason})"


def _power_notes(findings: Findings, shown: Sequence[ShownMeasure]) -> list[str]:
    powers = [pair.power for measure in findings.measures for pair in measure.power]
    unit_note = _unit_note(findings.units, (power.units for power in powers))
    return [
        f"Two-sided paired test at level {powers[0].alpha:g}, power {powers[0].power:g}; {unit_note}. "
        f"{POOLED_DEVIATION if findings.pooled_testsets else DEVIATION}.",
        *_pool_notes(findings),
        *_shared_notes(findings, shown),
    ]


def paper_notes(findings: Findings) -> tuple[str, ...]:
    """How it was found, for a table of scores with marks alone."""
    shown = shown_measures(findings, 0)
    correction = _correction_note(findings.measures[0].comparisons[0], "")
    return (*_test_lines(findings, shown), *_unit_score_notes(shown), correction, *signature_notes(shown))


def _test_lines(findings: Findings, shown: Sequence[ShownMeasure]) -> Iterator[str]:
    """One line for each kind of test, with the measures that it is of where there are several."""
    kinds: dict[str, list[tuple[str, int]]] = {}
    for measure in shown:
        for pair in measure.findings.comparisons:
            kinds.setdefault(_test_kind(pair), []).append((measure.name, pair.units))
    for kind, tested in kinds.items():
        names = f" of {', '.join(dict.fromkeys(name for name, _ in tested))}" if len(kinds) > 1 else ""
        yield f"Test{names}: {kind}; {_unit_note(findings.units, (units for _, units in tested))}"


def _test_kind(pair: Comparison) -> str:
    sides = "p half of a two-sided one or less" if pair.test == "moses" else "two-sided"
    return f"{test_name(pair)}, {sides}{f', {pair.draws}' if pair.draws else ''}"


def _test_notes(findings: Findings, shown: Sequence[ShownMeasure]) -> list[str]:
    pairs = [pair for measure in findings.measures for pair in measure.comparisons]
    first = pairs[0]
    return [
        *_test_lines(findings, shown),
        *_unit_score_notes(shown),
        *([AGAINST_SCORES] if any(pair.against_score for pair in pairs) else []),
        *_shared_notes(findings, shown),
        *_pool_notes(findings),
        *([] if findings.measures[0].ranking else [_interval_note(pairs)]),
        *([EFFECT.format(unit=first.unit)] if _has_effects(findings) else []),
    ]


def _has_effects(findings: Findings) -> bool:
    """Whether the table shows effect sizes."""
    return not findings.measures[0].ranking and not findings.pooled_testsets


def _pool_notes(findings: Findings) -> Iterator[str]:
    """What a score is and what the test weighs, over several test sets together."""
    if not findings.pooled_testsets:
        return
    yield POOLED_SCORE.format(count=findings.pooled_testsets)
    pairs = findings.measures[0].comparisons
    if pairs and pairs[0].test in ON_UNIT_SCORES:
        yield POOLED_UNITS.format(unit=pairs[0].unit)


def _unit_score_notes(shown: Sequence[ShownMeasure]) -> Iterator[str]:
    """Under which measures a test on unit scores looks at something else than the score."""
    others = [
        measure.name
        for measure in shown
        if any(pair.test in ON_UNIT_SCORES and not pair.score_is_mean for pair in measure.findings.comparisons)
    ]
    if others:
        yield UNIT_SCORES.format(unit=shown[0].findings.comparisons[0].unit, names=", ".join(others))


def _shared_notes(findings: Findings, shown: Sequence[ShownMeasure]) -> Iterator[str]:
    """On how many segments systems were compared, where these are not all; measures that share them are named once."""
    names: dict[str, list[str]] = {}
    for measure in shown:
        for note in _shared_by(measure.findings, f"of {findings.units.segments:,} segments"):
            names.setdefault(note, []).append(measure.name)
    yield from (f"{', '.join(of_note)}: {note}" for note, of_note in names.items())
    yield from (note for measure in shown for note in _baseline_scores(measure))


def _shared_by(measure: MeasureFindings, total: str) -> Iterator[str]:
    if measure.unpaired is not None:
        yield f"unpaired, each system on whatever it has a score of: {_counts(measure.unpaired)} {total}"
    if measure.shared is None:
        return
    if measure.ranking:
        count = next(iter(measure.shared.values()))
        yield f"ranked on the {count:,} {total} that all systems have a score of"
    else:
        yield f"compared on what the system shares with the baseline: {_counts(measure.shared)} {total}"


def _counts(by_system: Mapping[str, int]) -> str:
    return ", ".join(f"{system} {count:,}" for system, count in by_system.items())


def _baseline_scores(shown: ShownMeasure) -> Iterator[str]:
    """The scores of the baseline, where it has several."""
    measure = shown.findings
    if measure.ranking or len({pair.baseline_score for pair in measure.comparisons}) < 2:
        return
    scores = ", ".join(
        f"{fixed(pair.baseline_score, shown.digits)} beside {pair.system}" for pair in measure.comparisons
    )
    yield f"{shown.name}: the score of {measure.comparisons[0].baseline} on the same segments: {scores}"


def _interval_note(pairs: Sequence[Comparison]) -> str:
    first = pairs[0]
    methods = " or ".join(dict.fromkeys(pair.interval.method for pair in pairs))
    # The seed of drawn flips or resamples is told with the test.
    seed = f", seed {first.seed}" if first.exact or first.n is None else ""
    return (
        f"Intervals: {percent(first.interval.confidence)} %, {methods}, of {first.interval_n:,} {first.resample} "
        f"resamples{seed}; W/L/T: shares of these that the system wins, loses and ties"
    )


def _run_notes(units: Units, comparison: RunComparison) -> list[str]:
    drawn = f"n = {comparison.n:,}, seed {comparison.seed}"
    draws = f"all {comparison.n:,} ways" if comparison.exact else drawn
    smallest = f"'at best' is the smallest it can be{' after the correction' if is_adjusted(comparison) else ''}"
    return [
        f"p, these runs: stratified randomisation, two-sided, {draws}; {_unit_note(units, [comparison.units])}",
        f"p, over runs: the runs' scores dealt to the two systems in all ways; {smallest}",
        f"s_sel: standard deviation over {comparison.interval_n:,} resampled test sets; s_opt: over the runs",
    ]


def _correction_note(comparison: Comparison | RunComparison, place: str) -> str:
    limits = ", ".join(f"{'*' * (i + 1)} at most {limit:g}" for i, limit in enumerate(star_limits(comparison.alpha)))
    if comparison.correction == "none" or comparison.family == 1:
        correction = "none" if comparison.correction == "none" else "none needed for one comparison"
        return f"Correction: {correction}. p: {limits}"
    correction = f"{CORRECTIONS[comparison.correction]} over {comparison.family} comparisons of each metric{place}"
    return f"Correction: {correction}. Corrected p: {limits}"
