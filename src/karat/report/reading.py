"""Segments worth reading as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.report.links import segment_link
from karat.report.table import Cell, Line, Table

if TYPE_CHECKING:
    from karat.analysis.reading import ReadingChoice, ReadingList, Reason

TITLES: dict[Reason, str] = {
    "systems": "Where systems differ most",
    "metrics": "Where metrics disagree most",
    "people": "Where metrics and people disagree most",
    "influence": "What moves the difference most",
}
VALUES: dict[Reason, str] = {
    "systems": "Distance",
    "metrics": "Deviations",
    "people": "Deviations",
    "influence": "Influence",
}
NOTES: dict[Reason, str] = {
    "systems": "distance: best score of the segment less the worst",
    "metrics": "deviations: how far two metrics lie apart, each in its own standard deviations over all segments",
    "people": "deviations: the metric less people, each in its own standard deviations over all segments",
    "influence": "influence: how much of the difference is gone without the segment",
}


def choices_table(reading: ReadingList, reason: Reason, digits: int) -> Table:
    """The segments of one reason, the first one first."""
    chosen = [choice for choice in reading.choices if choice.reason == reason]
    rows = tuple(
        (
            Cell(str(choice.segment), number=True, link=segment_link(choice.segment, choice.concerned)),
            Cell(choice.document or "–"),
            Cell(_subject(choice), apart=True),
            Cell(_measures(choice), apart=True),
            Cell(f"{choice.value:+.{digits}f}" if reason != "systems" else f"{choice.value:.{digits}f}", number=True),
        )
        for choice in chosen
    )
    headings = ("Segment", "Document", "Systems", "By", VALUES[reason])
    limit = reading.per_document
    notes = (NOTES[reason], *((f"at most {limit} of a document",) if limit is not None else ()))
    return Table(headings, rows, notes, title=TITLES[reason])


def texts_table(reading: ReadingList) -> Table:
    """Source, references and outputs of every chosen segment, a rule between segments."""
    rows: list[Line] = []
    sections = set()
    for texts in reading.texts:
        sections.add(len(rows))
        named = [("source", texts.source)] if texts.source is not None else []
        for number, (name, text) in enumerate((*named, *texts.references.items(), *texts.outputs.items())):
            rows.append((Cell(str(texts.segment) if number == 0 else "", number=True), Cell(name), Cell(text)))
    headings = ("Segment", "Of", "Text")
    return Table(headings, tuple(rows), sections=frozenset(sections - {0}), title="Texts to read")


def skipped_table(reading: ReadingList) -> Table:
    """The reasons that nothing was chosen by, and why."""
    rows = tuple((Cell(TITLES[reason]), Cell(why)) for reason, why in reading.skipped)
    return Table(("Not looked for", "Why"), rows)


def _subject(choice: ReadingChoice) -> str:
    if choice.reason == "systems":
        best, worst = choice.scores[0], choice.scores[-1]
        return f"{best.system} > {worst.system}"
    if choice.reason == "influence":
        return f"{choice.system} – {choice.baseline}"
    return choice.system or ""


def _measures(choice: ReadingChoice) -> str:
    return choice.measure if choice.other is None else f"{choice.measure}, {choice.other}"
