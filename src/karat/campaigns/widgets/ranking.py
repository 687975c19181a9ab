"""Translations of one segment put in order, or compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from karat.campaigns.questions import Asked, Question, RankingRules
from karat.campaigns.said import Answer
from karat.campaigns.widgets.base import Given, Row, Widget, register_widget
from karat.corpus.ratings.alignment import JOINED

if TYPE_CHECKING:
    from karat.campaigns.plan import CampaignPlan

ALL_BAD = "all are bad"
"""What a preference's `answer` says where nobody was the best; of two, that both are bad."""


@register_widget
class RankingWidget(Widget):
    """A rank for each translation, 1 for the best."""

    names = ("ranking",)

    def problems(self, plan: CampaignPlan, question: Question) -> Iterator[str]:
        name = question.criterion
        rules = rules_of(question)
        if plan.together < 2:
            yield f"{name} puts translations in order: say how many stand together, such as together = 5"
        if plan.unit == "system":
            yield f"{name} puts translations in order, so it needs texts: take unit = 'segment' or 'document'"
        if rules.none and rules.form != "best":
            yield f"ranking of {name}: none = true goes with form = 'best'"
        if plan.protocol == "preference" and rules.form != "best":
            yield f"ranking of {name}: a preference names the best, so the form is 'best'"
        if plan.controls.degraded:
            yield "controls.degraded: no control tells whether a ranking of damaged translations is right; take repeats"

    def lacks(self, given: Given, asked: Asked) -> Iterator[str]:
        whole = [given.answers[part] for part in given.beside if given.answers[part].broken is None]
        value = given.answer.values[asked.name]
        most = highest(rules_of(asked.question), given.task.columns)
        if value not in range(1, most + 1):
            yield f"{asked.name} is a rank from 1 to {most}"
        elif given.answer is whole[0] and all(asked.name in answer.values for answer in whole):
            ranks = [answer.values[asked.name] for answer in whole]
            yield from _faults(rules_of(asked.question), ranks, asked.name)

    def rows(self, given: Given, asked: Asked) -> Iterator[Row]:
        criterion = asked.question.criterion
        if given.plan.protocol != "preference":
            # Systems that share an output are one row, which was judged once; analyses take it apart.
            joined = JOINED.join(given.systems)
            yield {"criterion": criterion, "system": joined, "value": given.answer.values.get(asked.name)}
        elif given.part == given.beside[0]:
            yield from ({"criterion": criterion, **row} for row in _preferences(given, asked))

    def answered(self, asked: Asked, answer: Answer) -> bool:
        return asked.name in answer.values


def rules_of(question: Question) -> RankingRules:
    """The rules of a question, which has those of a ranking with ties where it says nothing."""
    return question.ranking or RankingRules()


def highest(rules: RankingRules, columns: int) -> int:
    """The worst rank that may be given."""
    return {"ranks": columns, "best": 2, "best-worst": 3}[rules.form]


def _faults(rules: RankingRules, ranks: Sequence[float], name: str) -> Iterator[str]:
    """What is wrong with ranks that are all there."""
    count = Counter(ranks)
    if rules.form == "ranks" and not rules.ties and max(count.values()) > 1:
        yield f"{name}: two translations cannot share a rank"
    if rules.form == "best" and not (count[1] == 1 or (count[1] > 1 and rules.ties) or (not count[1] and rules.none)):
        yield f"{name}: name the best" if not count[1] else f"{name}: only one can be the best"
    if rules.form == "best-worst" and len(ranks) > 1 and (count[1], count[3]) != (1, 1):
        yield f"{name}: name the best and the worst"


def _preferences(given: Given, asked: Asked) -> Iterator[Row]:
    """A row for each two translations of which something is known: the best and any other."""
    ranks = {part: given.answers[part].values.get(asked.name) for part in given.beside}
    none = all(rank == 2 for rank in ranks.values())
    for left, right in combinations(given.beside, 2):
        if ranks[left] is None or ranks[right] is None:
            yield from _pair(given, left, right, {"label": None, "broken": _broken(given, left, right)})
        elif ranks[left] == 1 or ranks[right] == 1 or none:
            label = "tie" if ranks[left] == ranks[right] else "first" if ranks[left] == 1 else "second"
            yield from _pair(given, left, right, {"label": label, "answer": ALL_BAD if none else None, "broken": None})


def _pair(given: Given, left: int, right: int, said: Row) -> Iterator[Row]:
    """Each system with one output, beside each with the other."""
    for system in given.task.systems_of(given.task.parts[left]):
        for opponent in given.task.systems_of(given.task.parts[right]):
            yield {"system": system, "other_system": opponent, "target": None, **said}


def _broken(given: Given, left: int, right: int) -> str | None:
    return given.answers[left].broken or given.answers[right].broken
