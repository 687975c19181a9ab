"""What a rater's device hears, and what it may say: types of their own, with no field for anything else.

Nothing here has a place for a system, for the kind of an item, or for what others answered.
"""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from karat.service.rating import LONGEST_REMARK, Answer, AnsweredSpan, Edit, Log, Written

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A number as JSON has it: true and "3" are none."""
Whole = Annotated[int, Field(strict=True, ge=0, le=1_000_000_000)]
Short = Annotated[str, StringConstraints(max_length=500)]


class View(BaseModel):
    """Immutable, and nothing but its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LackView(View):
    """What keeps an answer from being stored."""

    part: int
    criterion: str | None
    reason: str


class Refusal(View):
    """Why something was not done; of answers, what they lack, or which version is stored."""

    detail: str
    lacks: tuple[LackView, ...] | None = None
    version: int | None = None
    answers: tuple[AnswerView, ...] | None = None


class PointView(View):
    """A value of a scale, and what stands beside it."""

    value: float
    label: str | None


class SpanRulesView(View):
    """What may be marked, and how."""

    texts: tuple[str, ...]
    categories: tuple[str, ...]
    severities: tuple[str, ...]
    tokens: tuple[str, ...]
    overlap: bool
    unit: str
    gaps: bool


class RankingRulesView(View):
    """How translations are put in order."""

    form: str
    ties: bool
    none: bool


class TextRulesView(View):
    """What is written, and what goes with it."""

    start: str
    log: bool
    lines: bool
    minimal: bool


class QuestionView(View):
    """A question: what is shown for it, and what may be answered. Labels are the campaign's own, or the protocol's.

    Its answer has the `name`, unless it is asked about `items`. The rules are those of its widget.
    """

    name: str
    criterion: str
    help: str | None
    items: bool
    reveal: bool
    span_below: float | None
    spans: SpanRulesView | None
    ranking: RankingRulesView | None
    text: TextRulesView | None
    show: tuple[str, ...]
    widget: str
    minimum: float
    maximum: float
    whole: bool
    points: tuple[PointView, ...]
    own_labels: bool


class ItemView(View):
    """What a question is asked about in a part: a question of its own, or a fragment; its options are points."""

    criterion: str
    name: str
    text: str
    points: tuple[PointView, ...]


class MarkView(View):
    """A span that is offered."""

    text: str
    start: int | None
    end: int | None
    category: str | None
    severity: str | None
    token: str | None


class HashesView(View):
    """What goes with spans, so that their offsets are of the texts that were shown."""

    hypothesis: str
    source: str | None


class PartView(View):
    """A translation, with what is given to be read beside it so far.

    What is not translated by a system has none, and a system that is judged as a whole has a title in its place.
    """

    translation: str | None
    title: str | None
    source: str | None
    reference: str | None
    hashes: HashesView
    offered: tuple[MarkView, ...]
    items: tuple[ItemView, ...]


class ContextView(View):
    """Texts around what is judged, the translations of a row in its order."""

    source: str | None
    translations: tuple[str, ...]


class SpanView(MarkView):
    """A span that the rater marked, or what became of one that was offered."""

    hash: str
    fate: str
    offered: int | None


class EditView(View):
    """One change of a text."""

    at: float
    start: int
    removed: int
    inserted: str


class LogView(View):
    """How a text was written."""

    seconds: float
    pauses: tuple[float, ...]
    keystrokes: int
    edits: tuple[EditView, ...]


class WrittenView(View):
    """What was written."""

    text: str
    log: LogView | None


class AnswerView(View):
    """What the rater said of a part before."""

    values: dict[str, float]
    spans: dict[str, tuple[SpanView, ...]]
    texts: dict[str, WrittenView]
    words: dict[str, int]
    seconds: float
    broken: str | None
    comment: str | None


class FeedbackView(View):
    """What is told of an answer at once: whether it was as it should be, and if not, perhaps why.

    In a tutorial the right answers are told, too, as far as they are said.
    """

    passed: bool
    explanation: str | None
    expected: tuple[AnswerView, ...] | None


class TutorialView(View):
    """How far the rater is with the items of the tutorial, and whether too few were right."""

    done: int
    planned: int
    right: int
    needed: int
    failed: bool


