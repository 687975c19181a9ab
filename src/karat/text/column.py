"""A column of text and its tokenisations, each made once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, overload

from karat import kernels
from karat.arguments import items
from karat.errors import InputError
from karat.text.lowering import lowered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.text.annotation import Annotations, Annotator
    from karat.text.tokenizers import Tokenizer


class TextColumn:
    """An immutable column of strings that remembers how it was lowercased, tokenised and annotated.

    Strings are kept as UTF-8, so a lone surrogate (half of a character, as `surrogateescape` and broken JSON leave
    behind) is refused. `given_annotations` are those that came with the texts; parts and joins of columns keep them.

    >>> column = TextColumn.of(["Hello world", "Good bye"])
    >>> column.lowered().to_list()
    ['hello world', 'good bye']
    >>> column[1], column[:1].to_list()
    ('Good bye', ['Hello world'])
    """

    __slots__ = ("_annotations", "_lowered", "_tokens", "given_annotations", "native")

    def __init__(self, native: kernels.Text, given_annotations: Annotations | None = None) -> None:
        self.native = native
        self.given_annotations = given_annotations
        self._annotations: dict[str, Annotations] = {}
        self._lowered: TextColumn | None = None
        self._tokens: dict[str, kernels.Tokens] = {}

    @classmethod
    def of(cls, lines: TextColumn | Iterable[str]) -> TextColumn:
        """A column of what holds strings in order: a list, a tuple, a NumPy array, a polars or pandas series."""
        if isinstance(lines, TextColumn):
            return lines
        strings = items(lines, "strings")
        try:
            return cls(kernels.Text(strings))
        except ValueError as error:
            raise _refusal(strings) from error

    @classmethod
    def from_lines(cls, data: bytes) -> TextColumn:
        r"""The lines of a file in UTF-8, split at ``\n`` or ``\r\n`` and nothing else.

        >>> TextColumn.from_lines("naïve\ncafé".encode("latin-1"))
        Traceback (most recent call last):
        ...
        karat.kernels.text.InvalidUtf8: line 1 is not valid UTF-8 (byte offset 2): convert the text to UTF-8 first
        """
        return cls(kernels.split_lines(data))

    @classmethod
    def concat(cls, columns: Sequence[TextColumn]) -> TextColumn:
        """All strings of one column after another."""
        given = _all_given(columns)
        return cls(
            kernels.Text.concat([column.native for column in columns]), given[0].concat(given) if given else None
        )

    @classmethod
    def interleave(cls, columns: Sequence[TextColumn]) -> TextColumn:
        """The first strings of all columns, then the second ones, and so on: references of several streams."""
        lengths = sorted({len(column) for column in columns})
        if len(lengths) > 1:
            raise InputError(f"the columns have different numbers of segments: {lengths}")
        given = _all_given(columns)
        return cls(
            kernels.Text.interleave([column.native for column in columns]),
            given[0].interleave(given) if given else None,
        )

    def __len__(self) -> int:
        return len(self.native)

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_list())

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...
    def __getitem__(self, index: int | slice) -> str | TextColumn:
        if not isinstance(index, slice):
            return self.native[index]
        start, stop, step = index.indices(len(self))
        if step != 1:
            raise InputError(f"a column is sliced in steps of 1, not {step}")
        stop = max(start, stop)
        given = None if self.given_annotations is None else self.given_annotations[start:stop]
        return TextColumn(self.native.slice(start, stop), given)

    def to_list(self) -> list[str]:
        """The strings, as Python has them."""
        return self.native.to_list()

    def lowered(self) -> TextColumn:
        """This column in lower case, by the Unicode rules of `str.lower`."""
        if self._lowered is None:
            self._lowered = TextColumn(lowered(self.native))
        return self._lowered

    def tokens(self, tokenizer: Tokenizer, threads: int | None = None) -> kernels.Tokens:
        """This column cut into tokens; made once per tokenizer."""
        cached = self._tokens.get(tokenizer.signature)
        if cached is None:
            cached = self._tokens[tokenizer.signature] = tokenizer.tokens(self.native, threads)
        return cached

    def annotated(self, annotations: Annotations) -> TextColumn:
        """The same strings with annotations that came with them."""
        if len(annotations) != len(self):
            raise InputError(f"{len(annotations)} annotations for {len(self)} texts: each text needs one")
        return TextColumn(self.native, annotations)

    def annotations(self, annotator: Annotator) -> Annotations:
        """What an annotator finds in this column; made once per annotator."""
        cached = self._annotations.get(annotator.signature)
        if cached is None:
            cached = self._annotations[annotator.signature] = annotator.annotations(self)
        return cached

    def take(self, positions: Sequence[int]) -> TextColumn:
        """The strings at some positions, in the order of these."""
        strings = self.to_list()
        given = None if self.given_annotations is None else self.given_annotations.take(positions)
        return TextColumn(kernels.Text([strings[position] for position in positions]), given)

    def equal_rows(self, other: TextColumn) -> int:
        """At how many positions both columns have the same string."""
        if len(self) != len(other):
            raise InputError(f"columns of {len(self)} and {len(other)} segments cannot be compared row by row")
        return self.native.equal_rows(other.native)

    def empty_count(self) -> int:
        """How many strings hold nothing but white space."""
        return self.native.empty_count()

    def digest(self) -> bytes:
        """A hash of the strings and of where each one ends."""
        hasher = hashlib.blake2b(digest_size=16)
        hasher.update(self.native.offsets())
        hasher.update(self.native.arena())
        return hasher.digest()


def as_column(lines: TextColumn | Iterable[str]) -> TextColumn:
    """A column of whatever holds strings: a list, a tuple, a NumPy array, a polars or pandas series."""
    return TextColumn.of(lines)


def _all_given(columns: Sequence[TextColumn]) -> list[Annotations]:
    """The annotations that came with the columns, if all of them have any."""
    given = [column.given_annotations for column in columns]
    return [annotations for annotations in given if annotations is not None] if None not in given else []


def _refusal(strings: list[Any]) -> InputError:
    """Why, and where, a list is not a column of strings."""
    for number, string in enumerate(strings, 1):
        if not isinstance(string, str):
            missing = (
                string is None or type(string).__name__ == "NAType" or (isinstance(string, float) and isnan(string))
            )
            problem = f"is missing ({string})" if missing else f"is not a string but {type(string).__name__}"
            return InputError(f"segment {number} {problem}; write an empty string for an empty segment")
        if any("\ud800" <= c <= "\udfff" for c in string):
            return InputError(f"segment {number} has a lone surrogate, which is not text: decode it as UTF-8 again")
    return InputError("these are not strings")
