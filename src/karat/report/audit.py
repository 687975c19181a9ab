"""An audit of BLEU as tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from karat.analysis.audit.uses import SIGNALS, USES
from karat.report.links import segment_link
from karat.report.table import Cell, Line, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.analysis.audit.model import Audit, Example, Facts, Signal

MOST_SIGNALS = 12
"""With more, signals are listed by kind and system, without the numbers of each pair."""


def audit_tables(audit: Audit, digits: int) -> tuple[Table, ...]:
    """Facts, signals, freedom, examples, and the fit to people where there are ratings."""
    tables = [_facts(audit.facts, digits)]
    tables += [_shares(audit.facts), _signals(audit, digits), _freedom(audit, digits)]
    tables += [_example(example, digits) for example in audit.examples]
    tables += [_people(audit, digits)] if audit.fits else []
    return tuple(table for table in tables if table.rows)


def _facts(facts: Facts, digits: int) -> Table:
    documents = (
        "" if facts.documents is None else f" in {facts.documents:,} document{'' if facts.documents == 1 else 's'}"
    )
    named = ", ".join(facts.references)
    lines = [
        ("segments", f"{facts.segments:,}{documents}"),
        ("references", f"{facts.references_per_segment} per segment ({named}), {facts.reference_tokens:,} tokens"),
        ("words by", facts.tokenizer),
        ("looks tokenised", ", ".join(facts.tokenized) or "nothing"),
        ("lower case throughout", ", ".join(facts.lowercased) or "nothing"),
    ]
    for shown in facts.detectable:
        size = "no difference" if shown.difference is None else f"{shown.difference:.{digits}f}"
        lines.append((f"can show in {shown.measure}", f"{size} ({100 * shown.power:.0f} % of the time, median pair)"))
    rows = tuple((Cell(name), Cell(text)) for name, text in lines)
    notes = (f"chance is that of drawing {facts.units:,} {facts.unit}s anew",) if facts.units > 1 else ()
    return Table(("Fact", "Value"), rows, notes, title="The test set")


def _shares(facts: Facts) -> Table:
    def cell(part: float | None) -> Cell:
        return Cell("–" if part is None else f"{100 * part:.0f}", number=True)

    rows = tuple(
        (Cell(share.system), cell(share.content_words), cell(share.function_words), cell(share.punctuation))
        for share in facts.shares
    )
    notes = ("percent of the tokens in matched n-grams",)
    return Table(("System", "Content words", "Function words", "Punctuation"), rows, notes, title="What scores")


def _signals(audit: Audit, digits: int) -> Table:
    fired = [signal for signal in audit.signals if signal.fires]
    many = len(fired) > MOST_SIGNALS
    codes = {signal.code for signal in fired}
    remarks = tuple(f"{kind.code}: {kind.explanation} {kind.advice}" for kind in SIGNALS if kind.code in codes)
    pairs = len({(signal.baseline, signal.system) for signal in audit.signals})
    silent = pairs - len({(signal.baseline, signal.system) for signal in fired})
    notes = [f"{pairs} pair{'' if pairs == 1 else 's'} of systems, {silent} without any signal"]
    notes += [f"BLEU is fit for {'; '.join(USES.appropriate)}", f"it is not fit for {'; '.join(USES.inappropriate)}"]
    if many:
        notes.append("each pair once, under the system that more of them are about; --json has the numbers of each")
        rows, sections = _grouped(audit, fired)
        return Table(("Signal", "Pairs", "System", "And"), rows, tuple(notes), sections, "Signals", remarks)
    headings = ("System", "And", "Signal", "Because")
    rows = tuple(
        (Cell(signal.baseline), Cell(signal.system), Cell(signal.code), Cell(_why(signal, digits))) for signal in fired
    )
    return Table(headings, rows, tuple(notes), title="Signals", remarks=remarks)


def _grouped(audit: Audit, fired: list[Signal]) -> tuple[tuple[Line, ...], frozenset[int]]:
    """Signals of many pairs by kind: how many pairs, and who is in them with whom; also the rows where kinds begin."""
    rows: list[Line] = []
    sections = set()
    for code in dict.fromkeys(signal.code for signal in fired):
        sections.add(len(rows))
        pairs = {frozenset((signal.baseline, signal.system)) for signal in fired if signal.code == code}
        first = (Cell(code), Cell(str(len(pairs)), number=True))
        for name, others in _stars(pairs, audit.systems):
            every = len(others) == len(audit.systems) - 1
            rows.append((*first, Cell(name), Cell("all others" if every else ", ".join(others))))
            first = (Cell(""), Cell("", number=True))
    return tuple(rows), frozenset(sections - {0})


def _stars(pairs: set[frozenset[str]], systems: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each pair once, under the system that most of the pairs left are about."""
    left = set(pairs)
    while left:
        counts = Counter(name for pair in left for name in pair)
        center = max(systems, key=lambda name: counts[name])
        taken = {pair for pair in left if center in pair}
        yield center, [name for name in systems if name != center and frozenset((center, name)) in taken]
        left -= taken


