"""What people said, as tables: systems, pairs, agreement, raters, errors, domains and documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat.report.comparisons import number
from karat.report.numbers import MORE_DIGITS, bounds, fixed
from karat.report.sentences import p_value
from karat.report.table import Cell, Line, Table
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from karat.human.results import CriterionResult, PairResult, SystemResult
    from karat.human.scales.quality import RaterQuality

PARTS = ("systems", "pairs", "agreement", "raters", "errors", "domains", "documents")
DEFAULT_PARTS = ("systems", "agreement", "raters", "errors")
ERRORS_SHOWN = 6
RATERS_SHOWN = 25


def human_tables(
    criteria: Sequence[CriterionResult], sheet: Sequence[Mapping[str, Any]], parts: Sequence[str], digits: int
) -> Iterator[Table]:
    """The tables asked for, criterion by criterion; parts without content are left out."""
    makers: dict[str, Callable[[CriterionResult, int], Table]] = {
        "systems": systems_table,
        "pairs": pairs_table,
        "agreement": agreement_table,
        "raters": raters_table,
        "errors": errors_table,
        "domains": domains_table,
        "documents": documents_table,
    }
    for criterion in criteria:
        for part in parts:
            table = makers[part](criterion, digits)
            if table.rows:
                yield table
    if sheet:
        yield _sheet_table(sheet)


def _digits(criterion: CriterionResult, digits: int) -> int:
    """How many digits scores have where those of a scale up to 100 have `digits`: more where none can be above 1.

    Only scores are known here, no scale; penalties may be small on any, and standardised values have none.
    """
    standardised = criterion.kind == "scale" and criterion.systems[0].raw is None
    if criterion.kind == "errors" or standardised:
        return digits
    scores = [result.score if result.raw is None else result.raw for result in criterion.systems]
    return digits + MORE_DIGITS if max(map(abs, scores), default=2) <= 1 else digits


def _title(criterion: CriterionResult, what: str = "") -> str:
    pair = f", {criterion.language_pair}" if criterion.language_pair else ""
    pair += "" if criterion.level == "segment" else f", {criterion.level} level"
    arrow = "↑" if criterion.higher_is_better else "↓"
    return (
        f"{what}: {criterion.criterion}{pair}" if what else f"{criterion.protocol}: {criterion.criterion} {arrow}{pair}"
    )


def systems_table(criterion: CriterionResult, digits: int) -> Table:
    """Every system with its score, interval, ranks and cluster; once more without the raters who were left out."""
    columns, digits = _columns(criterion, digits), _digits(criterion, digits)
    again = {result.system: result for result in criterion.without}
    best = criterion.systems[0].cluster
    rows, sections = [], set()
    for i, result in enumerate(criterion.systems):
        if i and result.cluster != criterion.systems[i - 1].cluster:
            sections.add(i)
        line = [
            Cell(_ranks(result), number=True),
            Cell(result.system, best=result.ranked and result.cluster == best),
            *(cell(result, digits) for _, cell in columns),
        ]
        if again:
            line += _again(again.get(result.system), digits)
        rows.append(tuple(line))
    extra = ("Rank*", "Score*") if again else ()
    remarks = [f"* without {', '.join(criterion.left_out)}"] if again else []
    return Table(
        ("Rank", "System", *(name for name, _ in columns), *extra),
        tuple(rows),
        notes=tuple(_sentence(said) for said in (criterion.method, *(note.message for note in criterion.notes))),
        sections=frozenset(sections),
        title=_title(criterion),
        remarks=tuple(remarks),
    )


def _sentence(said: str) -> str:
    return said[:1].upper() + said[1:]


def _again(result: SystemResult | None, digits: int) -> list[Cell]:
    if result is None:
        return [Cell("–", number=True), Cell("–", number=True)]
    return [Cell(_ranks(result), number=True), number(result.score, digits)]


def _ranks(result: SystemResult) -> str:
    low, high = result.rank_low, result.rank_high
    if not result.ranked:
        return "–"
    return f"{low}" if low == high else f"{low}–{high}"


def _columns(criterion: CriterionResult, usual: int) -> list[tuple[str, Any]]:
    """The columns that the kind of judgement calls for, each with what makes its cell; `usual` is for other scales."""

    def detail(name: str, places: int | None = None) -> Any:
        return lambda result, digits: number(result.details.get(name), digits if places is None else places)

    def value(name: str, places: int | None = None) -> Any:
        return lambda result, digits: number(getattr(result, name), digits if places is None else places)

    columns: list[tuple[str, Any]] = [("n", lambda result, _: Cell(f"{result.n:,}", number=True))]
    if criterion.kind == "pairs":
        columns += [
            ("W", detail("wins", 0)),
            ("L", detail("losses", 0)),
            ("T", detail("ties", 0)),
            ("W/(W+L)", detail("win_share")),
        ]
        name = "TrueSkill" if criterion.preset else "Exp. wins"
        columns += [(name, value("score")), (_interval_heading(criterion), _interval)]
        others = (("Exp. wins", "expected_wins"),) if criterion.preset else (("TrueSkill", "trueskill"),)
        return [*columns, ("B-T", detail("bradley_terry")), *((title, detail(key)) for title, key in others)]
    if not criterion.without:
        columns += [("Items", lambda result, _: Cell(f"{result.items:,}", number=True))]
    standard = criterion.systems[0].raw is None
    ranked_by_z = criterion.preset in ("wmt21", "wmt22")
    name = {"errors": "Penalty", "effort": "HTER" if criterion.criterion == "hter" else "s/word"}.get(
        criterion.kind, "Mean"
    )
    if not standard:
        columns += [(name, value("raw"))]
    columns += [(_interval_heading(criterion), _interval)]
    columns += [("z", value("score" if ranked_by_z or standard else "z", usual))]
    if any(result.normalised is not None for result in criterion.systems) and criterion.kind == "scale":
        columns += [("0–1", value("normalised", usual + MORE_DIGITS))]
    if any(result.model is not None for result in criterion.systems):
        columns += [("Model", _model)]
    if criterion.kind == "effort":
        seconds = "s/word" if name == "HTER" else "Total s/word"
        columns += [(seconds, detail("seconds_per_word")), ("Keys/word", detail("keystrokes_per_word"))]
    if any("time_saved" in result.details for result in criterion.systems):
        columns += [("Time saved", _time_saved)]
    return columns


def _time_saved(result: SystemResult, _: int) -> Cell:
    """The share in percent, with its interval."""
    if "time_saved" not in result.details:
        return Cell("–", number=True)
    share = f"{fixed(100 * result.details['time_saved'], 1)} %"
    if "time_saved_interval" not in result.details:
        return Cell(share, number=True)
    low, high = result.details["time_saved_interval"]
    return Cell(f"{share} {bounds(100 * low, 100 * high, 1)}", number=True)


def _model(result: SystemResult, digits: int) -> Cell:
    if result.model is None:
        return Cell("–", number=True)
    error = "unknown" if result.model_error is None else f"{result.model_error:.{digits}f}"
    return Cell(f"{fixed(result.model, digits)} ± {error}", number=True)


def _interval_heading(criterion: CriterionResult) -> str:
    interval = next((result.interval for result in criterion.systems if result.interval is not None), None)
    return f"{percent(interval.confidence)} % interval" if interval else "Interval"


def _interval(result: SystemResult, digits: int) -> Cell:
    interval = result.interval
    return Cell("–" if interval is None else bounds(interval.low, interval.high, digits), number=True)


def pairs_table(criterion: CriterionResult, digits: int) -> Table:
    """Every pair of systems on the segments that both have, and which of both is better where the test tells."""
    columns = _pair_columns(criterion, _digits(criterion, digits))
    rows = tuple(tuple(cell(pair) for _, cell in columns) for pair in criterion.pairs)
    headings = tuple(name for name, _ in columns)
    return Table(headings, rows, title=_title(criterion, "Pairs"), remarks=tuple(_pair_remarks(criterion)))


def _pair_columns(criterion: CriterionResult, digits: int) -> list[tuple[str, Callable[[PairResult], Cell]]]:
    """The columns that there is something to say in, each with what makes its cell."""
    columns: list[tuple[str, Callable[[PairResult], Cell]]] = [
        ("First", lambda pair: Cell(pair.first)),
        ("Second", lambda pair: Cell(pair.second)),
    ]
    if any(pair.segments is not None for pair in criterion.pairs):
        columns += [("Shared", lambda pair: Cell("–" if pair.segments is None else f"{pair.segments:,}", number=True))]
    columns += [("Difference", lambda pair: _difference(pair.difference, digits))]
    if any("interval" in pair.details for pair in criterion.pairs):
        columns += [(_interval_heading(criterion), lambda pair: _pair_interval(pair, digits))]
    return [
        *columns,
        ("p", lambda pair: _p(pair.p)),
        ("p corrected", lambda pair: _p(pair.p_adjusted)),
        ("Significant", lambda pair: Cell(_significant(pair))),
        ("Better", lambda pair: Cell(pair.better or "–" if pair.significant else "–")),
    ]


def _difference(value: float | None, digits: int) -> Cell:
    """A difference with its sign, which what rounds to nothing has not."""
    if value is None:
        return Cell("–", number=True)
    return Cell(fixed(value, digits, signed=True), number=True)


def _pair_interval(pair: PairResult, digits: int) -> Cell:
    """The interval of the difference, also where units are too few for a test."""
    if "interval" not in pair.details:
        return Cell("–", number=True)
    low, high = pair.details["interval"]
    return Cell(bounds(low, high, digits), number=True)


def _significant(pair: PairResult) -> str:
    if pair.significant:
        return "yes"
    if pair.p is None and not pair.reachable:
        return "not tested"
    return "no" if pair.reachable else "out of reach"


def _pair_remarks(criterion: CriterionResult) -> Iterator[str]:
    """What the tests cannot show, and where they and the scores contradict each other."""
    unreachable = sum(_significant(pair) == "out of reach" for pair in criterion.pairs)
    if unreachable:
        yield f"Out of reach: no judgements could have made p small enough ({unreachable} of {len(criterion.pairs)})"
    for pair in criterion.pairs:
        if pair.contradicts_score:
            yield f"The test favours {pair.better}, the score {pair.better_score}"


def agreement_table(criterion: CriterionResult, digits: int) -> Table:
    """Every measure of agreement with Landis and Koch's word; observed and chance agreement of pairs."""
    compared = criterion.kind == "pairs"
    rows = []
    for value in criterion.agreement:
        interval = value.interval
        shown = "" if interval is None else bounds(interval.low, interval.high, digits + 1)
        shares = number(value.observed, digits + 1), number(value.expected, digits + 1)
        middle = shares if compared else (Cell(shown, number=True),)
        words = Cell(value.words or value.note or "")
        count = Cell(f"{value.n:,}", number=True)
        rows.append((Cell(value.measure), number(value.value, digits + 1), *middle, words, count))
    headings = ("Agreement", "Value", *(("pA", "pE") if compared else ("Interval",)), "In words", "n")
    return Table(headings, tuple(rows), title=_title(criterion, "Agreement"))


