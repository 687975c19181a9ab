"""Trees in brackets, as treebanks and parsers write them."""

from __future__ import annotations

import re

from karat.errors import InputError
from karat.text.annotation.segment import Annotation, Span

_PIECE = re.compile(r"[()]|[^\s()]+")
_TRACE = "-NONE-"
_ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


class _Open:
    """A bracket that is not closed yet."""

    def __init__(self, start: int, place: int) -> None:
        self.start, self.place = start, place
        self.label: str | None = None
        self.word: str | None = None
        self.has_brackets = False


def bracketed(text: str) -> Annotation:
    """The tokens, tags and constituents of trees in brackets, one tree after the other; labels stay as they are.

    Traces (`-NONE-`) and constituents of nothing else are left out, and an outermost bracket without a label is none.

    >>> found = bracketed("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
    >>> found.tokens, found.tags, found.constituents[1]
    (('the', 'cat', 'sat'), ('DT', 'NN', 'VBD'), Span(label='NP', start=0, end=2))
    """
    builder = _TreeBuilder()
    for piece in _PIECE.findall(text):
        if piece == "(":
            builder.open()
        elif piece == ")":
            builder.close()
        else:
            builder.name(piece)
    return builder.finished()


class _TreeBuilder:
    """Reads pieces one by one."""

    def __init__(self) -> None:
        self._tokens: list[str] = []
        self._tags: list[str] = []
        self._spans: list[Span | None] = []
        self._open: list[_Open] = []

    def open(self) -> None:
        """A bracket opens: a place is kept for its constituent, before those within it."""
        if self._open:
            if self._open[-1].word is not None:
                raise InputError(f"there is a bracket behind the word {self._open[-1].word!r}")
            self._open[-1].has_brackets = True
        self._open.append(_Open(len(self._tokens), len(self._spans)))
        self._spans.append(None)

    def name(self, piece: str) -> None:
        """A label, or behind one a word."""
        if not self._open:
            raise InputError(f"{piece!r} stands outside of all brackets")
        innermost = self._open[-1]
        if innermost.has_brackets or innermost.word is not None:
            raise InputError(f"{piece!r} is a word without a bracket of its own: write (TAG {piece})")
        if innermost.label is None:
            innermost.label = piece
        else:
            innermost.word = piece

    def close(self) -> None:
        """A bracket closes: a word is complete, or a constituent."""
        if not self._open:
            raise InputError("a bracket is closed that was not opened")
        closed = self._open.pop()
        if closed.word is not None:
            self._add_word(str(closed.label), closed.word)
        elif closed.label is None:
            if self._open:
                raise InputError("a bracket has no label")
        elif not closed.has_brackets:
            raise InputError(f"({closed.label}) holds no word")
        elif len(self._tokens) > closed.start:
            self._spans[closed.place] = Span(closed.label, closed.start, len(self._tokens))

    def _add_word(self, tag: str, word: str) -> None:
        if tag != _TRACE:
            self._tokens.append(_ESCAPED.get(word, word))
            self._tags.append(tag)

    def finished(self) -> Annotation:
        """All that was read."""
        if self._open:
            raise InputError("a bracket is not closed")
        constituents = tuple(span for span in self._spans if span is not None)
        return Annotation(tokens=tuple(self._tokens), tags=tuple(self._tags), constituents=constituents)
