"""Values that people gave, as arrays: one entry per judgement on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.human.scales.standard import RaterScale
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

ORDINARY, REPEAT, BAD_REFERENCE, GOLD, OTHER = range(5)
"""What an entry of `control` says; all other kinds of control items are `OTHER`."""
CONTROL_CODES = {"repeat": REPEAT, "bad-reference": BAD_REFERENCE, "gold": GOLD}


@dataclass(frozen=True, eq=False)
class Judgements:
    """Judgements on one scale; names once, and per judgement codes into them.

    `segment` is what was judged of a system: a segment, a document or a question about one. `document` and `domain`
    are -1 where they are not known, `text` (the same code for identical outputs) too; `seconds` is NaN. `standardised`
    says that a file held z-values, so that nobody standardises twice.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    raters: tuple[str, ...]
    documents: tuple[str, ...]
    domains: tuple[str, ...]
    system: Codes
    segment: Codes
    rater: Codes
    document: Codes
    domain: Codes
    text: Codes
    control: NDArray[np.int8]
    value: Floats
    seconds: Floats
    gold: Floats | None = field(default=None, repr=False)
    standardised: bool = False

    def __len__(self) -> int:
        return len(self.value)

    def taken(self, kept: NDArray[Any]) -> Judgements:
        """Some of the judgements, by a mask; the names stay."""
        if kept.dtype == bool and kept.all():
            return self
        parts = {name: getattr(self, name)[kept] for name in FIELDS}
        gold = None if self.gold is None else self.gold[kept]
        return replace(self, **parts, gold=gold)

    def with_values(self, value: Floats) -> Judgements:
        """The same with other values, such as standardised ones."""
        return replace(self, value=value)

    def z_values(self) -> Judgements:
        """The same standardised by rater over these rows, if that has not been done."""
        if self.standardised:
            return self
        scale = RaterScale.of(self.rater, self.value, len(self.raters))
        return replace(self, value=scale.z(self.rater, self.value), standardised=True)

    @property
    def ordinary(self) -> Judgements:
        """The judgements that are no control items."""
        return self.taken(self.control == ORDINARY)

    @property
    def scored(self) -> Judgements:
        """The judgements that WMT's scores are made of: ordinary items and repeats of them."""
        return self.taken(self.control <= REPEAT)

    @cached_property
    def item(self) -> Codes:
        """What was judged: a segment of a system."""
        return np.asarray(self.segment * len(self.systems) + self.system, dtype=np.intp)

    @cached_property
    def segment_document(self) -> Codes | None:
        """The document of every segment, or None where one is not known."""
        documents = np.full(len(self.segments), -1, dtype=np.intp)
        documents[self.segment] = self.document
        known = documents[np.unique(self.segment)]
        return documents if len(known) and (known >= 0).all() else None


FIELDS = ("system", "segment", "rater", "document", "domain", "text", "control", "value", "seconds")


@dataclass(frozen=True, eq=False)
class ItemMeans:
    """The mean judgement of each segment of each system, and of how many it is made (segments by systems)."""

    mean: Floats
    count: NDArray[np.int64]

    @classmethod
    def of(cls, given: Judgements) -> ItemMeans:
        shape = len(given.segments), len(given.systems)
        count = np.bincount(given.item, minlength=shape[0] * shape[1])
        total = np.bincount(given.item, given.value, minlength=shape[0] * shape[1])
        mean = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
        return cls(mean.reshape(shape), count.reshape(shape))

    def taken(self, kept: NDArray[np.bool_], systems: Sequence[int]) -> ItemMeans:
        """Some of the segments of some of the systems."""
        chosen = np.ix_(np.flatnonzero(kept), np.array(systems, dtype=np.intp))
        return ItemMeans(self.mean[chosen], self.count[chosen])

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which segments of which systems were judged at all."""
        return np.asarray(self.count > 0)

    @cached_property
    def rounded(self) -> Floats:
        """The means to ten decimals: what is equal but for rounding has to share its rank."""
        return np.round(self.mean, 10)

    def system_means(self) -> Floats:
        """The mean over segments of the mean over judgements; NaN for a system that nobody judged."""
        items = self.present.sum(axis=0)
        total = np.where(self.present, self.mean, 0.0).sum(axis=0)
        return np.asarray(np.divide(total, items, out=np.full(total.shape, np.nan), where=items > 0))

    def row_values(self, group: Codes | None = None) -> Floats:
        """Score and count as rows that add up (units by systems by two), of segments or of groups of them."""
        values = np.stack([np.where(self.present, self.mean, 0.0), self.present.astype(np.float64)], axis=2)
        if group is None:
            return values[self.present.any(axis=1)]
        summed = np.zeros((int(group.max(initial=-1)) + 1, *values.shape[1:]))
        known = group >= 0
        np.add.at(summed, group[known], values[known])
        return summed[summed[:, :, 1].any(axis=1)]
