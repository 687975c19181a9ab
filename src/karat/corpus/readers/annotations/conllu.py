"""CoNLL-U: a word a line with its lemma, tags, head and relation; a sentence is a segment.

Where comments number the segments (``# segment = 3``), the sentences of one are together, and a segment without any is
empty. MISC may hold chunks and names in IOB: ``chunk=B-NP|ner=B-PER``. Words that are written as one (1-2) and empty
nodes (1.1) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from karat.corpus.files import InputFile
from karat.corpus.linefile import text_lines
from karat.corpus.readers.annotations.placed import Placed, placed
from karat.errors import InputError
from karat.text.annotation import Span

_COLUMNS = 10
_MOST_SEGMENTS = 10_000_000
_ABSENT = "_"
_SEGMENT = re.compile(r"#\s*segment\s*=\s*([0-9]+)\s*")
_NUMBER = re.compile(r"[0-9]{1,9}")
_MISC = re.compile(r"(chunk|ner)=([^|]+)", re.IGNORECASE)


class _Word(NamedTuple):
    line: int
    number: str
    form: str
    lemma: str
    upos: str
    xpos: str
    features: str
    head: str
    relation: str
    enhanced: str
    misc: str

    @property
    def iob(self) -> dict[str, str]:
        """The marks of chunks and names."""
        return {name.lower(): mark for name, mark in _MISC.findall(self.misc)}


@dataclass
class _Sentence:
    """The words of a sentence, the line that it begins at, and the number of its segment if there is one."""

    line: int
    segment: int | None = None
    words: list[_Word] = field(default_factory=list)


def read_conllu(file: InputFile) -> list[Placed]:
    """The annotations of all segments."""
    sentences = list(_sentences(file))
    known = _known(sentences)
    return [_annotation(file, line, some, known) for line, some in _segments(file, sentences)]


def _sentences(file: InputFile) -> Iterator[_Sentence]:
    sentence: _Sentence | None = None
    for number, line in enumerate([*text_lines(file), ""], 1):
        if not line.strip():
            if sentence is not None and (sentence.words or sentence.segment is not None):
                yield sentence
            sentence = None
            continue
        sentence = sentence or _Sentence(number)
        if line.startswith("#"):
            numbered = _SEGMENT.fullmatch(line)
            sentence.segment = _segment(file, number, numbered[1]) if numbered else sentence.segment
        elif (word := _word(file, number, line)) is not None:
            if not sentence.words:
                sentence.line = number
            if word.number != str(len(sentence.words) + 1):
                raise InputError(
                    f"{file.name}, line {number}: the word has the number {word.number}, and "
                    f"{len(sentence.words) + 1} is next; an empty line ends a sentence"
                )
            sentence.words.append(word)


def _word(file: InputFile, number: int, line: str) -> _Word | None:
    """The word of a line; None for one that only tells of other words."""
    cells = line.split("\t")
    if len(cells) != _COLUMNS:
        raise InputError(
            f"{file.name}, line {number}: {len(cells)} columns; a word of CoNLL-U has {_COLUMNS}, with tabs between"
        )
    if "" in cells:
        place = cells.index("") + 1
        raise InputError(f"{file.name}, line {number}: column {place} is empty; write _ where there is nothing to say")
    return _Word(number, *cells) if cells[0].isdecimal() else None


def _segment(file: InputFile, line: int, digits: str) -> int:
    """The number of a segment; none is so high that empty segments up to it would fill the memory."""
    if not _NUMBER.fullmatch(digits) or int(digits) > _MOST_SEGMENTS:
        raise InputError(f"{file.name}, line {line}: segment {digits[:12]} is too high: {_MOST_SEGMENTS:,} is the most")
    return int(digits)


def _known(sentences: Sequence[_Sentence]) -> set[str]:
    """The columns, and the marks in MISC, that say something of any word."""
    words = [word for sentence in sentences for word in sentence.words]
    columns = {name for name in ("lemma", "upos", "xpos", "head") if any(getattr(w, name) != _ABSENT for w in words)}
    return columns | {name for word in words for name in word.iob}


def _segments(file: InputFile, sentences: Sequence[_Sentence]) -> list[tuple[int, list[_Sentence]]]:
    """The sentences of each segment, and the line that it begins at."""
    if all(sentence.segment is None for sentence in sentences):
        return [(sentence.line, [sentence]) for sentence in sentences]
    segments: list[tuple[int, list[_Sentence]]] = []
    for sentence in sentences:
        where = f"{file.name}, line {sentence.line}"
        if sentence.segment is None:
            raise InputError(f"{where}: the sentence has no comment '# segment = NUMBER', unlike others")
        if not max(1, len(segments)) <= sentence.segment:
            raise InputError(f"{where}: segment {sentence.segment} is out of order: they are counted from 1")
        while len(segments) < sentence.segment:
            segments.append((sentence.line, []))
        segments[-1][1].append(sentence)
    return segments


def _annotation(file: InputFile, line: int, sentences: Sequence[_Sentence], known: set[str]) -> Placed:
    words = [word for sentence in sentences for word in sentence.words]
    heads = (
        [head for sentence in _with_offsets(sentences) for head in _heads(file, *sentence)] if "head" in known else None
    )
    return placed(
        file,
        line,
        tokens=tuple(word.form for word in words),
        lemmas=tuple(word.lemma for word in words) if "lemma" in known else None,
        pos=tuple(word.upos for word in words) if "upos" in known else None,
        tags=tuple(word.xpos for word in words) if "xpos" in known else None,
        chunks=tuple(_spans(words, "chunk")) if "chunk" in known else None,
        heads=None if heads is None else tuple(heads),
        relations=tuple(word.relation for word in words) if "head" in known else None,
        entities=tuple(_spans(words, "ner")) if "ner" in known else None,
    )


def _with_offsets(sentences: Sequence[_Sentence]) -> Iterator[tuple[_Sentence, int]]:
    """Each sentence, and how many words of its segment stand before it."""
    offset = 0
    for sentence in sentences:
        yield sentence, offset
        offset += len(sentence.words)


def _heads(file: InputFile, sentence: _Sentence, offset: int) -> Iterator[int]:
    """The positions of the heads in the segment."""
    for word in sentence.words:
        if not _NUMBER.fullmatch(word.head) or int(word.head) > len(sentence.words):
            raise InputError(
                f"{file.name}, line {word.line}: the head of {word.form!r} is {word.head}, and the sentence has words "
                f"1 to {len(sentence.words)}: write one of these, or 0 for the root"
            )
        yield int(word.head) - 1 + offset if word.head != "0" else -1


def _spans(words: Sequence[_Word], name: str) -> Iterator[Span]:
    """The spans of marks such as B-NP, I-NP and O; E and S of IOBES are read, too."""
    start, label = 0, None
    for position, mark in enumerate([*(word.iob.get(name, "O") for word in words), "O"]):
        kind, _, inside = mark.partition("-")
        goes_on = kind in "IE" and inside == label
        if label is not None and not goes_on:
            yield Span(label, start, position)
        if not goes_on:
            start, label = position, inside or None
