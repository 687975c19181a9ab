"""Kinds of segments: by length, document, domain, label, agreement of references, difficulty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.analysis.buckets import Grouping
from karat.analysis.word_kinds import interval_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.aligned import NumberedTexts
    from karat.evidence import Measure

    Positions = NDArray[np.intp]
    Floats = NDArray[np.float64]

LENGTHS = (0, 10, 20, 30, 40, 50, 60)
"""Where the buckets of lengths begin, in words."""

_LONGEST = 10_000_000
DIFFERENCES = {
    "<=-20": -_LONGEST,
    "-19 to -10": -19,
    "-9 to -5": -9,
    "-4 to -1": -4,
    "0": 0,
    "1 to 4": 1,
    "5 to 9": 5,
    "10 to 19": 10,
    ">=20": 20,
}
"""The buckets of differences of lengths, and where each begins."""

AGREEMENT = 0.5
"""Two references agree if this share of their words is the same."""

PARTS = 5


def by_labels(by: str, labels: Sequence[str], *, ordered: bool = False) -> Grouping:
    """The label of each segment: buckets in order of first appearance, or of their names."""
    names = sorted(set(labels)) if ordered else list(dict.fromkeys(labels))
    numbers = {name: i for i, name in enumerate(names)}
    return Grouping(by, tuple(names), np.array([numbers[label] for label in labels], dtype=np.intp))


def by_length(by: str, lengths: NDArray[np.int64] | Floats) -> Grouping:
    """The number of words."""
    return Grouping(by, interval_labels(LENGTHS), np.searchsorted(LENGTHS, lengths, side="right") - 1)


def by_length_difference(texts: NumberedTexts) -> Grouping:
    """How many words longer than the mean reference each system's output is."""
    counts = np.diff(texts.starts)
    mean = np.add.reduceat(np.diff(texts.references.offsets), texts.starts[:-1]) / counts
    systems = {
        name: np.searchsorted(list(DIFFERENCES.values()), np.rint(np.diff(column.offsets) - mean), side="right") - 1
        for name, column in texts.systems.items()
    }
    return Grouping("length-difference", tuple(DIFFERENCES), systems=systems)


def by_agreement(texts: NumberedTexts) -> Grouping:
    """The most references of a segment that agree with one of them, itself included."""
    counts = np.diff(texts.starts)
    agreeing = np.ones(len(texts.references.offsets) - 1, dtype=np.intp)
    first, second = _pairs(texts.starts)
    if len(first):
        rows = kernels.edit_word_rows(
            _rows(texts, first), _rows(texts, second), np.arange(len(first) + 1), "bag", choice="fewest-edits"
        )
        alike = 2 * rows[:, 1] >= AGREEMENT * (rows[:, 2] + rows[:, 3])
        np.add.at(agreeing, first[alike], 1)
    most = np.maximum.reduceat(agreeing, texts.starts[:-1])
    labels = tuple(str(number) for number in range(1, int(counts.max()) + 1))
    return Grouping("agreement", labels, most - 1)


def _pairs(starts: NDArray[np.int64]) -> tuple[Positions, Positions]:
    """All ordered pairs of different references of one segment, by position."""
    pairs = [
        (i, j)
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        for i in range(begin, end)
        for j in range(begin, end)
        if i != j
    ]
    positions = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return positions[:, 0], positions[:, 1]


def _rows(texts: NumberedTexts, chosen: Positions) -> kernels.Tokens:
    """Some references as tokens, in the order given."""
    offsets = texts.references.offsets
    lengths = np.diff(offsets)[chosen]
    ends = np.cumsum(lengths)
    places = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(offsets[chosen] - (ends - lengths), lengths)
    return kernels.spell_words(texts.types, texts.references.ids[places], np.concatenate([[0], ends]).astype(np.int64))


def by_difficulty(measure: Measure, systems: Sequence[str]) -> Grouping:
    """Fifths of the segments by the mean score of all systems, the hardest first."""
    rows = measure.segment_rows()
    scores = np.mean([rows[name].unit_scores() for name in systems], axis=0)
    order = np.argsort(measure.identity.sign * scores, kind="stable")
    fifth = np.empty(len(order), dtype=np.intp)
    fifth[order] = np.arange(len(order)) * PARTS // len(order)
    labels = ("hardest fifth", "second", "third", "fourth", "easiest fifth")
    return Grouping("difficulty", labels, fifth)