def _why(signal: Signal, digits: int) -> str:
    numbers = ", ".join(f"{number.name} {number.value:.{digits}f}" for number in signal.numbers)
    about = ", ".join(name for name in (signal.concerns, signal.reference) if name is not None)
    return ": ".join(part for part in (about, numbers) if part)


def _freedom(audit: Audit, digits: int) -> Table:
    rows = tuple(
        (
            Cell(summary.system),
            Cell(f"{summary.tokens:,}", number=True),
            Cell(f"{summary.free_words:,}", number=True),
            *(Cell(_power(value, digits), number=True) for value in (*summary.quartiles, summary.largest)),
            Cell(f"{summary.over_million}", number=True),
        )
        for summary in audit.summaries
    )
    headings = ("System", "Tokens", "Free", "Lower quartile", "Median", "Upper quartile", "Most", "Over a million")
    notes = (
        "orderings of a segment that score at least as high; free: tokens that no reference has",
        f"signature: {audit.signature}",
    )
    return Table(headings, rows, notes, title="Orderings that BLEU cannot tell apart, or likes better")


def _power(exponent: float, digits: int) -> str:
    return f"10^{exponent:.{digits}f}"


def _example(example: Example, digits: int) -> Table:
    phrases = " | ".join(" ".join(phrase) for phrase in example.phrases)
    link = segment_link(example.segment, [example.system])
    rows = [(Cell("output", link=link), Cell(phrases), Cell(f"{example.bleu:.{digits}f}", number=True))]
    rows += [
        (Cell(variant.kind), Cell(" ".join(variant.tokens)), Cell(f"{variant.bleu:.{digits}f}", number=True))
        for variant in example.variants
    ]
    counts = example.enumeration
    notes: tuple[str, ...] = ()
    if counts is not None:
        notes = (f"all {counts.orderings:,}: {counts.equal:,} equal, {counts.higher:,} higher, {counts.lower:,} lower",)
    title = f"{example.system}, segment {example.segment}"
    return Table(("Text", "Tokens", "Sentence BLEU"), tuple(rows), notes, title=title)


def _people(audit: Audit, digits: int) -> Table:
    def cell(value: float | None) -> Cell:
        return Cell("–" if value is None else f"{value:.{digits}f}", number=True)

    rows = tuple(
        (
            Cell(fit.criterion),
            Cell(fit.measure),
            Cell(str(len(fit.points)), number=True),
            cell(fit.r2),
            cell(fit.r2_without_outliers),
            Cell(", ".join(point.system for point in fit.points if point.outlier) or "none"),
        )
        for fit in audit.fits
    )
    headings = ("People", "Metric", "Systems", "R²", "Without outliers", "Outliers")
    return Table(headings, rows, ("R²: squared correlation over systems",), title="Metrics against people")
