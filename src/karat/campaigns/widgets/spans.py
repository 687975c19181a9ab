"""Errors marked in a translation or its source."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from karat.campaigns.questions import Asked, MarkedText, Question, SpanRules
from karat.campaigns.said import Answer, AnsweredSpan, Mark, hash_of
from karat.campaigns.widgets.base import Given, Row, Widget, register_widget

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan
    from karat.campaigns.tasks import TaskPart

MOST_SPANS = 1_000
SIDES: dict[MarkedText, str] = {"hypothesis": "target", "source": "source"}


@register_widget
class SpanWidget(Widget):
    """Marks with their offsets, categories and severities."""

    names = ("spans",)

    def problems(self, plan: CampaignPlan, question: Question) -> Iterator[str]:
        rules, name = rules_of(question), question.criterion
        if not rules.texts:
            yield f"spans of {name}: say in which texts, such as texts = ['hypothesis']"
        if "source" in rules.texts and "source" not in plan.shown()[name]:
            yield f"spans of {name}: the source is marked, so it must be shown: show = ['source']"
        if rules.gaps and rules.unit != "words":
            yield f"spans of {name}: gaps are between words: say unit = 'words'"
        for what in ("categories", "severities", "tokens"):
            given: tuple[str, ...] = getattr(rules, what)
            if len(set(given)) < len(given) or not all(word.strip() for word in given):
                yield f"spans of {name}: {what} are words that differ: {', '.join(map(repr, given))}"
        if plan.unit == "system":
            yield f"spans of {name}: there is no text to mark where systems are judged as a whole"

    def lacks(self, given: Given, asked: Asked) -> Iterator[str]:
        rules, spans = rules_of(asked.question), given.answer.spans[asked.name]
        if len(spans) > MOST_SPANS:
            yield f"{asked.name} has more than {MOST_SPANS:,} spans"
            return
        for number, span in enumerate(spans, 1):
            for fault in _faults(rules, given.judged, span):
                yield f"span {number} of {asked.name} {fault}"
        if not rules.overlap and any(_overlap(spans)):
            yield f"spans of {asked.name} overlap"
        yield from _unaccounted(given.judged.offered, spans, asked.name)

    def rows(self, given: Given, asked: Asked) -> Iterator[Row]:
        """A row of its own where nothing but spans is asked for; others stand in the row of the first value."""
        spans = given.answer.spans.get(asked.name)
        if given.plan.protocol == "word-tags":
            yield {"criterion": asked.question.criterion, **_tags(given, asked, spans)}
        elif not _beside_values(given.plan):
            yield {"criterion": asked.question.criterion, **columns_of(spans, given.judged.offered)}

    def answered(self, asked: Asked, answer: Answer) -> bool:
        return asked.name in answer.spans

    def near(self, plan: CampaignPlan, asked: Asked, answer: Answer, wanted: Answer) -> bool | None:  # noqa: ARG002
        """Whether each wanted span meets one like it, and where none is wanted none was marked."""
        if asked.name not in wanted.spans:
            return None
        marks = _marked(answer.spans.get(asked.name, ()))
        expected = _marked(wanted.spans[asked.name])
        return bool(expected) == bool(marks) and all(any(_alike(each, mark) for mark in marks) for each in expected)

    def share(self, plan: CampaignPlan, asked: Asked, answer: Answer) -> float | None:  # noqa: ARG002
        """The fewer errors, the more."""
        return 1 / (1 + len(_marked(answer.spans.get(asked.name, ()))))


def rules_of(question: Question) -> SpanRules:
    """The rules of a question, which asks for spans of the translation and nothing else where it says nothing."""
    return question.spans or SpanRules()


def text_of(part: TaskPart, text: MarkedText) -> str:
    """The text that offsets count the code points of."""
    return part.shown if text == "hypothesis" else part.source or ""


def faults_of_mark(rules: SpanRules, part: TaskPart, mark: Mark) -> Iterator[str]:
    """What is wrong with a mark, whoever made it."""
    if mark.text not in rules.texts:
        yield f"is in the {mark.text}, where nothing is marked"
    elif mark.token is not None:
        if mark.token not in rules.tokens or (mark.text, mark.start, mark.end) != ("hypothesis", None, None):
            yield f"is of no known token: {mark.token!r}"
    else:
        yield from _faults_of_place(rules, text_of(part, mark.text), mark.start, mark.end)
    for what, value, known in (
        ("category", mark.category, rules.categories),
        ("severity", mark.severity, rules.severities),
    ):
        if known and value is None:
            yield f"has no {what}"
        elif value is not None and value not in known:
            yield f"has the {what} {value!r}, which nobody asked for"


def columns_of(spans: Sequence[AnsweredSpan] | None, offered: Sequence[Mark]) -> Row:
    """The columns of the table of ratings that spans fill."""
    if spans is None:
        return {"spans": None}
    row: Row = {"spans": [_as_rating(mark) for mark in _marked(spans)]}
    if offered:
        fates = Counter(span.fate for span in spans)
        row["extra:prefilled"] = json.dumps({"offered": len(offered), **dict(sorted(fates.items()))})
    return row


def _beside_values(plan: CampaignPlan) -> bool:
    """Whether spans stand in the rows of values."""
    return any(plan.widget(question) != "spans" for question in plan.questions)


def _marked(spans: Iterable[AnsweredSpan]) -> list[Mark]:
    return [span.mark for span in spans if span.fate != "removed"]


def _as_rating(mark: Mark) -> dict[str, Any]:
    """A span as a table of ratings has it; a token is what is missing, and names the category where none is asked."""
    return {
        "start": mark.start,
        "end": mark.end,
        "side": SIDES[mark.text] if mark.token is None else "missing",
        "category": mark.category or (None if mark.token is None else mark.token.strip("[]")),
        "severity": mark.severity,
        "score": None,
        "comment": mark.token if mark.category else None,
    }


def _faults(rules: SpanRules, part: TaskPart, span: AnsweredSpan) -> Iterator[str]:
    yield from faults_of_mark(rules, part, span.mark)
    if span.text in rules.texts and span.hash != hash_of(text_of(part, span.text)):
        yield "was marked in another text"


def _faults_of_place(rules: SpanRules, text: str, start: int | None, end: int | None) -> Iterator[str]:
    if start is None or end is None:
        yield "has no place"
    elif not 0 <= start <= end <= len(text):
        yield f"goes from {start} to {end}, and the text to {len(text)}"
    elif start == end and not rules.gaps:
        yield "marks nothing"
    elif rules.unit == "words" and not _on_edges(text, start, end):
        yield "does not begin and end with a word"


def _on_edges(text: str, start: int, end: int) -> bool:
    words = [match.span() for match in re.finditer(r"\S+", text)]
    if start == end:
        return start in {0, len(text)} or start in {edge for word in words for edge in word}
    return start in {word[0] for word in words} and end in {word[1] for word in words}


def _overlap(spans: Sequence[AnsweredSpan]) -> Iterator[bool]:
    for text in SIDES:
        places = sorted((mark.start, mark.end) for mark in _placed(spans) if mark.text == text)
        yield from (after[0] < before[1] for before, after in pairwise(places))


def _placed(spans: Sequence[AnsweredSpan]) -> Iterator[Any]:
    return (mark for mark in _marked(spans) if mark.start is not None and mark.end is not None)


def _unaccounted(offered: Sequence[Mark], spans: Sequence[AnsweredSpan], name: str) -> Iterator[str]:
    """Spans that were offered and have no fate, or several, or one that is not what became of them."""
    count = Counter(span.offered for span in spans)
    if set(count) - {None, *range(len(offered))}:
        yield f"{name} tells of a span that was not offered"
        return
    for span in spans:
        if (span.offered is None) != (span.fate == "made"):
            yield f"{name}: a span is {span.fate} and {'not ' if span.offered is None else ''}offered"
        elif span.offered is not None and (span.fate == "changed") == (span.mark == offered[span.offered]):
            yield f"{name}: span {span.offered + 1} of those offered is not {span.fate}"
    for number in range(len(offered)):
        if count[number] != 1:
            yield f"{name}: span {number + 1} of those offered is told of {count[number]} times"


def _alike(wanted: Mark, mark: Mark) -> bool:
    """Whether a mark meets a wanted one, with its severity and category where those are said."""
    if wanted.token is not None or mark.token is not None:
        met = wanted.token == mark.token
    else:
        met = wanted.text == mark.text and _place(wanted)[0] < _place(mark)[1] and _place(mark)[0] < _place(wanted)[1]
    return met and wanted.severity in (None, mark.severity) and wanted.category in (None, mark.category)


def _place(mark: Mark) -> tuple[int, int]:
    return mark.start or 0, mark.end or 0


def _tags(given: Given, asked: Asked, spans: Sequence[AnsweredSpan] | None) -> Row:
    """A tag for each word, and for each gap around them; the source has no gaps. The value is how much is BAD."""
    rules = rules_of(asked.question)
    if spans is None:
        return {"label": None}
    text = text_of(given.judged, rules.texts[0])
    marks = [mark for mark in _placed(spans) if mark.start is not None]
    words = [match.span() for match in re.finditer(r"\S+", text)]
    bad = [any(mark.start < end and start < mark.end for mark in marks) for start, end in words]
    if rules.texts[0] == "hypothesis":
        edges = [*(start for start, _ in words), len(text)]
        gaps = [_gap_is_bad(marks, words, number, edges) for number in range(len(words) + 1)]
        bad = [tag for pair in zip(gaps, [*bad, False], strict=True) for tag in pair][:-1]
    tags = ["BAD" if each else "OK" for each in bad]
    return {"label": " ".join(tags) or None, "value": sum(bad) / len(bad) if bad else 0.0}


def _gap_is_bad(marks: Sequence[Any], words: Sequence[tuple[int, int]], number: int, edges: Sequence[int]) -> bool:
    """Whether the gap before the word of that number is marked, by either of its edges."""
    before = words[number - 1][1] if number else 0
    return any(mark.start == mark.end and before <= mark.start <= edges[number] for mark in marks)
