"""Which words a system's matches are made of: punctuation, function words, content words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.audit.model import ScoreShare
from karat.analysis.audit.orderings import ORDERS, matched

if TYPE_CHECKING:
    from karat.analysis.audit.orderings import NumberedWords


def score_shares(reading: NumberedWords, function_words: Collection[str] | None) -> Iterator[ScoreShare]:
    """The shares of each system: every matched n-gram of orders 1 to 4 is one, spread evenly over its tokens."""
    marks = np.array([not any(map(str.isalnum, word)) for word in reading.words], dtype=bool)
    known = function_words or ()
    functional = np.array([word.lower() in known for word in reading.words], dtype=bool) & ~marks
    for name, (ids, _) in reading.outputs.items():
        weights = np.zeros(len(ids))
        for order in range(1, ORDERS + 1):
            starts = np.flatnonzero(matched(reading, name, order))
            for step in range(order):
                weights[starts + step] += 1 / order
        total = float(weights.sum())
        if total == 0:
            yield ScoreShare(name, 0.0, None, None)
            continue
        punctuation = float(weights[marks[ids]].sum()) / total
        if function_words is None:
            yield ScoreShare(name, punctuation, None, None)
            continue
        of_function = float(weights[functional[ids]].sum()) / total
        yield ScoreShare(name, punctuation, of_function, 1 - punctuation - of_function)