def raters_table(criterion: CriterionResult, digits: int) -> Table:
    """Every rater with what is known about them, those with flags first; what is known of nobody is left out."""
    columns: list[tuple[str, str, Callable[[RaterQuality], Cell]]] = [
        ("r others", "correlation", lambda rater: number(rater.correlation, digits + 1)),
        ("Repeats", "repeat_difference", lambda rater: number(rater.repeat_difference, digits)),
        ("s", "median_seconds", lambda rater: number(rater.median_seconds, 1)),
        ("Gold", "gold_share", lambda rater: number(rater.gold_share, digits + 1)),
        ("Bad ref. p", "bad_reference_p", lambda rater: _p(rater.bad_reference_p)),
    ]
    known = [column for column in columns if any(getattr(rater, column[1]) is not None for rater in criterion.raters)]
    rows = [
        (
            Cell(rater.rater),
            Cell(f"{rater.n:,}", number=True),
            number(rater.mean, digits),
            number(rater.deviation, digits),
            *(cell(rater) for _, _, cell in known),
            Cell(", ".join(rater.flags)),
        )
        for rater in sorted(criterion.raters, key=lambda rater: -len(rater.flags))
    ]
    headings = ("Rater", "n", "Mean", "sd", *(name for name, _, _ in known), "Flags")
    reasons = [f"{rater.rater}: {reason}" for rater in criterion.raters for reason in rater.reasons]
    return Table(
        headings, _shortened(rows, len(headings)), title=_title(criterion, "Raters"), remarks=tuple(reasons[:20])
    )