class SettledView(View):
    """What the rater had said of a part before a text to compare with was given."""

    values: dict[str, float]
    spans: dict[str, tuple[SpanView, ...]]
    texts: dict[str, WrittenView]
    words: dict[str, int]
    broken: str | None


class TaskView(View):
    """What is on the screen; nobody is told anything of an answer before it is given.

    `stage` is the last question whose texts are among the parts, and `settled` what was answered before they were.
    Parts are row by row, so many columns a row. Texts before and after are for reading.
    """

    public: str
    version: int
    stage: int
    columns: int
    tutorial: bool
    before: tuple[ContextView, ...]
    after: tuple[ContextView, ...]
    parts: tuple[PartView, ...]
    settled: tuple[SettledView, ...]
    answers: tuple[AnswerView, ...]
    feedback: FeedbackView | None


class MessagesView(View):
    """The words of the page in one language."""

    language: str
    messages: dict[str, str]


class StateView(View):
    """Where the rater is, and the key under which the device keeps what is unsent."""

    key: str
    campaign: str
    protocol: str
    guidelines: str | None
    guidelines_html: str | None
    tutorial: TutorialView | None
    source_language: str | None
    target_language: str | None
    questions: tuple[QuestionView, ...]
    csrf: str
    bilingual: bool | None
    done: int
    planned: int
    history: tuple[str, ...]


class Entry(View):
    """The secret of a link."""

    secret: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Entered(View):
    """What goes with each change from now on."""

    csrf: str


class SpanBody(View):
    """A span."""

    text: Literal["hypothesis", "source"]
    start: Whole | None
    end: Whole | None
    hash: Short
    category: Short | None = None
    severity: Short | None = None
    token: Short | None = None
    fate: Literal["made", "kept", "changed", "removed"] = "made"
    offered: Whole | None = None

    def span(self) -> AnsweredSpan:
        return AnsweredSpan(**dict(self))


class EditBody(View):
    """One change of a text."""

    at: Number
    start: Whole
    removed: Whole
    inserted: str


class LogBody(View):
    """How a text was written."""

    seconds: Number
    pauses: list[Number]
    keystrokes: Whole
    edits: list[EditBody]

    def log(self) -> Log:
        edits = tuple(Edit(**dict(edit)) for edit in self.edits)
        return Log(seconds=self.seconds, pauses=tuple(self.pauses), keystrokes=self.keystrokes, edits=edits)


class WrittenBody(View):
    """What was written."""

    text: str
    log: LogBody | None = None

    def written(self) -> Written:
        return Written(text=self.text, log=None if self.log is None else self.log.log())


class AnswerBody(View):
    """An answer about one part."""

    values: dict[str, Number]
    spans: dict[str, list[SpanBody]] = Field(default_factory=dict)
    texts: dict[str, WrittenBody] = Field(default_factory=dict)
    words: dict[str, Whole] = Field(default_factory=dict)
    seconds: Number
    broken: Annotated[str, StringConstraints(max_length=LONGEST_REMARK)] | None = None
    comment: Annotated[str, StringConstraints(max_length=LONGEST_REMARK)] | None = None

    def answer(self) -> Answer:
        return Answer(
            values=self.values,
            spans={name: tuple(span.span() for span in spans) for name, spans in self.spans.items()},
            texts={name: text.written() for name, text in self.texts.items()},
            words=self.words,
            seconds=self.seconds,
            broken=self.broken,
            comment=self.comment,
        )


class Submit(View):
    """Answers about all parts of a task; the uuid is the device's, and the same when it tries again."""

    uuid: UUID
    base_version: Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
    answers: Annotated[list[AnswerBody], Field(max_length=1000)]


class Settle(View):
    """Answers to all questions before a stage, counted from 0, whose texts are wanted."""

    stage: Annotated[int, Field(strict=True, ge=1, le=1000)]
    answers: Annotated[list[AnswerBody], Field(max_length=1000)]


class Kept(View):
    """A submit that is on the disk."""

    version: int
    again: bool
    feedback: FeedbackView | None
    hters: tuple[float | None, ...] | None


class Profile(View):
    """What raters say of themselves."""

    bilingual: Annotated[bool, Field(strict=True)]


class Left(View):
    """What a withdrawal erased."""

    judgements: int
