"""Rows of hypotheses beside the best of their references, by what is read out of either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from karat.metrics.words.pairs import best_pairs

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import Metric, RowFunction
    from karat.rows import Values
    from karat.text import TextColumn

Read = TypeVar("Read")


def rows_beside_best(
    metric: Metric,
    references: References,
    read: Callable[[TextColumn], Sequence[Read]],
    compare: Callable[[Read, Read], Sequence[float]],
) -> RowFunction:
    """The row of each hypothesis beside the reference with the best score, the first of those that are equally good.

    `read` takes from every text of a column what counts; `compare` has hypothesis and reference.
    """
    known = read(references.column)
    bounds = references.offsets.tolist()

    def rows(hypotheses: TextColumn) -> Values:
        segments = zip(read(hypotheses), bounds[:-1], bounds[1:], strict=True)
        pairs = [
            compare(hypothesis, reference) for hypothesis, start, end in segments for reference in known[start:end]
        ]
        values = np.array(pairs, dtype=np.float64).reshape(len(pairs), len(metric.columns))
        scores = metric.aggregate(values)
        chosen = values[best_pairs(scores if metric.higher_is_better else -scores, references.offsets)]
        return chosen.astype(np.int64) if all(isinstance(value, int) for value in pairs[0]) else chosen

    return rows
