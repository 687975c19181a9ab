"""SER: how many segments are not exactly right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.words.edits import WordEdits

if TYPE_CHECKING:
    from numpy.typing import NDArray


@register
@dataclass(frozen=True, kw_only=True)
class Ser(WordEdits):
    r"""Sentence error rate: the share of segments that equal none of their references.

    Formula
    -------
    $$\mathrm{SER} = \frac{100}{n} \, \bigl|\{ i : h_i \notin R_i \}\bigr|$$

    Two texts are equal if their words are, after tokenisation.

    Use when
    --------
    Only the exact text will do: commands, user-interface strings, closed domains with many references.

    Do not use when
    ---------------
    Open text is translated: nearly every segment counts as wrong there.

    Known failure
    -------------
    A missing full stop costs as much as nonsense.

    Example
    -------
    >>> rows = Ser().prepare([["Save as", "Save file as"], ["Quit"]]).rows(["Save as", "Exit"])
    >>> rows.values.tolist(), rows.score
    ([[0, 1], [1, 1]], 50.0)
    """

    name: ClassVar[str] = "ser"
    citation: ClassVar[str] = "niessen-etal-2000-evaluation"
    higher_is_better: ClassVar[bool] = False
    kind: ClassVar[str] = "levenshtein"

    @property
    def columns(self) -> tuple[str, ...]:
        """1 for a segment that equals no reference, and 1 for each segment."""
        return ("errors", "segments")

    def row_values(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """A segment equals one of its references if no edit separates it from the closest one."""
        errors = (values[:, 0] > 0).astype(np.int64)
        return np.column_stack([errors, np.ones_like(errors)])

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Wrong segments per hundred."""
        return per_hundred(sums[..., 0], sums[..., 1])
