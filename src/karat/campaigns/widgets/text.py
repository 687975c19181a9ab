"""Texts that raters write: corrections, translations, answers to questions, and what they found."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.campaigns.declared import is_text
from karat.campaigns.questions import Asked, Question, TextRules
from karat.campaigns.said import Answer, Edit, Log
from karat.campaigns.widgets.base import Given, Row, Widget, place_of, register_widget

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan

LONGEST_TEXT = 50_000
MOST_EDITS = 20_000
MOST_PAUSES = 10_000
MOST_KEYS = 10_000_000
LONGEST_SECONDS = 7 * 24 * 3600.0
FROM_SCRATCH = "from scratch"
"""What stands for the system of a translation that no system helped with."""


@register_widget
class TextWidget(Widget):
    """What was written, and perhaps how."""

    names = ("text",)

    def problems(self, plan: CampaignPlan, question: Question) -> Iterator[str]:
        rules, name = rules_of(question), question.criterion
        if rules.log and rules.lines:
            yield f"text of {name}: a log goes with one text, and lines = true asks for several answers"
        for control in ("repeats", "degraded"):
            if getattr(plan.controls, control):
                yield f"controls.{control}: nobody writes the same text twice, so no control tells anything"

    def lacks(self, given: Given, asked: Asked) -> Iterator[str]:
        rules, written = rules_of(asked.question), given.answer.texts[asked.name]
        if len(written.text) > LONGEST_TEXT or not is_text(written.text):
            yield f"{asked.name} is no text of at most {LONGEST_TEXT:,} characters"
        elif not written.text.strip() and not rules.lines:
            yield f"{asked.name} is empty"
        if (written.log is not None) != rules.log:
            yield f"{asked.name} {'needs a' if rules.log else 'has no'} log"
        elif written.log is not None:
            yield from _faults(written.log, start_of(given, asked), written.text, asked.name)

    def rows(self, given: Given, asked: Asked) -> Iterator[Row]:
        criterion, written = asked.question.criterion, given.answer.texts.get(asked.name)
        text = None if written is None else written.text
        if rules_of(asked.question).lines:
            yield from _found(given, asked, text)
        elif asked.item is not None:
            value = None if text is None else max(word_f1(text, right) for right in asked.item.right)
            yield {"criterion": criterion, "value": value, "answer": text, **place_of(asked)}
        else:
            yield {**_way(given, asked), "post_edit": text, **_of_log(None if written is None else written.log)}

    def answered(self, asked: Asked, answer: Answer) -> bool:
        return asked.name in answer.texts


def rules_of(question: Question) -> TextRules:
    """The rules of a question, which asks for a text and nothing else where it says nothing."""
    return question.text or TextRules()


def start_of(given: Given, asked: Asked) -> str:
    """What the field held at first."""
    whole = rules_of(asked.question).start == "translation" and not given.judged.scratch
    return given.judged.shown if whole else ""


def replayed(start: str, edits: Sequence[Edit]) -> str | None:
    """The text that the edits lead to; None where one is outside of the text.

    >>> replayed("abc", [Edit(at=0, start=1, removed=1, inserted="x"), Edit(at=1, start=3, removed=0, inserted="d")])
    'axcd'
    """
    text = start
    for edit in edits:
        end = edit.start + edit.removed
        if edit.start < 0 or edit.removed < 0 or end > len(text) or len(text) > 2 * LONGEST_TEXT:
            return None
        text = text[: edit.start] + edit.inserted + text[end:]
    return text


def word_f1(answer: str, right: str) -> float:
    """The F1 of the words of an answer and those of the right one, capitals and punctuation aside.

    >>> [word_f1(answer, "the red house") for answer in ("The red house.", "a red house", "no")]
    [1.0, 0.6666666666666666, 0.0]
    """
    words, wanted = (Counter(re.findall(r"\w+", text.casefold())) for text in (answer, right))
    both = (words & wanted).total()
    return 2 * both / (words.total() + wanted.total()) if both else float(words == wanted)


def _faults(log: Log, start: str, text: str, name: str) -> Iterator[str]:
    """What is wrong with a log."""
    times = [log.seconds, *log.pauses, *(edit.at for edit in log.edits)]
    if not all(0 <= time <= LONGEST_SECONDS for time in times) or not 0 <= log.keystrokes <= MOST_KEYS:
        yield f"{name}: the log has impossible numbers"
    elif len(log.edits) > MOST_EDITS or len(log.pauses) > MOST_PAUSES:
        yield f"{name}: the log is longer than {MOST_EDITS:,} edits and {MOST_PAUSES:,} pauses"
    elif replayed(start, log.edits) != text or not all(is_text(edit.inserted) for edit in log.edits):
        yield f"{name}: the edits of the log do not lead to the text"


def _way(given: Given, asked: Asked) -> Row:
    """The criterion; of timed work it is the way of working, and without a system's output it is nobody's."""
    if given.plan.protocol == "productivity" and given.judged.scratch:
        return {"criterion": "translation", "system": FROM_SCRATCH, "target": None}
    return {"criterion": asked.question.criterion}


def _of_log(log: Log | None) -> Row:
    if log is None:
        return {}
    return {
        "seconds": log.seconds,
        "keystrokes": log.keystrokes,
        "extra:pauses": json.dumps(log.pauses),
        "extra:edits": str(len(log.edits)),
    }


def _found(given: Given, asked: Asked, text: str | None) -> Iterator[Row]:
    """A row for each element that could be found: what was found of it, and whether it is right."""
    finds = [] if text is None else [line.strip() for line in text.splitlines() if line.strip()]
    for item in given.plan.items_of(given.task, given.part, asked.question.criterion):
        match = next((find for find in finds if any(_same(find, right) for right in item.right)), None)
        row: Row = {"criterion": asked.question.criterion, "answer": match or "; ".join(finds) or None}
        yield {
            **row,
            "value": None if text is None else float(match is not None),
            **place_of(Asked(asked.question, item)),
        }


def _same(find: str, right: str) -> bool:
    return " ".join(find.casefold().split()) == " ".join(right.casefold().split())
