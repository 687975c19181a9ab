"""Segments as one long text, so that a pattern is searched for once and not segment by segment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.scripts import script_counts_by_line
from karat.quick_dataclasses import dataclass
from karat.text import TextColumn

if TYPE_CHECKING:
    import re

    from numpy.typing import NDArray

Counts = Mapping[str, int]
Pieces = Mapping[int, Counts]
"""Pieces of text by the segment that they stand in, and how often; segments without any are left out."""


@dataclass(frozen=True)
class Sought:
    """A pattern, and the form in which what it finds is compared.

    Where there are `signs`, it finds nothing in lines without any of them but what `otherwise` finds, which is quicker.
    """

    pattern: re.Pattern[str]
    form: Callable[[str], str] | None = None
    signs: tuple[str, ...] = ()
    otherwise: re.Pattern[str] | None = None


class SegmentTexts:
    """The strings of a column, each on a line of its own.

    >>> import re
    >>> SegmentTexts(["a 1", "b", "c 2 2"]).pieces(Sought(re.compile("[0-9]")))
    {0: {'1': 1}, 2: {'2': 2}}
    """

    def __init__(self, strings: Sequence[str], column: TextColumn | None = None) -> None:
        self.lines = [string.replace("\n", " ") if "\n" in string else string for string in strings]
        self.text = "\n".join(self.lines)
        self.lengths = np.fromiter(map(len, self.lines), dtype=np.int64, count=len(self.lines))
        self._column = column if column is not None and self.lines == strings else None
        self._pieces: dict[Sought, Pieces] = {}
        self._signed: dict[str, set[int]] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def pieces(self, sought: Sought) -> Pieces:
        """What matches a pattern, in the form that is compared, by segment; searched for once."""
        if sought not in self._pieces:
            self._pieces[sought] = self._search(sought)
        return self._pieces[sought]

    def _search(self, sought: Sought) -> Pieces:
        pieces: dict[int, dict[str, int]] = {}
        forms: dict[str, str] = {}
        for place, piece in self._matches(sought):
            if piece not in forms:
                forms[piece] = piece if sought.form is None else sought.form(piece)
            form, counts = forms[piece], pieces.setdefault(place, {})
            counts[form] = counts.get(form, 0) + 1
        return pieces

    def _matches(self, sought: Sought) -> Iterator[tuple[int, str]]:
        everything = range(len(self))
        if not sought.signs:
            return self._found(sought.pattern, everything)
        signed = self.lines_with(sought.signs)
        matching = self._found(sought.pattern, sorted(signed)) if signed else iter(())
        if sought.otherwise is None:
            return matching
        return chain(matching, self._found(sought.otherwise, [i for i in everything if i not in signed]))

    def _found(self, pattern: re.Pattern[str], numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
        """What a pattern finds in some lines, and in which of them."""
        whole = len(numbers) == len(self)
        text = self.text if whole else "\n".join([self.lines[number] for number in numbers])
        matches = [(match.start(), match[0]) for match in pattern.finditer(text)]
        starts = self._starts if whole else _starts(self.lengths[list(numbers)])
        places = np.searchsorted(starts, [start for start, _ in matches], side="right") - 1
        return ((numbers[place], piece) for place, (_, piece) in zip(places.tolist(), matches, strict=True))

    def lines_with(self, signs: Sequence[str]) -> set[int]:
        """The lines that have any of the signs."""
        return set().union(*map(self._lines_with, signs))

    def _lines_with(self, sign: str) -> set[int]:
        if sign not in self._signed:
            lines = self._signed[sign] = set()
            at = self.text.find(sign)
            while at >= 0:
                line = bisect_right(self._ends, at)
                lines.add(line)
                at = self.text.find(sign, self._ends[line])
        return self._signed[sign]

    @cached_property
    def _ends(self) -> list[int]:
        """Where each line has ended."""
        ends: list[int] = np.cumsum(self.lengths + 1).tolist()
        return ends

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return _starts(self.lengths)

    @cached_property
    def folded(self) -> list[str]:
        """The segments without case."""
        return self.text.casefold().split("\n")

    def words(self, segment: int) -> list[str]:
        """What stands between spaces in a segment, without case and without signs around it."""
        return [word for word in bare(self.lines[segment].split()) if word]

    @cached_property
    def column(self) -> TextColumn:
        """The segments as kernels read them."""
        return TextColumn.of(self.lines) if self._column is None else self._column

    @cached_property
    def scripts(self) -> NDArray[np.int64]:
        """Letters of each segment by script."""
        return script_counts_by_line(self.text)

    @cached_property
    def letters(self) -> NDArray[np.int64]:
        """How many letters each segment has."""
        return np.asarray(self.scripts[:, 1:].sum(axis=1))


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where lines begin in a text."""
    return np.asarray(np.concatenate([[0], np.cumsum(lengths + 1)])[:-1])


_SIGNS = (
    "".join(chr(code) for code in range(33, 128) if not chr(code).isalnum())
    + "“”„‟«»‹›‘’‚…–—、。，！？；：「」『』（）؟،؛।"
)


def bare(words: Sequence[str]) -> list[str]:
    """Words without case and without signs around them; what is signs alone is left as nothing.

    >>> bare(["„Ja!“", "–"])
    ['ja', '']
    """
    return [word.strip(_SIGNS) for word in "\n".join(words).casefold().split("\n")] if words else []
