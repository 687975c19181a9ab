"""Analyses of buckets, words, n-grams and errors as tables: systems across, a mark where a number tells nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.analysis.resampling import FEWEST_UNITS
from karat.identity import distinct_names
from karat.report.links import segments_link
from karat.report.numbers import digits_for, fixed
from karat.report.table import Cell, Line, Table
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from karat.analysis.buckets import Bucket, Bucketing, Buckets
    from karat.analysis.figures import Figure, Subject
    from karat.analysis.ngrams import NgramContrast, NgramFigure, Ngrams
    from karat.analysis.word_errors import ErrorClass, WordErrorRate, WordErrors
    from karat.analysis.words import WordAnalysis, WordBucketing

SHOWN_SEGMENTS = 3
_NOTHING = Cell("–", number=True)
"""Where there is nothing to divide by."""

CONTRASTS = {
    "over": "too often",
    "under": "too rarely",
    "gets": "right more often",
    "misses": "right less often",
}


def said_once(tables: Iterable[Table]) -> tuple[Table, ...]:
    """The same tables, each note under the last one that has it."""
    told_below: set[str] = set()
    kept = []
    for table in reversed(list(tables)):
        kept.append(replace(table, notes=tuple(note for note in table.notes if note not in told_below)))
        told_below.update(table.notes)
    return tuple(reversed(kept))


def bucket_tables(report: Buckets, digits: int) -> Iterator[Table]:
    """One table for each metric and way to sort segments."""
    names = distinct_names(report.metrics)
    for position, (identity, name) in enumerate(zip(report.metrics, names, strict=True)):
        for bucketing in report.bucketings:
            scores = [
                score.score.value
                for bucket in bucketing.buckets
                for score in bucket.scores
                if score.metric == position and score.score.value is not None
            ]
            shown = digits_for(identity, scores, digits)
            rows = tuple(
                _bucket_line(bucketing.by, bucket, position, report.subject, shown) for bucket in bucketing.buckets
            )
            title = f"{name} {identity.arrow} by {bucketing.by}"
            headings = (bucketing.by.capitalize(), "Segments", *report.subject.systems)
            notes = (*_bucket_notes(bucketing, rows, report.subject), str(identity.signature))
            yield Table(headings, rows, notes, title=title)


def _bucket_line(by: str, bucket: Bucket, position: int, subject: Subject, digits: int) -> Line:
    by_system = {score.system: score for score in bucket.scores if score.metric == position}
    cells = [
        _figure(by_system[name].score, digits, few=by_system[name].few) if name in by_system else _NOTHING
        for name in subject.systems
    ]
    link = segments_link(bucket=f"{by}: {bucket.label}") if bucket.segments else ""
    return Cell(bucket.label, link=link), Cell(str(len(bucket.segments)), number=True), *cells


def _bucket_notes(bucketing: Bucketing, rows: Sequence[Line], subject: Subject) -> tuple[str, ...]:
    own = any(score.segments is not None for bucket in bucketing.buckets for score in bucket.scores)
    if not own:
        return _notes(rows, subject, "segments")
    return (
        "each system by the lengths of its own output: segments are those of any system, and systems are not compared",
        *_notes(rows, subject, "segments", compared=False),
    )


def word_tables(report: WordAnalysis, digits: int) -> Iterator[Table]:
    """One table of F for each way to sort words; of recall where systems have no labels."""
    for bucketing in report.bucketings:
        yield _word_table(bucketing, report, digits)


def _word_table(bucketing: WordBucketing, report: WordAnalysis, digits: int) -> Table:
    subject = report.subject
    only_recall = all(score.f.value is None for bucket in bucketing.buckets for score in bucket.scores)
    rows = []
    for bucket in bucketing.buckets:
        expected = next(score.expected for score in bucket.scores if score.system == subject.baseline)
        cells = [
            _figure(score.recall if only_recall else score.f, digits, few=score.few, scale=100)
            for score in bucket.scores
        ]
        if any(cell != _NOTHING for cell in cells):
            link = segments_link(words=f"{bucketing.by}: {bucket.label}") if bucket.segments else ""
            rows.append((Cell(bucket.label, link=link), Cell(f"{expected:,}", number=True), *cells))
    what = "Recall" if only_recall else "F"
    notes = [f"{what} of words in percent{_read(report.tokenize, lowercase=report.lowercase)}"]
    notes += [bucketing.about] if bucketing.about else []
    if subject.references > 1:
        notes += [*_reference_note(subject), f"their words are counted for {subject.baseline}"]
    headings = (bucketing.by.capitalize(), "Words", *subject.systems)
    return Table(
        headings, tuple(rows), (*notes, *_notes(rows, subject, "words")), title=f"{what} of words by {bucketing.by}"
    )


def ngram_tables(report: Ngrams, digits: int) -> Iterator[Table]:
    """One table for each system against the references, and for each against the baseline."""
    pairs: dict[tuple[str, str | None], list[NgramContrast]] = {}
    for contrast in report.contrasts:
        pairs.setdefault((contrast.system, contrast.against), []).append(contrast)
    for (system, against), contrasts in pairs.items():
        yield _ngram_table(system, against, contrasts, report, digits)


def _ngram_table(
    system: str, against: str | None, contrasts: Sequence[NgramContrast], report: Ngrams, digits: int
) -> Table:
    rows: list[Line] = []
    sections = set()
    weighted = report.select == "discriminative" and against is None
    for contrast in contrasts:
        if rows:
            sections.add(len(rows))
        for number, ngram in enumerate(contrast.ngrams):
            first = Cell(CONTRASTS[contrast.contrast] if number == 0 else "")
            rows.append((first, *_ngram_line(ngram, report.subject, digits, weighted=weighted)))
    other = "the references" if against is None else against
    counts = ("More", "Less") if against is None else (system, other)
    weight = ("Weight",) if weighted else ()
    headings = ("", "N-gram", *counts, *weight, "Log-odds", f"{percent(report.subject.confidence)} %", "Segments")
    notes = tuple(_ngram_notes(system, against, report))
    if not rows:
        rows.append((Cell("nothing"), *[Cell("")] * (len(headings) - 1)))
    return Table(headings, tuple(rows), notes, frozenset(sections), title=f"N-grams of {system} against {other}")


def _ngram_line(ngram: NgramFigure, subject: Subject, digits: int, *, weighted: bool) -> Line:
    value = fixed(ngram.log_odds.value or 0.0, digits, signed=True)
    interval = ngram.log_odds.interval
    bounds = "–" if interval is None else f"[{fixed(interval[0], digits)}, {fixed(interval[1], digits)}]"
    ids = subject.ids(ngram.segments[:SHOWN_SEGMENTS])
    more = len(ngram.segments) - len(ids)
    weight = (Cell(fixed(ngram.weight or 0.0, digits, signed=True), number=True),) if weighted else ()
    return (
        Cell(written := " ".join(ngram.ngram), link=segments_link(ngram=written)),
        Cell(str(ngram.count), number=True),
        Cell(str(ngram.other), number=True),
        *weight,
        Cell(f"({value})" if ngram.few else value, number=True),
        Cell(bounds, number=True),
        Cell(", ".join(ids) + (f" +{more}" if more else "")),
    )


def _ngram_notes(system: str, against: str | None, report: Ngrams) -> Iterator[str]:
    if against is None:
        yield "how often it stands in the output beyond the reference, and in the reference beyond the output"
    else:
        yield "how often each system has it where the reference has it, too"
    yield f"words by {report.tokenize}; log-odds: ln((count + a) / (other + a)), a = {report.smoothing:g}"
    yield from _reference_note(report.subject)
    for model in report.models:
        if model.system != system or against is not None:
            continue
        if not model.trained_on:
            yield "no n-gram was chosen: there are too few segments that differ to train a perceptron and hold some out"
        else:
            yield (
                f"chosen by a perceptron with {model.features:,} n-grams that prefers the reference in "
                f"{100 * model.accuracy:.1f} % of {model.held_out} segments held out"
            )
    if any(ngram.log_odds.interval for contrast in report.contrasts for ngram in contrast.ngrams):
        yield (
            f"each interval is that of one n-gram by itself, {_drawn(report.subject)}; the first of many look better "
            "than they are"
        )
    yield f"( ): fewer than {report.subject.least} occurrences, which tell nothing"


def error_tables(report: WordErrors, digits: int) -> Iterator[Table]:
    """Rates, classes, and what labels add to rates."""
    subject = report.subject
    names = list(dict.fromkeys(rate.rate for rate in report.rates))
    lines = []
    for system in subject.systems:
        rates = [rate for rate in report.rates if rate.system == system]
        words = next(rate.words for rate in rates if rate.rate == "WER")
        cells = [_figure(rate.figure, digits, few=_tells_nothing(rate, subject), scale=100) for rate in rates]
        lines.append((Cell(system), Cell(f"{words:,}", number=True), *cells))
    notes = (f"percent of words{_read(report.tokenize, lowercase=report.lowercase)}", *_reference_note(subject))
    yield Table(
        ("System", "Words", *names), tuple(lines), (*notes, *_notes(lines, subject, "words")), title="Error rates"
    )
    yield _class_table(report, digits)
    if report.labels:
        yield _label_table(report, digits)


def _tells_nothing(rate: WordErrorRate, subject: Subject) -> bool:
    return rate.words < subject.least or rate.figure.interval is None


def _class_table(report: WordErrors, digits: int) -> Table:
    """Classes by side: extra words are those of the output, all others those of the reference."""
    shown = [error for error in report.classes if error.side == "reference" or error.name == "extra"]
    order = ("inflection", "order", "missing", "extra", "lexical")

    def errors_in(system: str) -> Iterable[ErrorClass]:
        return sorted((error for error in shown if error.system == system), key=lambda error: order.index(error.name))

    rows = tuple(
        (Cell(system), *(_class_cell(error, digits) for error in errors_in(system)))
        for system in report.subject.systems
    )
    inflected = (
        "no base forms: inflection counts as lexical"
        if report.base_forms is None
        else f"base forms: {report.base_forms}"
    )
    notes = ("percent of the words of the reference; extra: of the output", inflected)
    headings = ("System", *(name.capitalize() for name in order))
    return Table(headings, rows, (*notes, *_notes(rows, report.subject, "words")), title="Errors by class")


def _class_cell(error: ErrorClass, digits: int) -> Cell:
    """The share of a class in a system, with a link to the segments that have it."""
    cell = _figure(error.share, digits, few=error.few, scale=100)
    return replace(cell, link=segments_link(error=f"{error.name}: {error.system}")) if error.count else cell


def _label_table(report: WordErrors, digits: int) -> Table:
    subject = report.subject
    labels = list(dict.fromkeys(entry.label for entry in report.labels if entry.side == "reference"))
    entries = {(entry.label, entry.system): entry for entry in report.labels if entry.side == "reference"}
    rows = []
    for label in labels:
        words = max(entries[label, system].words for system in subject.systems if (label, system) in entries)
        cells = []
        for system in subject.systems:
            entry = entries.get((label, system))
            cells.append(_NOTHING if entry is None else _figure(entry.wer, digits, few=entry.few, scale=100))
        rows.append((Cell(label), Cell(f"{words:,}", number=True), *cells))
    notes = ("substituted and deleted words with a label, in percent of all words of the reference",)
    headings = ("Label", "Words", *subject.systems)
    return Table(headings, tuple(rows), (*notes, *_notes(rows, subject, "words", compared=False)), title="WER by label")


def _figure(figure: Figure, digits: int, *, few: bool, scale: float = 1) -> Cell:
    """A number, half the width of its interval, a star if it differs; in parentheses where it tells nothing."""
    if figure.value is None:
        return _NOTHING
    text = fixed(figure.value * scale, digits)
    if few:
        return Cell(f"({text})", number=True)
    if figure.interval is not None:
        text += f"±{fixed((figure.interval[1] - figure.interval[0]) / 2 * scale, max(0, digits - 1))}"
    return Cell(text + "*" * figure.differs, number=True)


def _notes(rows: Sequence[Line], subject: Subject, counted: str, *, compared: bool = True) -> tuple[str, ...]:
    """What the marks mean; of intervals only where the table has any."""
    many = f"±: half the {percent(subject.confidence)} % interval, {_drawn(subject)}"
    few = f"( ): fewer than {_fewest(subject, counted)}, which tell nothing"
    if not any("±" in cell.text for row in rows for cell in row):
        return (few,)
    star = f"*: the interval of the difference from {subject.baseline} leaves out zero; not corrected for many cells"
    return (many, star, few) if compared and len(subject.systems) > 1 else (many, few)


def _fewest(subject: Subject, counted: str) -> str:
    units = f"{subject.units.unit}s"
    if counted == units:
        return f"{max(subject.least, FEWEST_UNITS)} {counted}"
    return f"{subject.least} {counted} or {FEWEST_UNITS} {units}"


def _drawn(subject: Subject) -> str:
    return f"from {subject.resamples:,} resamples of {subject.units.count:,} {subject.units.unit}s"


def _read(tokenize: str, *, lowercase: bool) -> str:
    return f"; words by {tokenize}{', lowercased' if lowercase else ''}"


def _reference_note(subject: Subject) -> list[str]:
    if subject.references == 1:
        return []
    return [f"of up to {subject.references} references the closest to each output, by edits per word"]
