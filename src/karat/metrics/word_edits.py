"""What the metrics that count edits of words have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import Metric, parameter
from karat.text import tokenizer, tokenizer_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@dataclass(frozen=True, kw_only=True)
class WordEdits(Metric):
    """A metric over the words of a hypothesis and of its closest reference."""

    family: ClassVar[str] = "edit distance"
    kind: ClassVar[str]
    """Which rows of `kernels.edit_word_rows` the metric reads."""

    tokenize: str = parameter("13a", "how text is cut into words: 13a, intl, zh, zh-fixed, char, none, ...")
    lowercase: bool = parameter(False, "ignore case")

    def check(self) -> None:
        """Refuse a tokenizer that does not exist."""
        if self.tokenize not in tokenizer_names():
            tokenizer(self.tokenize)

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the numbers in a row."""

    @property
    def display_name(self) -> str:
        """The name in capitals, as papers write it."""
        return self.name.upper()

    @property
    def resources(self) -> dict[str, str]:
        """The versions of Unicode or of a dictionary, where the tokenizer depends on them."""
        chosen = tokenizer(self.tokenize)
        signed = {} if chosen.signature == self.tokenize else {"tok": chosen.signature}
        return {**signed, **chosen.resources}

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Tokenise the references once."""
        reference_tokens = self._tokens(references.column, threads)

        def rows(hypotheses: TextColumn) -> Values:
            tokens = self._tokens(hypotheses, threads)
            values = kernels.edit_word_rows(tokens, reference_tokens, references.offsets, self.kind, threads)
            return self.row_values(values)

        return rows

    def row_values(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows that are kept, made from those of the core."""
        return values

    def _tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        text = column.lowered() if self.lowercase else column
        return text.tokens(tokenizer(self.tokenize), threads)


def per_hundred(errors: NDArray[np.float64], length: NDArray[np.float64]) -> NDArray[np.float64]:
    """Errors per hundred words; over no words at all, 100 if there is an error and 0 otherwise."""
    without_length = np.where(errors > 0, 1.0, 0.0)
    return 100 * np.divide(errors, length, out=without_length, where=length > 0)
