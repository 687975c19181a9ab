"""Metrics that count parts of trees which both sides have: subtrees by depth, chains of heads by length."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from karat.errors import SpecError
from karat.metrics.annotated.metric import AnnotatedMetric
from karat.metrics.base import parameter
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.values import ORDERS
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values
    from karat.text import TextColumn
    from karat.text.annotation import Annotation

Bag = Counter[Hashable]


class CountedParts(NamedTuple):
    """The parts that references have, and how many these are, by order."""

    bags: Sequence[Bag]
    totals: Sequence[int]

    @classmethod
    def of(cls, bags: Sequence[Bag]) -> CountedParts:
        """The parts of one reference."""
        return cls(bags, [bag.total() for bag in bags])

    def row(self, own: Sequence[Bag]) -> list[int]:
        """What both have, what a hypothesis has, and what the references have, order by order."""
        triples = zip(own, self.bags, self.totals, strict=True)
        return [count for mine, other, total in triples for count in ((mine & other).total(), mine.total(), total)]


@dataclass(frozen=True, kw_only=True)
class SubstructureMetric(AnnotatedMetric):
    """A metric over bags of parts of trees, one bag for each order."""

    family: ClassVar[str] = "structure"

    max_order: int = parameter(4, "the greatest depth or length that counts", within=ORDERS)
    min_order: int = parameter(1, "the least depth or length that counts", within=ORDERS)
    form: str = parameter("precision", "precision, or its F with recall", choices=("precision", "f"))

    def check(self) -> None:
        """Refuse orders of which there are none."""
        super().check()
        if self.min_order > self.max_order:
            orders = f"min_order={self.min_order},max_order={self.max_order}"
            raise SpecError(f"{self.name}({orders}): the least order is greater than the greatest")

    @property
    def orders(self) -> range:
        """The depths or lengths that count."""
        return range(self.min_order, self.max_order + 1)

    @property
    def columns(self) -> tuple[str, ...]:
        """For each order what both sides have, what the hypothesis has, and what the reference has."""
        return tuple(f"{kind}_{order}" for order in self.orders for kind in ("matches", "hypothesis", "reference"))

    @abstractmethod
    def bags(self, annotation: Annotation) -> list[Bag]:
        """The parts of each order."""

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        """Take the trees of the references apart once."""
        bags = [self.bags(annotation) for annotation in self.annotations(references.column)]
        by_segment = [
            [_joint(several)] if self.form == "precision" else [CountedParts.of(each) for each in several]
            for several in (bags[start:end] for start, end in pairwise(references.offsets.tolist()))
        ]

        def rows(hypotheses: TextColumn) -> Values:
            own = map(self.bags, self.annotations(hypotheses))
            counted = [self._best_row(bag, several) for bag, several in zip(own, by_segment, strict=True)]
            return np.array(counted, dtype=np.int64).reshape(len(counted), len(self.columns))

        return rows

    def _best_row(self, own: Sequence[Bag], references: Sequence[CountedParts]) -> list[int]:
        """The counts beside the reference with which the score is highest, the first of several."""
        rows = [reference.row(own) for reference in references]
        return rows[0] if len(rows) == 1 else rows[int(self.aggregate(np.array(rows, dtype=np.float64)).argmax())]

    def aggregate(self, sums: Floats) -> Floats:
        """The mean over orders, without those of which neither side has any; 100 where that leaves none."""
        matches, hypothesis, reference = (sums[..., kind::3] for kind in range(3))
        there = (hypothesis > 0) | (reference > 0)
        counted = there.sum(axis=-1).astype(np.float64)
        precision = ratio(ratio(matches, hypothesis).sum(axis=-1), counted)
        recall = ratio(ratio(matches, reference).sum(axis=-1), counted)
        share = precision if self.form == "precision" else 2 * ratio(precision * recall, precision + recall)
        return np.where(counted > 0, 100 * share, 100.0)


def _joint(several: Sequence[Sequence[Bag]]) -> CountedParts:
    """The greatest count of each part in any reference, and the least number of parts, so that each is perfect."""
    by_order = list(zip(*several, strict=True))
    bags = [reduce(or_, of_order) for of_order in by_order]
    return CountedParts(bags, [min(bag.total() for bag in of_order) for of_order in by_order])