def _shortened(rows: Sequence[Line], width: int) -> tuple[Line, ...]:
    """The first raters of many; all of them are in the JSON form."""
    if len(rows) <= RATERS_SHOWN:
        return tuple(rows)
    rest = Cell(f"and {len(rows) - RATERS_SHOWN} more")
    return (*rows[:RATERS_SHOWN], (rest, *(Cell("") for _ in range(width - 1))))


def _p(value: float | None) -> Cell:
    return Cell("–" if value is None else p_value(value), number=True)


def errors_table(criterion: CriterionResult, digits: int) -> Table:
    """Where the penalties of each system come from, the dearest kinds first."""
    rows: list[Line] = []
    sections = set()
    for result in criterion.systems:
        errors: list[Mapping[str, Any]] = [kind for kind in result.details.get("errors", []) if kind["count"]]
        sections.add(len(rows))
        total = sum(kind["penalty"] for kind in errors) or 1.0
        rows += [_error_line(result.system, kind, total, digits) for kind in errors[:ERRORS_SHOWN]]
    headings = ("System", "Category", "Severity", "Errors", "Penalty", "Share")
    return Table(headings, tuple(rows), sections=frozenset(sections), title=_title(criterion, "Errors"))


def _error_line(system: str, kind: Mapping[str, Any], total: float, digits: int) -> Line:
    return (
        Cell(system),
        Cell(kind["category"] or "–"),
        Cell(kind["severity"] or "–"),
        Cell(f"{kind['count']:,}", number=True),
        number(kind["penalty"], digits),
        Cell(f"{100 * kind['penalty'] / total:.0f} %", number=True),
    )


