"""What the metrics that count edits of words have in common."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import Metric, parameter
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.words.metric import WordMetric
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@dataclass(frozen=True, kw_only=True)
class ReferenceChoice(Metric):
    """A metric that measures each segment against one of its references, and leaves open which."""

    rate: ClassVar[str] = "error-rate"
    """By which rate of the core the best score is known."""

    references: str = parameter(
        "best-score",
        "which of several references counts: that with the best score of the segment, or with the fewest edits",
        choices=("best-score", "fewest-edits"),
    )

    @property
    def choice(self) -> str:
        """How the core chooses."""
        return self.rate if self.references == "best-score" else self.references


@dataclass(frozen=True, kw_only=True)
class ErrorRate(ReferenceChoice):
    """Edits per hundred words, or characters, of the references that count."""

    family: ClassVar[str] = "edit distance"
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    @property
    def columns(self) -> tuple[str, ...]:
        """Edits of the reference that counts, and its length."""
        return ("edits", "reference_length")

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Edits per hundred."""
        return per_hundred(sums[..., 0], sums[..., 1])


@dataclass(frozen=True, kw_only=True)
class WordEdits(WordMetric):
    """A metric over the words of a hypothesis and of one of its references."""

    family: ClassVar[str] = "edit distance"
    kind: ClassVar[str]
    """Which rows of `kernels.edit_word_rows` the metric reads."""

    @property
    def display_name(self) -> str:
        """The name in capitals, as papers write it."""
        return self.name.upper()

    @property
    def choice(self) -> str:
        """How the core chooses between references."""
        return "fewest-edits"

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Tokenise the references once."""
        reference_tokens = self.tokens(references.column, threads)

        def rows(hypotheses: TextColumn) -> Values:
            tokens = self.tokens(hypotheses, threads)
            values = kernels.edit_word_rows(
                tokens, reference_tokens, references.offsets, self.kind, choice=self.choice, threads=threads
            )
            return self.row_values(values)

        return rows

    def row_values(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows that are kept, made from those of the core."""
        return values


@dataclass(frozen=True, kw_only=True)
class WordEditRate(ReferenceChoice, WordEdits):
    """A metric that counts edits of words per length, for which the reference can be chosen."""


@dataclass(frozen=True, kw_only=True)
class WordOperations(WordEditRate):
    """A metric over the operations of a word alignment."""

    kind: ClassVar[str] = "operations"

    @property
    def columns(self) -> tuple[str, ...]:
        """The operations of an alignment with the reference that counts."""
        return ("hits", "substitutions", "deletions", "insertions")

    def row_values(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """All but the moves."""
        return values[:, :4]
