"""What the metrics that count edits of words have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.words import WordMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@dataclass(frozen=True, kw_only=True)
class WordEdits(WordMetric):
    """A metric over the words of a hypothesis and of its closest reference."""

    family: ClassVar[str] = "edit distance"
    kind: ClassVar[str]
    """Which rows of `kernels.edit_word_rows` the metric reads."""

    @property
    def display_name(self) -> str:
        """The name in capitals, as papers write it."""
        return self.name.upper()

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Tokenise the references once."""
        reference_tokens = self.tokens(references.column, threads)

        def rows(hypotheses: TextColumn) -> Values:
            tokens = self.tokens(hypotheses, threads)
            values = kernels.edit_word_rows(tokens, reference_tokens, references.offsets, self.kind, threads)
            return self.row_values(values)

        return rows

    def row_values(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows that are kept, made from those of the core."""
        return values


@dataclass(frozen=True, kw_only=True)
class WordOperations(WordEdits):
    """A metric over the operations of a word alignment."""

    kind: ClassVar[str] = "operations"

    @property
    def columns(self) -> tuple[str, ...]:
        """The operations of an alignment with the closest reference."""
        return ("hits", "substitutions", "deletions", "insertions")

    def row_values(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """All but the moves."""
        return values[:, :4]


def per_hundred(errors: NDArray[np.float64], length: NDArray[np.float64]) -> NDArray[np.float64]:
    """Errors per hundred words; over no words at all, 100 if there is an error and 0 otherwise."""
    without_length = np.where(errors > 0, 1.0, 0.0)
    return 100 * np.divide(errors, length, out=without_length, where=length > 0)
