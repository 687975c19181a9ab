"""Words that should not be there, or should: loops, words of the source, other scripts and languages, names, terms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.flaws.situation import Place
from karat.corpus.scripts import SCRIPTS, WITHOUT_SPACES
from karat.errors import MissingExtraError
from karat.kernels import phrase_runs
from karat.text import TextColumn, tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from karat.analysis.flaws.lines import SegmentTexts
    from karat.analysis.flaws.situation import Situation

_APART = [SCRIPTS.index(script) for script in WITHOUT_SPACES]
LONGEST_LOOP = 12
"""Tokens of a phrase that is said over and over."""
LOOPS, LOOPS_OF_ONE, LOOP_LETTERS = 3, 4, 8
"""How often a phrase or a word must be said, and how many letters that must be together."""


def loops(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments that say the same phrase several times in a row, where neither source nor references do."""
    for segment, phrase in _loops(output).items():
        theirs = [] if situation.source is None else [situation.source.lines[segment]]
        if not any(_loops_in(text) for text in (*theirs, *situation.references_of(segment))):
            yield Place(segment, added=(phrase,))


def _loops_in(text: str) -> bool:
    from karat.analysis.flaws.lines import SegmentTexts

    return bool(_loops(SegmentTexts([text])))


def _loops(texts: SegmentTexts) -> dict[int, str]:
    """The first phrase of each segment that is said over and over: of words, or of characters without spaces."""
    phrases = _repeated(texts.column, "13a", " ")
    apart = 2 * texts.scripts[:, _APART].sum(axis=1) > texts.letters
    if apart.any():
        lines = [line if alone else "" for line, alone in zip(texts.lines, apart.tolist(), strict=True)]
        phrases |= _repeated(TextColumn.of(lines), "char", "")
    return dict(sorted(phrases.items()))


def _repeated(column: TextColumn, reading: str, joiner: str) -> dict[int, str]:
    """Phrases that stand right behind themselves, the shortest of a segment that has letters enough."""
    cut = tokenizer(reading)
    phrases: dict[int, str] = {}
    runs = phrase_runs(column.tokens(cut, 1), longest=LONGEST_LOOP, times=LOOPS, times_alone=LOOPS_OF_ONE)
    for segment, start, length in runs:
        (tokens,) = TextColumn.of([column[segment]]).tokens(cut, 1).to_lists()
        phrase = joiner.join(tokens[start : start + length])
        if sum(map(str.isalpha, phrase)) * (LOOPS_OF_ONE if length == 1 else LOOPS) >= LOOP_LETTERS:
            phrases.setdefault(segment, phrase)
    return phrases


COPIED, COPIED_WORDS, COPIED_BY_REFERENCES = 0.8, 4, 0.5
"""Shares of words of the source in an output that was not translated, and in references that excuse it."""
ROUNDING = 1e-9


