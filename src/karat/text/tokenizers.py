"""Tokenizers by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from karat import kernels
from karat.errors import SpecError, did_you_mean


class Tokenizer(Protocol):
    """Cuts a column of text into tokens."""

    @property
    def signature(self) -> str:
        """What a reader must know to get the same tokens: the name, and versions where they matter."""
        ...

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:
        """The tokens of every string."""
        ...


@dataclass(frozen=True)
class CoreTokenizer:
    """A tokenizer of the compiled core."""

    name: str

    @property
    def signature(self) -> str:
        """The name says it all."""
        return self.name

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:
        """The tokens of every string."""
        return kernels.tokenize(text, self.name, threads)


CORE = ("none", "char")


def tokenizer_names() -> tuple[str, ...]:
    """The names that `tokenizer` knows."""
    return CORE


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name."""
    if name in CORE:
        return CoreTokenizer(name)
    raise SpecError(f"there is no tokenizer {name!r}.{did_you_mean(name, tokenizer_names())}")
