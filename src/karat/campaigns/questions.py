"""What raters are asked, and what each question takes for an answer: declarations, one for each widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from karat.quick_dataclasses import dataclass

WidgetName = Literal["points", "slider", "choice", "ranking", "spans", "text"]
Sight = Literal["source", "reference"]
MarkedText = Literal["hypothesis", "source"]
SpanUnit = Literal["characters", "words"]
RankingForm = Literal["ranks", "best", "best-worst"]
TextStart = Literal["nothing", "translation"]


@dataclass(frozen=True, kw_only=True)
class OwnScale:
    """A scale of your own, for a criterion of the protocol `custom`; more is better."""

    minimum: float
    maximum: float
    whole: bool = True


@dataclass(frozen=True, kw_only=True)
class SpanRules:
    """What is marked: in which texts, of which categories and severities, and whether spans may overlap.

    Each span has a category and a severity where there are any. `tokens` stand behind the translation and are marked
    as a whole, such as `[missing]`. Where words are marked, `gaps` are the places between them, for what is left out.
    """

    texts: tuple[MarkedText, ...] = ("hypothesis",)
    categories: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    overlap: bool = True
    unit: SpanUnit = "characters"
    gaps: bool = False


@dataclass(frozen=True, kw_only=True)
class RankingRules:
    """How translations are put in order: by `ranks`, or by naming the `best`, or the best and the worst.

    With `ties` several may share a rank, and with `none` nobody need be the best, where all are bad.
    """

    form: RankingForm = "ranks"
    ties: bool = True
    none: bool = False


@dataclass(frozen=True, kw_only=True)
class TextRules:
    """What is written, and what it starts from; `lines` asks for any number of answers, one a line.

    With a `log`, the time, the pauses, the keystrokes and the edits are kept. With `minimal`, raters are told to
    change as little as they can.
    """

    start: TextStart = "nothing"
    log: bool = False
    lines: bool = False
    minimal: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question about a translation: its criterion, what is shown beside the translation, and how it is answered.

    What has been shown for one question stays in sight for the next: nobody can unsee it. `labels` are what stands
    beside values in place of the protocol's words, `help` what raters read in place of the page's. A value below
    `span_below` wants an error to be marked. With `reveal` the translation is uncovered word by word.
    """

    criterion: str
    show: tuple[Sight, ...] = ()
    widget: WidgetName | None = None
    scale: OwnScale | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    help: str | None = None
    options: tuple[str, ...] = ()
    spans: SpanRules | None = None
    ranking: RankingRules | None = None
    text: TextRules | None = None
    span_below: float | None = None
    reveal: bool = False


@dataclass(frozen=True, kw_only=True)
class Item:
    """What a question is asked about in one segment or document: a question of its own, a fragment, or an element.

    `right` are the options or answers that are right; none where everything may be.
    """

    criterion: str
    name: str
    text: str
    segment: str | None = None
    document: str | None = None
    options: tuple[str, ...] = ()
    right: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """A question as it is asked of one translation: as it is, or about an item. Its answer has the `name`."""

    question: Question
    item: Item | None = None

    @property
    def name(self) -> str:
        return self.question.criterion if self.item is None else self.item.name

    @property
    def options(self) -> tuple[str, ...]:
        """What may be chosen, where that is what the question asks for."""
        own = () if self.item is None else self.item.options
        return own or self.question.options
