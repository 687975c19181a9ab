"""What a tokenizer object of the drop-in is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from karat.text import TextColumn, tokenizer

if TYPE_CHECKING:
    from karat.text import Tokenizer


class BaseTokenizer:
    """Turns a line into its tokens joined by spaces; `signature` is what BLEU's signature says of it."""

    def signature(self) -> str:
        """The name in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        raise NotImplementedError


class BackedTokenizer(BaseTokenizer):
    """One of karat's tokenizers, a line at a time; BLEU itself hands whole columns to it."""

    name: ClassVar[str]

    def signature(self) -> str:
        """The name in signatures."""
        return self.name

    @property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer(self.name)

    def __call__(self, line: str) -> str:
        return " ".join(TextColumn.of([line]).tokens(self._tokenizer, 1).to_lists()[0])
