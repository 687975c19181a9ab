"""Accuracies over treelets: a word with what directly depends on it, beside that of the reference."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.annotated.metric import AnnotatedMetric
from karat.metrics.base import parameter
from karat.metrics.words.pairs import best_pairs
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn
    from karat.text.annotation import Annotation, Layer

Words = tuple[str, ...]
Treelets = dict[str, list[Words]]
"""The treelets of a text by the word at their head, in the order of these; those of roots are under the empty text."""


@dataclass(frozen=True, kw_only=True)
class TreeletAccuracy(AnnotatedMetric):
    """A metric over the operations that turn the treelets of one side into those of the other."""

    family: ClassVar[str] = "structure"
    citation: ClassVar[str] = "bangalore-etal-2000-evaluation"
    bounds: ClassVar[tuple[float, float]] = (-math.inf, 100.0)

    lowercase: bool = parameter(False, "ignore case")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Dependencies."""
        return ("dependencies",)

    @property
    def columns(self) -> tuple[str, ...]:
        """The operations, and how many pairs of a deletion and an insertion are moves."""
        return ("hits", "substitutions", "deletions", "insertions", "moves")

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Take the references apart into treelets once."""
        of_references = [self._treelets(annotation) for annotation in self.annotations(references.column)]
        owners = np.repeat(np.arange(len(references)), np.diff(references.offsets)).tolist()

        def rows(hypotheses: TextColumn) -> Values:
            own = [self._treelets(annotation) for annotation in self.annotations(hypotheses)]
            paired = [_paired(own[owner], other) for owner, other in zip(owners, of_references, strict=True)]
            counts = _operations(paired, threads)
            return counts[best_pairs(self.aggregate(counts.astype(np.float64)), references.offsets)]

        return rows

    def _treelets(self, annotation: Annotation) -> Treelets:
        words = [token.lower() for token in annotation.tokens] if self.lowercase else annotation.tokens
        heads = annotation.heads or ()
        treelets: Treelets = defaultdict(list)
        members: dict[int, list[int]] = defaultdict(list)
        for place, head in enumerate(heads):
            members[head].append(place)
        for head in sorted(members):
            places = sorted([*members[head], *([head] if head >= 0 else [])])
            treelets[words[head] if head >= 0 else ""].append(tuple(words[place] for place in places))
        return treelets


def _paired(own: Treelets, other: Treelets) -> list[tuple[Words, Words]]:
    """The treelets of both sides that one word heads, the first with the first; what is left over with nothing."""
    heads = dict.fromkeys([*own, *other])
    return [pair for head in heads for pair in zip_longest(own.get(head, []), other.get(head, []), fillvalue=())]


def _operations(paired: Sequence[Sequence[tuple[Words, Words]]], threads: int | None) -> NDArray[np.int64]:
    """The operations of all treelets of each text together."""
    flat = [pair for pairs in paired for pair in pairs]
    numbers: dict[str, int] = {}
    own, other = (_tokens((pair[side] for pair in flat), numbers) for side in range(2))
    types = list(numbers)
    hypotheses, references = (kernels.spell_words(types, *numbered) for numbered in (own, other))
    each = np.arange(len(flat) + 1, dtype=np.int64)
    rows = kernels.edit_word_rows(hypotheses, references, each, "operations", choice="fewest-edits", threads=threads)
    totals = np.zeros((len(paired), rows.shape[1]), dtype=np.int64)
    np.add.at(totals, np.repeat(np.arange(len(paired)), [len(pairs) for pairs in paired]), rows)
    return totals


def _tokens(texts: Iterable[Words], numbers: dict[str, int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Words as numbers, one text after the other, and where each begins."""
    lists = [[numbers.setdefault(word, len(numbers)) for word in words] for words in texts]
    ids = np.array([number for of_text in lists for number in of_text], dtype=np.int32)
    return ids, np.cumsum([0, *map(len, lists)], dtype=np.int64)
