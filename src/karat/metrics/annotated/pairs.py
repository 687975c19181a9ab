"""Rows of hypotheses and references by what is known of the words of either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from karat.metrics.words.pairs import best_pairs

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.annotated.metric import AnnotatedMetric
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn
    from karat.text.annotation import Annotation

Read = TypeVar("Read")


def rows_beside_best(
    metric: AnnotatedMetric,
    references: References,
    read: Callable[[Annotation], Read],
    compare: Callable[[Read, Read], Sequence[float]],
) -> RowFunction:
    """The row of each hypothesis beside the reference with the best score, the first of those that are equally good.

    `read` takes from a text's annotation what counts, once for each text; `compare` has hypothesis and reference.
    """
    known = [read(annotation) for annotation in metric.annotations(references.column)]
    bounds = references.offsets.tolist()

    def rows(hypotheses: TextColumn) -> Values:
        own = [read(annotation) for annotation in metric.annotations(hypotheses)]
        segments = zip(own, bounds[:-1], bounds[1:], strict=True)
        pairs = [
            compare(hypothesis, reference) for hypothesis, start, end in segments for reference in known[start:end]
        ]
        values = np.array(pairs, dtype=np.float64).reshape(len(pairs), len(metric.columns))
        scores = metric.aggregate(values)
        best = best_pairs(scores if metric.higher_is_better else -scores, references.offsets)
        chosen = values[best]
        return chosen.astype(np.int64) if all(isinstance(value, int) for value in pairs[0]) else chosen

    return rows
