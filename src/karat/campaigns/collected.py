"""How each protocol is collected: what it asks by which widget, and what it needs beside texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from karat.campaigns.questions import OwnScale, Question, RankingRules, Sight, SpanRules, TextRules, WidgetName
from karat.corpus.ratings.protocols import Protocol, protocol
from karat.corpus.ratings.protocols.tasks import CANNOT_BE_DETERMINED, FEMTI_CRITERIA, NONE_OF_ABOVE
from karat.quick_dataclasses import dataclass

Needed = Literal["options", "answers", "fragments", "elements"]

ALONE = {"fluency", "intelligibility"}
"""Criteria that are judged by the translation alone, before anything else is seen."""
FIXED_OPTIONS = (NONE_OF_ABOVE, CANNOT_BE_DETERMINED)
"""What stands last among the options of every question about informativeness."""
ON_SCALE: frozenset[WidgetName] = frozenset({"points", "slider"})

MQM_CATEGORIES = (
    *("accuracy/addition", "accuracy/omission", "accuracy/mistranslation", "accuracy/untranslated"),
    *("fluency/grammar", "fluency/spelling", "fluency/punctuation", "fluency/register", "fluency/inconsistency"),
    *("fluency/encoding", "terminology/inappropriate", "terminology/inconsistent", "style/awkward"),
    *("locale/format", "source error", "non-translation", "other"),
)
ERROR_TYPES = (
    *("mistranslation", "grammar", "word form", "word order", "addition", "omission"),
    *("untranslated", "spelling", "punctuation", "other"),
)


@dataclass(frozen=True, kw_only=True)
class Collected:
    """How a protocol is collected.

    It needs `items`, if anything, and so many translations `together`. Where `whole`, systems are judged, and no text.
    """

    questions: tuple[Question, ...]
    items: Needed | None = None
    together: int = 1
    whole: bool = False
    also: frozenset[WidgetName] = frozenset()

    @property
    def widgets(self) -> frozenset[WidgetName]:
        """The widgets that may be taken."""
        own = frozenset(question.widget or "points" for question in self.questions)
        return own | self.also | (ON_SCALE if own & ON_SCALE else frozenset())


def _asked(criterion: str, widget: WidgetName, **rules: object) -> Question:
    made: Question = replace(Question(criterion=criterion, widget=widget), **rules)  # type: ignore[arg-type]
    return made


_SPANS_OF_ESA = SpanRules(severities=("minor", "major"), tokens=("[missing]",), overlap=False)
_SPANS_OF_MQM = SpanRules(texts=("hypothesis", "source"), categories=MQM_CATEGORIES, severities=("minor", "major"))
_WORDS = SpanRules(unit="words", gaps=True)
_CORRECTED = TextRules(start="translation", log=True, minimal=True)
_LABELS_OF_TASKS = {"1": "could be done", "0": "could not be done"}

_COLLECTED: Mapping[str, Collected] = {
    "esa": Collected(
        questions=(
            _asked("errors", "spans", spans=_SPANS_OF_ESA),
            _asked(
                "overall", "slider", labels={str(n): text for n, text in protocol("da-sqm").scale("overall").labels}
            ),
        )
    ),
    "mqm": Collected(questions=(_asked("penalty", "spans", spans=_SPANS_OF_MQM),)),
    "error-types": Collected(questions=(_asked("penalty", "spans", spans=replace(_WORDS, categories=ERROR_TYPES)),)),
    "word-tags": Collected(questions=(_asked("target", "spans", spans=_WORDS),)),
    "ranking": Collected(questions=(_asked("overall", "ranking", ranking=RankingRules()),), together=5),
    "preference": Collected(
        questions=(_asked("overall", "ranking", ranking=RankingRules(form="best", none=True)),), together=2
    ),
    "post-edit": Collected(questions=(_asked("hter", "text", text=_CORRECTED),)),
    "productivity": Collected(
        questions=(_asked("post-editing", "text", text=TextRules(start="translation", log=True)),)
    ),
    "comprehension": Collected(
        questions=(_asked("comprehension", "choice"),), items="options", also=frozenset({"text"})
    ),
    "informativeness": Collected(questions=(_asked("informativeness", "choice"),), items="options"),
    "question-answering": Collected(questions=(_asked("answers", "text", text=TextRules()),), items="answers"),
    "extraction": Collected(
        questions=tuple(_asked(kind, "text", text=TextRules(lines=True)) for kind in ("who", "when", "where")),
        items="elements",
    ),
    "task": Collected(
        questions=tuple(_asked(name, "points", labels=_LABELS_OF_TASKS) for name in protocol("task").scales),
        also=frozenset({"choice"}),
    ),
    "fragment-adequacy": Collected(questions=(_asked("adequacy", "points"),), items="fragments"),
    "femti": Collected(questions=tuple(_asked(name, "points") for name in FEMTI_CRITERIA), whole=True),
}


def collected(name: str) -> Collected:
    """How a protocol is collected; one that is not named here asks for points on each of its scales."""
    if name in _COLLECTED:
        return _COLLECTED[name]
    asked = protocol(name)
    able = [each for each, scale in asked.scales.items() if scale.minimum is not None and scale.maximum is not None]
    first = (asked.criterion,) if name in ("da", "da-sqm") else sorted(able, key=lambda each: each not in ALONE)
    also: frozenset[WidgetName] = frozenset({"choice"}) if asked.open_criteria else frozenset()
    return Collected(questions=tuple(Question(criterion=each) for each in first), also=ON_SCALE | also)


def questions_for(
    asked: Protocol, beside: tuple[Sight, ...], scales: tuple[tuple[str, float, float], ...]
) -> Iterator[Question]:
    """The questions of a new campaign, what is seen first asked first; those of no protocol are on `scales`."""
    for name, lowest, highest in scales:
        whole = lowest % 1 == highest % 1 == 0
        yield Question(criterion=name, show=beside, scale=OwnScale(minimum=lowest, maximum=highest, whole=whole))
    for question in collected(asked.name).questions:
        yield replace(question, show=_shown(asked.name, question, beside))


def _shown(name: str, question: Question, beside: tuple[Sight, ...]) -> tuple[Sight, ...]:
    """What stands beside a translation: nothing for readers, and the source wherever it is marked or translated."""
    how = collected(name)
    if question.criterion in ALONE or how.whole or how.items in ("options", "answers", "elements"):
        return ()
    needs_source = name in ("mqm", "esa", "post-edit", "productivity")
    return ("source",) if needs_source and "source" not in beside else beside