def domains_table(criterion: CriterionResult, digits: int) -> Table:
    """The mean of every system in every domain."""
    return _parts_table(criterion, digits, "domain")


def documents_table(criterion: CriterionResult, digits: int) -> Table:
    """The mean of every system in every document."""
    return _parts_table(criterion, digits, "document")


def _parts_table(criterion: CriterionResult, digits: int, what: str) -> Table:
    names = list(dict.fromkeys(name for result in criterion.systems for name in getattr(result, f"by_{what}")))
    places = _digits(criterion, digits)
    rows = [
        (Cell(name), *(number(getattr(result, f"by_{what}").get(name), places) for result in criterion.systems))
        for name in names
    ]
    headings = (what.capitalize(), *(result.system for result in criterion.systems))
    return Table(headings, tuple(rows), title=_title(criterion, f"By {what}"))


def _sheet_table(sheet: Sequence[Mapping[str, Any]]) -> Table:
    rows = [
        (
            Cell(str(row["system"] or "–")),
            Cell(str(row["criterion"] or "–")),
            Cell("–" if row["value"] is None else f"{row['value']:g}", number=True),
            Cell("; ".join(str(row[name]) for name in ("label", "comment") if row[name])),
        )
        for row in sheet
    ]
    return Table(("System", "Criterion", "Value", "Remarks"), tuple(rows), title="Extended criteria")
