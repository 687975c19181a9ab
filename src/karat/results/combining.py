"""The result of combining metrics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from karat.metrics.framework.combination import CombinationModel
from karat.report.meta import summary_table
from karat.report.numbers import fixed
from karat.report.table import Cell, Table
from karat.results.base import Result
from karat.version import VERSION

if TYPE_CHECKING:
    from karat.evidence import Level
    from karat.meta.contests import Contests
    from karat.meta.study import TaskStudy

HELD_OUT = "combined (held out)"
"""What predictions on held-out documents are called beside metrics."""
DIGITS = 3


@dataclass(frozen=True)
class BesideTheBest:
    """The combination on what was held out and the best of its metrics, under one measure.

    `p` is one-sided, that of the better one of the two being no better.
    """

    level: Level
    measure: str
    grouping: str
    combined: float
    single: str
    single_value: float
    p: float

    @property
    def difference(self) -> float:
        """By how much the combination is better."""
        return self.combined - self.single_value

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        p = self.p if isfinite(self.p) else None
        return {**vars(self), "difference": self.difference, "p": p}


@dataclass(frozen=True, kw_only=True, repr=False)
class CombineResult(Result):
    """A model of all judgements, and the agreement with people of models that did not see what they predict.

    The agreement of the model with what it was learnt from is not there on purpose: it says nothing.
    """

    records_of: ClassVar[str] = "measures"
    page_title: ClassVar[str] = "Metrics combined"

    model: CombinationModel
    data_digest: str
    criterion: str
    study: TaskStudy
    unit: str
    units: int
    segments: int
    judgements: int
    folds: int
    seed: int

    @cached_property
    def comparisons(self) -> tuple[BesideTheBest, ...]:
        """The combination beside the best single metric, under each measure that they were compared by."""
        return tuple(_comparisons(self.study.contests))

    def body(self) -> dict[str, Any]:
        """The model, its agreement on what was held out beside that of its metrics, and how it came about."""
        return {
            **self._made_from(),
            "features": [dict(vars(feature)) for feature in self.model.features],
            "hashes": self._hashes(),
            "best_single": [compared.to_json() for compared in self.comparisons],
            "measures": [entry.to_json(self.study.settings.confidence) for entry in self.study.measures],
            "comparisons": self.study.to_json()["comparisons"],
        }

    def _made_from(self) -> dict[str, Any]:
        return {
            "method": self.model.method,
            "criterion": self.criterion,
            "systems": list(self.study.systems),
            "segments": self.segments,
            "judgements": self.judgements,
            "unit": self.unit,
            "units": self.units,
            "folds": self.folds,
            "seed": self.seed,
        }

    def _hashes(self) -> dict[str, str]:
        return {"model": self.model.digest, "features": self.model.features_digest, "data": self.data_digest}

    def model_text(self) -> str:
        """What `combined(model=FILE)` reads: the formula, hashes, and how well it did on what was held out."""
        document = {
            **self.model.to_json(),
            "hashes": self._hashes(),
            "made_from": self._made_from(),
            "held_out": [compared.to_json() for compared in self.comparisons],
            "karat": VERSION,
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """The metrics with their weights, then agreement on what was held out."""
        return self._features(digits), self._agreement(digits)

    def _features(self, digits: int) -> Table:
        linear = self.model.gamma is None
        headings = ("Metric", "Centre", "Spread", *(("Weight",) if linear else ()))
        rows = []
        for feature in self.model.features:
            numbers = (feature.centre, feature.spread, *((feature.weight,) if linear else ()))
            cells = (Cell(fixed(number, digits), number=True) for number in numbers)
            rows.append((Cell(feature.metric), *cells))
        vectors = "" if linear else f", {len(self.model.vectors):,} support vectors"
        counts = f"{self.judgements:,} judgements of {self.segments:,} segments, {self.units:,} {self.unit}s"
        note = f"{self.model.method}{vectors}: learnt from {counts}; hashes of features and data: "
        note += f"{self.model.features_digest}, {self.data_digest}"
        return Table(headings, tuple(rows), (note,), title=f"combined, for {self.criterion}")

    def _agreement(self, digits: int) -> Table:
        table = summary_table(self.study, digits)
        held = f"{HELD_OUT}: {self.folds} folds of {self.unit}s, each predicted by a model of the others"
        remarks = tuple(_remark(compared, digits) for compared in self.comparisons)
        return replace(table, notes=(held, *table.notes), remarks=remarks, title="Agreement with people")


def _comparisons(contests: tuple[tuple[Level, Contests], ...]) -> Iterator[BesideTheBest]:
    for level, contest in contests:
        values = dict(zip(contest.order, contest.values, strict=True))
        combined = values.pop(HELD_OUT, None)
        if combined is None or not values:
            continue
        single = max(values, key=lambda name: values[name])
        p = next(pair.p for pair in contest.pairs if {pair.metric, pair.other} == {HELD_OUT, single})
        yield BesideTheBest(level, contest.measure, contest.grouping, combined, single, values[single], p)


def _remark(compared: BesideTheBest, digits: int) -> str:
    by = "" if compared.grouping == "none" else f" by {compared.grouping}"
    numbers = f"{fixed(compared.combined, digits)} combined, {fixed(compared.single_value, digits)} {compared.single}"
    better = "the combination" if compared.difference > 0 else compared.single
    tested = f"one-sided p for {better}: {compared.p:.3g}"
    return f"{compared.level} {compared.measure}{by}: {numbers}, the best single metric ({tested})."
