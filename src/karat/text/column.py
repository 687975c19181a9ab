"""A column of text and its tokenisations, each made once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from karat import kernels
from karat.errors import InputError

if TYPE_CHECKING:
    from karat.text.tokenizers import Tokenizer


class TextColumn:
    """An immutable column of strings that remembers how it was lowercased and tokenised.

    >>> column = TextColumn.of(["Hello world"])
    >>> column.lowered().to_list()
    ['hello world']
    """

    __slots__ = ("_lowered", "_tokens", "native")

    def __init__(self, native: kernels.Text) -> None:
        self.native = native
        self._lowered: TextColumn | None = None
        self._tokens: dict[str, kernels.Tokens] = {}

    @classmethod
    def of(cls, lines: Iterable[str]) -> TextColumn:
        """A column of any iterable of strings; a string by itself is refused."""
        if isinstance(lines, str | bytes):
            raise InputError("expected a list of strings, one per segment, but got a single string: put it in a list")
        try:
            return cls(kernels.Text(lines if isinstance(lines, list) else list(lines)))
        except ValueError as error:
            raise InputError(str(error)) from error

    def __len__(self) -> int:
        return len(self.native)

    def to_list(self) -> list[str]:
        """The strings, as Python has them."""
        return self.native.to_list()

    def lowered(self) -> TextColumn:
        """This column in lower case, by the Unicode rules of `str.lower`."""
        if self._lowered is None:
            self._lowered = TextColumn.of([line.lower() for line in self.to_list()])
        return self._lowered

    def tokens(self, tokenizer: Tokenizer, threads: int | None = None) -> kernels.Tokens:
        """This column cut into tokens; made once per tokenizer."""
        cached = self._tokens.get(tokenizer.signature)
        if cached is None:
            cached = self._tokens[tokenizer.signature] = tokenizer.tokens(self.native, threads)
        return cached

    def digest(self) -> bytes:
        """A hash of the strings and of where each one ends."""
        hasher = hashlib.blake2b(digest_size=16)
        hasher.update(self.native.offsets())
        hasher.update(self.native.arena())
        return hasher.digest()


def as_column(lines: TextColumn | Iterable[str]) -> TextColumn:
    """A column of whatever holds strings: a list, a tuple, a NumPy array, a polars or pandas series."""
    return lines if isinstance(lines, TextColumn) else TextColumn.of(lines)