def copies(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments whose words are those of the source, where the references translate them."""
    shared = situation.shared_words.outputs[output]
    # Words that the source does not have at all rule nearly every segment out.
    for segment in np.flatnonzero(shared.foreign <= (1 - COPIED + ROUNDING) * shared.pieces).tolist():
        if _is_copy(situation, output, segment):
            yield Place(segment, added=(output.lines[segment],))


def _is_copy(situation: Situation, output: SegmentTexts, segment: int) -> bool:
    source = situation.source
    assert source is not None
    words = output.words(segment)
    if len(words) < COPIED_WORDS or _copied(words, source.words(segment)) < COPIED:
        return False
    given = source.folded[segment].split()
    theirs = (line.casefold().split() for line in situation.references_of(segment))
    return all(_copied(reference, given) < COPIED_BY_REFERENCES for reference in theirs)


def _copied(words: list[str], source: list[str]) -> float:
    """Which share of the words are the source's, each as often as it has them."""
    return (Counter(words) & Counter(source)).total() / len(words) if words else 0.0


def words_left(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with words of the source in small letters that no reference of the test set ever has."""
    vocabulary = situation.shared_words
    shared = vocabulary.outputs[output]
    telling = vocabulary.telling[shared.words]
    left: dict[int, set[str]] = {}
    for segment, number in zip(shared.segments[telling].tolist(), shared.words[telling].tolist(), strict=True):
        if (word := vocabulary.words[number]) in output.lines[segment]:
            left.setdefault(segment, set()).add(word)
    for segment, words in left.items():
        if not _is_copy(situation, output, segment):
            yield Place(segment, added=tuple(sorted(words)))


STRAY_LETTERS, LATIN_LETTERS = 3, 10
_LATIN = SCRIPTS.index("Latin")


def wrong_scripts(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments with letters of a script that neither the target language nor this segment has any business with."""
    expected = situation.target_script
    assert expected is not None
    allowed = np.zeros_like(output.scripts, dtype=bool)
    allowed[:, [0, expected]] = True
    for texts in situation.references:
        allowed |= texts.scripts > 0
    if situation.source is not None:
        quoted = situation.source.scripts > 0
        quoted[:, situation.source_script or 0] = False  # the source's own script is what should be gone
        allowed |= quoted
    stray = np.where(allowed, 0, output.scripts)
    # Latin letters stand in texts of any script; they are wrong where a segment is written in them.
    written = (stray[:, _LATIN] >= LATIN_LETTERS) & (2 * stray[:, _LATIN] > output.letters)
    stray[~written, _LATIN] = 0
    for segment in np.flatnonzero(stray.max(axis=1) >= STRAY_LETTERS).tolist():
        script = int(np.argmax(stray[segment]))
        yield Place(segment, added=(f"{SCRIPTS[script]} letters",))


IDENTIFIED_LETTERS, SURE_OF_LANGUAGE, TARGET_SHARE = 40, 0.95, 0.05


@cache
def _ranking() -> Callable[[str], list[tuple[str, float]]]:
    try:
        import py3langid
    except ImportError as error:
        raise MissingExtraError("telling languages apart", "langid") from error
    rank: Callable[[str], list[tuple[str, float]]] = py3langid.rank
    return rank


def language_of(text: str) -> tuple[str, float]:
    """The language that a text is most likely in, and the probability of that."""
    ranking = _ranking()(text)
    language, best = ranking[0]
    # The scores are logarithms of probabilities, up to what all of them share.
    return language, 1 / sum(exp(score - best) for _, score in ranking)


def wrong_languages(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments that are in a language which is not the target's, nor what references are taken for."""
    expected = _target_languages(situation)
    for segment in np.flatnonzero(output.letters >= IDENTIFIED_LETTERS).tolist():
        language, probability = language_of(output.lines[segment])
        if probability < SURE_OF_LANGUAGE or language in expected:
            continue
        theirs = (language_of(line)[0] for line in situation.references_of(segment))
        if language not in theirs:
            yield Place(segment, added=(language,))


def _target_languages(situation: Situation) -> frozenset[str]:
    """The target language, and those that its references are taken for more than now and then."""
    texts = situation.references[0] if situation.references else None
    named = {situation.target_language} - {None}
    if texts is None:
        return frozenset(filter(None, named))
    long = np.flatnonzero(texts.letters >= IDENTIFIED_LETTERS).tolist()
    seen = Counter(language_of(texts.lines[segment])[0] for segment in long)
    usual = {language for language, count in seen.items() if count >= TARGET_SHARE * len(long)}
    return frozenset(filter(None, named | usual))


_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;…。！？\"“”„»«(\[–—*•-])\s*$")
NAME_LETTERS, NAME_STEM = 3, 4


def names(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments without a capitalised word that stands inside a sentence of the source and in every reference."""
    for segment, candidates in _names(situation).items():
        line = output.folded[segment]
        lost = [name for name in candidates if _stem(name).casefold() not in line]
        if lost and line.strip():
            yield Place(segment, lost=tuple(lost))


def _stem(name: str) -> str:
    """The beginning of a name, that endings leave alone."""
    return name[: max(NAME_STEM, len(name) - 2)]


def _names(situation: Situation) -> dict[int, list[str]]:
    texts = situation.references[0] if situation.source is None else situation.source
    others = situation.references[1:] if situation.source is None else situation.references
    candidates: dict[int, list[str]] = {}
    for segment, line in enumerate(texts.lines):
        kept = [
            name
            for name in dict.fromkeys(_capitalised(line))
            if all(_stem(name) in reference.lines[segment] for reference in others)
        ]
        if kept and all(present[segment] for present in situation.present):
            candidates[segment] = kept
    return candidates


def _capitalised(line: str) -> Iterator[str]:
    """Words with a capital that do not begin a sentence; none of a line in capitals.

    >>> list(_capitalised("Yesterday Ms Ivić met NATO. The end."))
    ['Ivić', 'NATO']
    """
    if line.isupper():
        return
    for match in _WORD.finditer(line):
        word = match[0]
        if len(word) >= NAME_LETTERS and word[0].isupper() and not _SENTENCE_START.search(line, 0, match.start()):
            yield word


def terms_missed(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments that have none of a term's translations, where the source has the term, or else every reference it."""
    missed: dict[int, list[str]] = {}
    for term in situation.terms:
        if situation.source is not None:
            wanted = set(situation.source.pieces(term.in_source))
        else:
            sets = [set(texts.pieces(term.in_target)) for texts in situation.references]
            wanted = set.intersection(*sets) if sets else set()
        for segment in wanted - set(output.pieces(term.in_target)):
            missed.setdefault(segment, []).append(" | ".join(term.targets))
    for segment in sorted(missed):
        yield Place(segment, lost=tuple(missed[segment]))
