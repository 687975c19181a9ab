"""Functions of one hypothesis and its references as metrics, whose score is the mean over segments."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat.arguments import described
from karat.errors import InputError
from karat.metrics.base import Metric, format_value
from karat.rows import SCORE_COLUMNS, mean_score

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn

SegmentFunction = Callable[[str, Sequence[str]], float] | Callable[[str, Sequence[str], str], float]
"""The score of a hypothesis beside its references, or beside these and its source."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class FunctionMetric(Metric):
    """A function that scores one segment, with what a reader of its scores must know about it."""

    family: ClassVar[str] = "function"
    citation: ClassVar[str] = ""
    perfect_is_best: ClassVar[bool] = False

    function: SegmentFunction
    name: str  # type: ignore[misc]  # each function has a name of its own, and so on
    version: str
    higher_is_better: bool = True  # type: ignore[misc]
    bounds: tuple[float, float] | None = None  # type: ignore[misc, assignment]
    source: bool = False

    aggregate = staticmethod(mean_score)

    def check(self) -> None:
        """Want sources where the function takes them."""
        if self.source:
            object.__setattr__(self, "wants", frozenset({"references", "sources"}))

    @property
    def columns(self) -> tuple[str, ...]:
        """The same as those of scores that came from elsewhere."""
        return SCORE_COLUMNS

    @cached_property
    def spec(self) -> str:
        """The name and the version, by which scores are told apart."""
        return f"{self.name}(version={format_value(self.version)})"

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        """Take the references apart once."""
        all_texts = references.column.to_list()
        by_segment = [tuple(all_texts[start:end]) for start, end in pairwise(references.offsets.tolist())]
        beside: list[tuple[Any, ...]] = [(segment,) for segment in by_segment]
        if self.source and references.sources is not None:
            beside = list(zip(by_segment, references.sources, strict=True))

        def rows(hypotheses: TextColumn) -> Values:
            together = ((hypothesis, *others) for hypothesis, others in zip(hypotheses, beside, strict=True))
            scores = [self._score(texts, number) for number, texts in enumerate(together, 1)]
            return np.column_stack([np.array(scores), np.ones(len(scores))])

        return rows

    def _score(self, texts: tuple[Any, ...], number: int) -> float:
        """The score of a segment, checked to be one."""
        try:
            score = self.function(*texts)
        except Exception as error:
            error.add_note(f"in the metric {self.name}, segment {number}")
            raise
        where = f"the metric {self.name}, segment {number}"
        if not isinstance(score, Real) or not isfinite(score):
            raise InputError(f"{where}: the function must give a finite number, not {described(score)}")
        if self.bounds is not None and not self.bounds[0] <= score <= self.bounds[1]:
            raise InputError(f"{where}: the score {score} lies outside of the scale {list(self.bounds)}")
        return float(score)
