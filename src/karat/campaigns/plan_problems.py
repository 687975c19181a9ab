"""What is wrong with the plan of a campaign that has the right types."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING

from karat.campaigns.collected import ON_SCALE
from karat.campaigns.questions import Asked
from karat.campaigns.widgets import widget_of
from karat.campaigns.widgets.ranking import highest, rules_of
from karat.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan, Gold
    from karat.campaigns.questions import Item, Question

MOST_RATERS = 10_000
MOST_TOGETHER = 10
LARGEST_NUMBER = 1_000_000_000


def problems_of(plan: CampaignPlan) -> Iterator[str]:
    """What is wrong with a plan that has the right types, the worst first."""
    problem = _problem_of_protocol(plan)
    if problem is not None:
        yield problem
    else:
        refusals = {question.criterion: _refusal_of_question(plan, question) for question in plan.questions}
        refused = {criterion: refusal for criterion, refusal in refusals.items() if refusal is not None}
        yield from refused.values()
        yield from _problems_of_questions(plan, refused)
        yield from _problems_of_layout(plan)
        yield from _problems_of_items(plan)
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
    return None


def _refusal_of_question(plan: CampaignPlan, question: Question) -> str | None:
    """Why nothing can be answered to a question, so that nothing else can be said of it."""
    name = question.criterion
    for value in question.labels:
        if _number(value) is None:
            return f"a label of {name} stands beside {value!r}, which is not a number"
    try:
        widget = plan.widget(question)
    except InputError as error:
        return f"questions: {error}"
    if widget == "spans" and any(plan.named_widget(other) != "spans" for other in plan.questions):
        return None if name not in plan.asked.scales else f"{name} is asked for by value: call what is marked errors"
    try:
        scale = plan.asked.scale(name)
    except InputError as error:
        return f"questions: {error}"
    if widget not in plan.how.widgets:
        able = ", ".join(sorted(plan.how.widgets))
        return f"{name} of {plan.protocol} is not answered by the widget {widget}: take {able}"
    if widget in ON_SCALE and question.scale is None and (scale.minimum is None or scale.maximum is None):
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
        yield from _problems_of_rules(plan, question)
        yield from widget_of(plan.widget(question)).problems(plan, question)


def _problems_of_rules(plan: CampaignPlan, question: Question) -> Iterator[str]:
    """Rules of other widgets than the one by which a question is answered."""
    widget = plan.widget(question)
    rules = {"spans": question.spans, "ranking": question.ranking, "text": question.text}
    others = [name for name, rule in rules.items() if rule is not None and widget != name]
    others += ["options"] if question.options and widget != "choice" else []
    for name in others:
        yield f"{question.criterion} is answered by the widget {widget}: leave {name} out"
    if question.reveal and sum(other.reveal for other in plan.questions) > 1:
        yield "reveal = true goes with one question: what is uncovered stays so"


def _problems_of_layout(plan: CampaignPlan) -> Iterator[str]:
    """What cannot be on one screen."""
    if not 1 <= plan.together <= MOST_TOGETHER:
        yield f"together is {plan.together}: from 1 to {MOST_TOGETHER} translations stand beside each other"
    if (plan.unit == "system") != plan.how.whole:
        said = "judges systems as a whole: say" if plan.how.whole else "judges translations: leave out"
        yield f"{plan.protocol} {said} unit = 'system'"
    if plan.protocol == "productivity" and len(plan.systems) != 1 and plan.assignment.same_source != "never":
        yield "productivity: nobody translates a source twice: say same_source = 'never', or name one of the systems"
    if plan.context != "none" and plan.unit != "segment":
        yield f"context is what stands around a segment: with unit = '{plan.unit}' leave it out"


def _problems_of_items(plan: CampaignPlan) -> Iterator[str]:
    """Items that nobody is asked about, or whose right answer cannot be given."""
    asked = {question.criterion: question for question in plan.questions}
    for item in plan.items:
        place = f"item {item.name!r} of {item.segment if item.document is None else item.document}"
        if item.criterion not in asked:
            yield f"{place}: nobody is asked for {item.criterion!r}.{did_you_mean(item.criterion, asked)}"
        elif item.name in asked:
            yield f"{place}: an item has a name of its own, and this is a criterion's"
        if (item.segment is None) == (item.document is None):
            yield f"item {item.name!r} belongs to a segment or to a document: say one of both"
        yield from (f"{place}: {fault}" for fault in _faults_of_item(plan, item, asked))
    if plan.items and plan.segments is not None:
        yield "segments draws a sample, and items are written for every passage: leave segments out"
    names = [(item.segment, item.document, item.name) for item in plan.items]
    if len(set(names)) < len(names):
        yield "items of one segment or document have names that differ"


def _faults_of_item(plan: CampaignPlan, item: Item, asked: Mapping[str, Question]) -> Iterator[str]:
    if not item.name.strip():
        yield "it has no name"
    question = asked.get(item.criterion)
    widget = None if question is None else plan.widget(question)
    looked_for = question is not None and question.text is not None and question.text.lines
    if not item.text.strip() and not looked_for:
        yield "it has no text: say what is asked"
    if widget in ("choice", "text") and not any(right.strip() for right in item.right):
        yield "it has no right answer: right = [...]"
    if widget == "choice" and question is not None:
        options = Asked(question, item).options
        yield from (f"{right!r} is right, and no option" for right in item.right if right not in options)
        yield from ("an option is empty" for option in options if not option.strip())


def _problems_of_gold(plan: CampaignPlan, refused: Container[str]) -> Iterator[str]:
    for kind, each in (("gold", plan.gold), ("tutorial", plan.tutorial)):
        for gold in each:
            place = f"{kind} for segment {gold.segment!r} of {' and '.join(gold.systems)}"
            faults = _faults_of_ranks(plan, gold) if gold.ranks else _faults_of_answers(plan, gold, refused)
            yield from (f"{place}{fault}" for fault in faults)
            if gold.ranks and kind == "gold" and len(gold.ranks) != plan.together:
                yield f"{place} could be told by its {len(gold.ranks)} translations: rank {plan.together}"
            if not gold.ranks and kind == "gold" and plan.together > 1:
                yield f"{place} could be told by its one translation: leave it out, or say together = 1"
        places = [(gold.segment, gold.systems, gold.translation) for gold in each]
        if len(set(places)) < len(places):
            yield f"an item is {kind} once: the same segment, system and translation are there twice"


def _faults_of_answers(plan: CampaignPlan, gold: Gold, refused: Container[str]) -> Iterator[str]:
    """What is wrong with the right answers about one translation."""
    asked = [question.criterion for question in plan.questions]
    named = {item.name: item.criterion for item in plan.items} | {criterion: criterion for criterion in asked}
    questions = {question.criterion: question for question in plan.questions}
    if gold.system is None:
        yield " names no system: say which, or the ranks of several"
    for name, value in gold.values.items():
        if name not in named:
            yield f": nobody is asked for {name!r}.{did_you_mean(name, named)}"
        elif named[name] not in refused and (fault := _fault_of_value(plan, questions[named[name]], value)):
            yield f": {name} is {value:g}, which is not {fault}"
    for name in gold.spans:
        if name not in questions or plan.named_widget(questions[name]) != "spans":
            yield f": nobody is asked to mark {name!r}.{did_you_mean(name, asked)}"
    if not gold.values and not gold.spans:
        yield " has no values: say at least one right answer"


def _faults_of_ranks(plan: CampaignPlan, gold: Gold) -> Iterator[str]:
    """What is wrong with the right order of several translations."""
    rules = [rules_of(question) for question in plan.questions if plan.named_widget(question) == "ranking"]
    if gold.system is not None or gold.values or gold.spans or gold.translation is not None:
        yield " has ranks: leave system, values, spans and translation out"
    if not rules:
        yield ": nobody is asked for ranks"
    elif len(gold.ranks) < 2 or any(
        rank not in range(1, highest(rules[0], len(gold.ranks)) + 1) for rank in gold.ranks.values()
    ):
        yield f": ranks are of two translations or more, from 1 to {highest(rules[0], len(gold.ranks))}"


def _fault_of_value(plan: CampaignPlan, question: Question, value: float) -> str | None:
    """What a right answer must be, where it is not."""
    if plan.widget(question) == "choice":
        return None if value >= 0 and value % 1 == 0 else "the number of an option, counted from 0"
    if plan.widget(question) not in ON_SCALE:
        return "what is asked: the right answer is no number"
    scale = plan.scale(question.criterion)
    return None if scale.holds(value) else scale.says()


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
    if not 0 <= plan.pass_mark <= 1:
        yield f"pass_mark is {plan.pass_mark:g}: it is a share between 0 and 1"
    elif plan.pass_mark and not plan.tutorial:
        yield "pass_mark is the share of a tutorial, and there is none: add [[tutorial]]"
    if controls.repeats + controls.degraded > 1:
        yield "controls: repeats and degraded are together more than the ordinary work: take smaller shares"
    for check in ("repeats", "degraded"):
        if check in controls.loud and getattr(controls, check) == 0:
            yield f"controls.loud names {check}, and there are none: say {check} = 0.1, for instance"
    if "gold" in controls.loud and not plan.gold:
        yield "controls.loud names gold, and there is none: add [[gold]]"
