"""The plan of a campaign: what raters are asked, what they see meanwhile, and how the work is divided.

A campaign file is TOML and holds nothing else, so that people can read it, change it and keep it under version control.
Texts are in a file beside it, and the address of the database comes from the environment.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from karat.campaigns.collected import Collected, collected
from karat.campaigns.declared import built, stored
from karat.campaigns.plan_problems import problems_of
from karat.campaigns.questions import Asked, Item, OwnScale, Question, Sight, WidgetName
from karat.campaigns.said import Mark
from karat.campaigns.widgets.scale import few_points
from karat.corpus.ratings.protocols import Protocol, Scale, protocol
from karat.errors import InputError, ProblemsError, problems_in
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.tasks import RatingTask

__all__ = [
    "Assignment",
    "CampaignPlan",
    "Check",
    "Context",
    "Controls",
    "Gold",
    "Item",
    "OwnScale",
    "Question",
    "SameSource",
    "Sight",
    "Unit",
    "read_plan",
    "written_plan",
    "written_tables",
]

Unit = Literal["segment", "document", "system"]
Context = Literal["none", "neighbours", "document"]
SameSource = Literal["any", "never"]
Outputs = Literal["all", "some"]
Check = Literal["repeats", "degraded", "gold"]


@dataclass(frozen=True, kw_only=True)
class Controls:
    """Items that tell who pays attention: `repeats` and `degraded` are shares of the ordinary work of each rater.

    Of the kinds that are `loud`, raters are told at once whether they answered well. `tolerance` is how far an answer
    may be from the one before, or from gold, as a share of its scale.
    """

    repeats: float = 0.0
    degraded: float = 0.0
    loud: tuple[Check, ...] = ()
    tolerance: float = 0.25


@dataclass(frozen=True, kw_only=True)
class Gold:
    """An item whose right answers are known, which every rater gets once.

    It shows a system's output, or a `translation` in its place. Right are the `values` and, by question, the `spans`
    that are to be marked. Of several systems that stand beside each other, the `ranks` are right. The `explanation` is
    told after a wrong answer, where gold is loud.
    """

    segment: str
    system: str | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    spans: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    ranks: Mapping[str, float] = field(default_factory=dict)
    translation: str | None = None
    explanation: str | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """Whose output is shown."""
        return tuple(self.ranks) if self.system is None else (self.system,)


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """How the work is divided: raters, judgements of each item, and how long an item waits for one who has it."""

    raters: int = 2
    judgements: int = 1
    same_source: SameSource = "any"
    lease_minutes: int = 60
    hand_over_hours: float = 48


@dataclass(frozen=True, kw_only=True)
class CampaignPlan:
    """A whole campaign file.

    `segments` takes a sample of so many; none takes all. `systems` are those that are judged, in no order that a rater
    could see; none takes all of them, and so many stand `together` on one screen. Where only `some` have output of
    every segment, what a system has no output of is not judged. Where systems are judged as a whole, `names` are what
    raters know them by. `items` are what questions are asked about. Who gets fewer items of the `tutorial` right than
    the share `pass_mark` is asked nothing more.
    """

    name: str
    protocol: str
    questions: tuple[Question, ...]
    source_language: str | None = None
    target_language: str | None = None
    unit: Unit = "segment"
    segments: int | None = None
    systems: tuple[str, ...] = ()
    outputs: Outputs = "all"
    seed: int = 1
    texts: str = "texts.jsonl"
    texts_sha256: str | None = None
    guidelines: str | None = None
    assignment: Assignment = field(default_factory=Assignment)
    controls: Controls = field(default_factory=Controls)
    gold: tuple[Gold, ...] = ()
    together: int = 1
    context: Context = "none"
    names: Mapping[str, str] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    tutorial: tuple[Gold, ...] = ()
    pass_mark: float = 0.0

    def __post_init__(self) -> None:
        if problems := list(problems_of(self)):
            raise ProblemsError(problems)

    @property
    def asked(self) -> Protocol:
        """The protocol that raters follow."""
        return protocol(self.protocol)

    @property
    def how(self) -> Collected:
        """How the protocol is collected."""
        return collected(self.protocol)

    def asked_of(self, task: RatingTask, part: int) -> tuple[Asked, ...]:
        """The questions about one part, each as often as it has items there."""
        return tuple(asked for question in self.questions for asked in self.asked_by(question, task, part))

    def asked_by(self, question: Question, task: RatingTask, part: int) -> tuple[Asked, ...]:
        """One question about one part: as it is, or once for each item."""
        if not self.by_items(question):
            return (Asked(question),)
        return tuple(Asked(question, item) for item in self.items_of(task, part, question.criterion))

    def by_items(self, question: Question) -> bool:
        """Whether a question is asked about items; those that raters look for themselves are not shown."""
        looked_for = question.text is not None and question.text.lines
        return not looked_for and question.criterion in self._with_items

    def items_of(self, task: RatingTask, part: int, criterion: str) -> Iterator[Item]:
        """The items of a part: those of its segment and, where a document ends, those of the document."""
        ends = part >= len(task.parts) - task.columns
        places = (
            [(task.parts[part].segment, None), (None, task.document)] if ends else [(task.parts[part].segment, None)]
        )
        yield from (item for place in places for item in self._items_at.get((criterion, *place), ()))

    @cached_property
    def _items_at(self) -> Mapping[tuple[str, str | None, str | None], Sequence[Item]]:
        """The items by criterion, segment and document."""
        known: dict[tuple[str, str | None, str | None], list[Item]] = {}
        for item in self.items:
            known.setdefault((item.criterion, item.segment, item.document), []).append(item)
        return known

    @cached_property
    def _with_items(self) -> frozenset[str]:
        """The criteria that there are items of."""
        return frozenset(item.criterion for item in self.items)

    def scale(self, criterion: str) -> Scale:
        """The scale of a criterion, with the labels that raters read."""
        question = next((question for question in self.questions if question.criterion == criterion), None)
        if question is None:
            return self.asked.scale(criterion)
        own, scale = question.scale, self.asked.scale(criterion)
        if own is not None:
            scale = Scale(minimum=own.minimum, maximum=own.maximum, whole=own.whole)
        labels = tuple((float(value), label) for value, label in question.labels.items())
        return replace(scale, labels=labels) if labels else scale

    def shown(self) -> dict[str, tuple[Sight, ...]]:
        """What is in sight beside a translation when each criterion is judged."""
        in_sight: list[Sight] = []
        by_criterion = {}
        for question in self.questions:
            in_sight += [sight for sight in question.show if sight not in in_sight]
            by_criterion[question.criterion] = tuple(in_sight)
        return by_criterion

    def widget(self, question: Question) -> WidgetName:
        """How a question is answered: as the plan says, else as the protocol does, else by points where there are few.

        Protocols that take values between points, as SQM does, are asked by points, too.
        """
        if (widget := self.named_widget(question)) is not None:
            return widget
        scale = self.scale(question.criterion)
        by_points = few_points(scale) and (scale.whole or question.scale is None)
        return "points" if by_points else "slider"

    def named_widget(self, question: Question) -> WidgetName | None:
        """The widget that a question names or has the rules of, else that by which its protocol asks for it."""
        if question.widget is not None:
            return question.widget
        rules: dict[WidgetName, object] = {
            "spans": question.spans,
            "ranking": question.ranking,
            "text": question.text,
            "choice": question.options or None,
        }
        named = [widget for widget, rule in rules.items() if rule is not None]
        usual = [each.widget for each in self.how.questions if each.criterion == question.criterion]
        return next(iter([*named, *usual]), None)

    @property
    def language_pair(self) -> str | None:
        """Source and target language, where both are named."""
        both = self.source_language and self.target_language
        return f"{self.source_language}-{self.target_language}" if both else None


def read_plan(text: str, file: str) -> CampaignPlan:
    """The plan in a campaign file; errors name the file and the place in it."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{file} is not TOML: {error}") from error
    try:
        plan: CampaignPlan = built(CampaignPlan, table, "")
    except InputError as error:
        raise ProblemsError(f"{file}: {problem}" for problem in problems_in(error)) from error
    return plan


