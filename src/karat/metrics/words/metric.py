"""Metrics over words: how text becomes words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat import kernels
from karat.metrics.base import Metric, parameter
from karat.quick_dataclasses import dataclass
from karat.text import tokenizer, tokenizer_names

if TYPE_CHECKING:
    from karat.text import TextColumn


@dataclass(frozen=True, kw_only=True)
class WordMetric(Metric):
    """A metric that sees text as words."""

    tokenize: str = parameter(
        "13a", "how text is cut into tokens: 13a, intl, zh, zh-fixed, char, none, ja-mecab, ko-mecab, spm:PATH, ..."
    )
    lowercase: bool = parameter(False, "ignore case")

    def check(self) -> None:
        """Refuse a tokenizer that does not exist."""
        super().check()
        if self.tokenize not in tokenizer_names():
            tokenizer(self.tokenize)

    def tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The words of every string."""
        text = column.lowered() if self.lowercase else column
        return text.tokens(tokenizer(self.tokenize), threads)

    @property
    def resources(self) -> dict[str, str]:
        """The versions of Unicode or of a dictionary, where the tokenizer depends on them."""
        return tokenizer_resources(self.tokenize)


def tokenizer_resources(name: str) -> dict[str, str]:
    """What a signature must say about a tokenizer besides its name."""
    chosen = tokenizer(name)
    signed = {} if chosen.signature == name else {"tok": chosen.signature}
    return {**signed, **chosen.resources}
