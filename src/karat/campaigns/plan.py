"""The plan of a campaign: what raters are asked, what they see meanwhile, and how the work is divided.

A campaign file is TOML and holds nothing else, so that people can read it, change it and keep it under version control.
Texts are in a file beside it, and the address of the database comes from the environment.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Any, Literal

from karat.arguments import LARGEST_SCORE
from karat.campaigns.declared import built
from karat.corpus.ratings.protocols import Protocol, Scale, protocol, protocol_names
from karat.errors import InputError, ProblemsError, did_you_mean, problems_in
from karat.quick_dataclasses import dataclass

Unit = Literal["segment", "document"]
Widget = Literal["points", "slider"]
Sight = Literal["source", "reference"]
SameSource = Literal["any", "never"]
Outputs = Literal["all", "some"]
Check = Literal["repeats", "degraded", "gold"]

MOST_POINTS = 11
"""Up to so many points are shown one by one; a finer scale is a slider."""


MOST_RATERS = 10_000
LARGEST_NUMBER = 1_000_000_000


@dataclass(frozen=True, kw_only=True)
class OwnScale:
    """A scale of your own, for a criterion of the protocol `custom`; more is better."""

    minimum: float
    maximum: float
    whole: bool = True


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question about a translation: its criterion, what is shown beside the translation, and how it is answered.

    What has been shown for one question stays in sight for the next: nobody can unsee it. `labels` are what stands
    beside values, in place of the protocol's words.
    """

    criterion: str
    show: tuple[Sight, ...] = ()
    widget: Widget | None = None
    scale: OwnScale | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


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

    It shows a system's output, or a `translation` in its place. The `explanation` is told after a wrong answer, where
    gold is loud.
    """

    segment: str
    system: str
    values: Mapping[str, float]
    translation: str | None = None
    explanation: str | None = None


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

    `segments` and `documents` take a sample of so many; none takes all. `systems` are those that are judged, in no
    order that a rater could see; none takes all of them. Where only `some` have output of every segment, what a system
    has no output of is not judged.
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

    def __post_init__(self) -> None:
        if problems := list(_problems(self)):
            raise ProblemsError(problems)

    @property
    def asked(self) -> Protocol:
        """The protocol that raters follow."""
        return protocol(self.protocol)

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

    def widget(self, question: Question) -> Widget:
        """How a question is answered: as the plan says, else by points where there are few.

        Protocols that take values between points, as SQM does, are asked by points, too.
        """
        if question.widget is not None:
            return question.widget
        scale = self.scale(question.criterion)
        by_points = few_points(scale) and (scale.whole or question.scale is None)
        return "points" if by_points else "slider"

    @property
    def language_pair(self) -> str | None:
        """Source and target language, where both are named."""
        both = self.source_language and self.target_language
        return f"{self.source_language}-{self.target_language}" if both else None


def few_points(scale: Scale) -> bool:
    """Whether the whole numbers of a scale are few enough to be shown one by one.

    >>> [few_points(Scale(minimum=0, maximum=end)) for end in (6, 100, 0.5)]
    [True, False, False]
    """
    if scale.minimum is None or scale.maximum is None or scale.minimum % 1 or scale.maximum % 1:
        return False
    return scale.maximum - scale.minimum < MOST_POINTS


def _problems(plan: CampaignPlan) -> Iterator[str]:
    """What is wrong with a plan that has the right types, the worst first."""
    problem = _problem_of_protocol(plan)
    if problem is not None:
        yield problem
    else:
        refusals = {question.criterion: _refusal_of_question(plan, question) for question in plan.questions}
        refused = {criterion: refusal for criterion, refusal in refusals.items() if refusal is not None}
        yield from refused.values()
        yield from _problems_of_questions(plan, refused)
        yield from _problems_of_gold(plan, refused)
    if plan.texts in (".", "..") or any(sign in plan.texts for sign in "/\\\0") or not plan.texts:
        yield f"texts is {plan.texts!r}: it is a file beside the campaign file"
    yield from _problems_of_numbers(plan)
    yield from _problems_of_controls(plan)
    for name, code in (("source_language", plan.source_language), ("target_language", plan.target_language)):
        if code is not None and not (code.isascii() and code.replace("-", "").isalnum()):
            yield f"{name}: {code!r} is not a language code such as de or pt-BR"


def _problem_of_protocol(plan: CampaignPlan) -> str | None:
    """Why nobody can be asked by the protocol."""
    try:
        asked = plan.asked
    except InputError as error:
        return f"protocol: {error}"
    if asked.name != plan.protocol:
        return f"protocol: write {asked.name} for {plan.protocol}, the name that its judgements will carry"
    if asked.only_scales:
        return None
    able = ", ".join(name for name in protocol_names() if protocol(name).only_scales)
    return (
        f"protocol: {asked.name} takes more than points on a scale, which karat cannot collect yet; it collects {able}"
    )


def _refusal_of_question(plan: CampaignPlan, question: Question) -> str | None:
    """Why nothing can be answered to a question, so that nothing else can be said of it."""
    name = question.criterion
    try:
        scale = plan.asked.scale(name)
    except InputError as error:
        return f"questions: {error}"
    for value in question.labels:
        if _number(value) is None:
            return f"a label of {name} stands beside {value!r}, which is not a number"
    if question.scale is None and (scale.minimum is None or scale.maximum is None):
        own = ": add scale = {minimum = 1, maximum = 5}" if plan.asked.open_criteria else ""
        return f"{name} of {plan.protocol} has no scale with two ends, so that raters could not be asked{own}"
    return None


def _problems_of_questions(plan: CampaignPlan, refused: Container[str]) -> Iterator[str]:
    asked = [question.criterion for question in plan.questions]
    if not asked:
        yield "a campaign asks at least one question: add [[questions]] with a criterion"
    if len(set(asked)) < len(asked):
        yield f"each criterion is asked for once: {', '.join(asked)}"
    for question in plan.questions:
        if question.criterion in refused:
            continue
        yield from _problems_of_scale(plan, question)
        scale = plan.scale(question.criterion)
        if question.widget == "points" and not few_points(scale):
            yield f"{question.criterion} has more values than {MOST_POINTS} points: take the widget slider"


def _problems_of_scale(plan: CampaignPlan, question: Question) -> Iterator[str]:
    """What is wrong with the values that may be answered."""
    name = question.criterion
    if question.scale is not None and not plan.asked.open_criteria:
        yield f"{plan.protocol} has its own scale for {name}: leave scale out, or take the protocol custom"
    scale = plan.scale(name)
    assert scale.minimum is not None and scale.maximum is not None
    if not -LARGEST_SCORE <= scale.minimum < scale.maximum <= LARGEST_SCORE:
        yield f"the scale of {name} goes from {scale.minimum:g} to {scale.maximum:g}: it must go up"
    if scale.whole and (scale.minimum % 1 or scale.maximum % 1):
        yield f"the scale of {name} has whole numbers only, so its ends must be such: or say whole = false"
    for value in question.labels:
        if not scale.holds(float(value)):
            yield f"a label of {name} stands beside {value}, which is not {scale.says()}"


def _problems_of_gold(plan: CampaignPlan, refused: Container[str]) -> Iterator[str]:
    asked = [question.criterion for question in plan.questions]
    for gold in plan.gold:
        place = f"gold for segment {gold.segment!r} of {gold.system}"
        for criterion, value in gold.values.items():
            if criterion not in asked:
                yield f"{place}: nobody is asked for {criterion!r}.{did_you_mean(criterion, asked)}"
            elif criterion not in refused and not plan.scale(criterion).holds(value):
                yield f"{place}: {criterion} is {value:g}, which is not {plan.scale(criterion).says()}"
        if not gold.values:
            yield f"{place} has no values: say at least one right answer"
    places = [(gold.segment, gold.system, gold.translation) for gold in plan.gold]
    if len(set(places)) < len(places):
        yield "an item is gold once: the same segment, system and translation are there twice"


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _problems_of_numbers(plan: CampaignPlan) -> Iterator[str]:
    division = plan.assignment
    ends = {
        "segments": (plan.segments, 1, LARGEST_NUMBER),
        "assignment.raters": (division.raters, 1, MOST_RATERS),
        "assignment.judgements": (division.judgements, 1, MOST_RATERS),
        "assignment.lease_minutes": (division.lease_minutes, 1, LARGEST_NUMBER),
        "assignment.hand_over_hours": (division.hand_over_hours, 0, LARGEST_NUMBER),
    }
    for name, (value, least, most) in ends.items():
        if value is not None and not least <= value <= most:
            limit = f"at least {least}" if value < least else f"at most {most:,}"
            yield f"{name} is {value:g}: it must be {limit}"
    if division.judgements > division.raters:
        yield (
            f"assignment: {division.judgements} judgements of each item need as many raters, and there are "
            f"{division.raters}: nobody judges an item twice"
        )


def _problems_of_controls(plan: CampaignPlan) -> Iterator[str]:
    controls = plan.controls
    for name in ("repeats", "degraded", "tolerance"):
        share: float = getattr(controls, name)
        if not 0 <= share <= 1:
            yield f"controls.{name} is {share:g}: it is a share between 0 and 1"
    if controls.repeats + controls.degraded > 1:
        yield "controls: repeats and degraded are together more than the ordinary work: take smaller shares"
    for check in ("repeats", "degraded"):
        if check in controls.loud and getattr(controls, check) == 0:
            yield f"controls.loud names {check}, and there are none: say {check} = 0.1, for instance"
    if "gold" in controls.loud and not plan.gold:
        yield "controls.loud names gold, and there is none: add [[gold]]"


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
    for question in plan.questions:
        lines += ["", "[[questions]]", *_settings(question)]
    for name in ("assignment", "controls"):
        lines += ["", f"[{name}]", *_settings(getattr(plan, name))]
    for gold in plan.gold:
        lines += ["", "[[gold]]", *_settings(gold)]
    return "\n".join(lines) + "\n"


def _settings(table: Any) -> Iterator[str]:
    for definition in fields(table):
        value = getattr(table, definition.name)
        if value is None or value == {} or definition.name in ("questions", "assignment", "controls", "gold"):
            continue
        yield f"{definition.name} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        escaped = "".join(_escaped(sign) for sign in value)
        return f'"{escaped}"'
    if isinstance(value, OwnScale):
        return _toml({definition.name: getattr(value, definition.name) for definition in fields(value)})
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_toml(name)} = {_toml(inner)}' for name, inner in value.items())}}}"
    return repr(value).lower() if isinstance(value, bool) else repr(value)


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"