def written_plan(plan: CampaignPlan) -> str:
    """The plan as a campaign file, which reads back to the same plan.

    >>> plan = CampaignPlan(name="try", protocol="sqm", questions=(Question(criterion="overall", show=("source",)),))
    >>> read_plan(written_plan(plan), "campaign.toml") == plan
    True
    """
    lines = list(_settings(plan))
    rest = []
    for name in ("assignment", "controls"):
        rest += ["", f"[{name}]", *_settings(getattr(plan, name))]
    parts = ["\n".join([*lines, ""]), written_tables("questions", plan.questions), "\n".join([*rest, ""])]
    lists = {"gold": plan.gold, "tutorial": plan.tutorial, "items": plan.items}
    return "".join([*parts, *(written_tables(name, tables) for name, tables in lists.items())])


def written_tables(name: str, tables: Iterable[Any]) -> str:
    """A part of a campaign file: tables of one name, complete or not."""
    return "".join("\n".join(["", f"[[{name}]]", *_settings(table), ""]) for table in tables)


QUIET = ("together", "context", "pass_mark")
"""Settings that are written where they say something."""
TABLES = ("questions", "assignment", "controls", "gold", "items", "tutorial")
"""Settings that are tables of their own."""


def _settings(table: Any) -> Iterator[str]:
    for definition in fields(table):
        value = getattr(table, definition.name)
        says_nothing = value is None or value is False or (value in ((), {}) and definition.name != "show")
        usual = definition.name in QUIET and value == definition.default
        if says_nothing or usual or definition.name in TABLES:
            continue
        yield f"{definition.name} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        escaped = "".join(_escaped(sign) for sign in value)
        return f'"{escaped}"'
    if is_dataclass(value):
        return _toml(
            {name: tuple(inner) if isinstance(inner, list) else inner for name, inner in stored(value).items()}
        )
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(name)} = {_toml(inner)}' for name, inner in value.items())}}}"
    return repr(value).lower() if isinstance(value, bool) else repr(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"
