"""All checks, and the search that makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.analysis.flaws import lengths, marks, numbers, wording
from karat.analysis.flaws.model import Check, Flaw, FlawCount, FlawReport, Judge, Severity
from karat.analysis.flaws.situation import CAPITALISED_NOUNS
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.analysis.flaws.lines import SegmentTexts
    from karat.analysis.flaws.situation import Place, Situation

Search = Callable[["Situation", "SegmentTexts"], Iterator["Place"]]
Obstacle = Callable[["Situation"], str | None]


def _nothing(situation: Situation) -> str | None:  # noqa: ARG001 - every check asks the same way
    return None


def _no_source(situation: Situation) -> str | None:
    return "it takes the source: -s FILE" if situation.source is None else None


def _no_source_words(situation: Situation) -> str | None:
    if situation.source is None:
        return "it takes the source: -s FILE"
    if not situation.references:
        return "it takes references: -r FILE"
    same = situation.source_language is not None and situation.source_language == situation.target_language
    return "source and target are one language" if same else None


def _no_script(situation: Situation) -> str | None:
    return "no script is that of most letters" if situation.target_script is None else None


def _no_identification(situation: Situation) -> str | None:
    if not situation.identify_languages:
        return "ask for it: karat analyse findings --identify-language"
    known = situation.target_language or situation.references
    return None if known else "the target language is not known: -l XX-YY"


def _no_names(situation: Situation) -> str | None:
    if not situation.references:
        return "it takes references: -r FILE"
    if situation.target_language in CAPITALISED_NOUNS:
        return "capitals do not mark names in the target language"
    return None if situation.capitals_mark_names else "the references do not set names off by capitals"


def _no_terms(situation: Situation) -> str | None:
    return None if situation.terms else "it takes terms: karat analyse findings --terms FILE"


def _no_others(situation: Situation) -> str | None:
    return None if len(situation.scores) >= 3 else "it takes references and three systems"


@dataclass(frozen=True)
class Finder:
    """A check with how it is made, what it holds outputs against, and what may be in its way."""

    check: Check
    search: Search | None
    obstacle: Obstacle = _nothing
    judge: Judge | None = None


def _finder(
    code: str,
    severity: Severity,
    meaning: str,
    search: Search | None,
    obstacle: Obstacle = _nothing,
    judge: Judge | None = None,
) -> Finder:
    return Finder(Check(code, severity, meaning), search, obstacle, judge)


FINDERS = (
    _finder("empty", "critical", "no output at all", lengths.empty),
    _finder("repetition", "critical", "a phrase is said over and over", wording.loops),
    _finder("untranslated", "critical", "the source, not a translation", wording.copies, _no_source),
    _finder("wrong-script", "critical", "letters of another script", wording.wrong_scripts, _no_script),
    _finder("wrong-language", "critical", "another language", wording.wrong_languages, _no_identification),
    _finder("truncated", "critical", "the end is missing", lengths.truncated),
    _finder("placeholder", "critical", "placeholders lost or invented", marks.placeholders),
    _finder("tag", "major", "tags lost, invented or broken", marks.tags),
    _finder("source-words", "major", "words of the source left in", wording.words_left, _no_source_words),
    _finder("number", "major", "numbers lost or invented", numbers.numbers),
    _finder("url", "major", "addresses of pages lost or invented", marks.urls),
    _finder("email", "major", "e-mail addresses lost or invented", marks.emails),
    _finder("term", "major", "terms not translated as required", wording.terms_missed, _no_terms),
    _finder("name", "major", "names lost", wording.names, _no_names),
    _finder("length", "major", "far too long or too short", lengths.length_outliers),
    _finder("below-others", "major", "far below all other systems", None, _no_others, "systems"),
    _finder("bracket", "minor", "brackets that do not pair up", marks.brackets),
    _finder("quote", "minor", "quotes that do not pair up", marks.quotes),
)


def search_flaws(situation: Situation) -> FlawReport:
    """Make all checks that can be made, and count what they find."""
    obstacles = {finder.check.code: finder.obstacle(situation) for finder in FINDERS}
    made = [finder for finder in FINDERS if obstacles[finder.check.code] is None]
    flaws: list[Flaw] = []
    counts: list[FlawCount] = []
    for name in situation.systems:
        of_system = [[*_flaws(finder, situation, name)] for finder in made]
        for finder, of_check in zip(made, of_system, strict=True):
            check = finder.check
            counts.append(FlawCount(name, check.code, check.severity, len(of_check), len(situation)))
        flaws += sorted((flaw for of_check in of_system for flaw in of_check), key=lambda flaw: flaw.segment)
    return FlawReport(
        segments=len(situation),
        systems=tuple(situation.systems),
        against="references" if situation.source is None else "source",
        checks=tuple(replace(finder.check, skipped=obstacles[finder.check.code]) for finder in FINDERS),
        counts=tuple(counts),
        flaws=tuple(flaws),
    )


def _flaws(finder: Finder, situation: Situation, name: str) -> Iterator[Flaw]:
    check = finder.check
    if finder.search is None:
        places = lengths.far_below(situation, name)
    else:
        places = finder.search(situation, situation.systems[name])
    judge: Judge = finder.judge or ("references" if situation.source is None else "source")
    documents = situation.documents
    for place in places:
        document = None if documents is None else documents[place.segment]
        yield Flaw(check.code, check.severity, name, place.segment + 1, judge, place.lost, place.added, document)
