"""The result of scoring systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.scores import order_systems, part_table, score_table, testset_table
from karat.results.base import DIGITS, Result
from karat.scores import ScoreSequence, TestSetScores

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from karat.report.table import Table
    from karat.scores import PartScore


@dataclass(frozen=True, kw_only=True, repr=False)
class ScoreResult(Result):
    """The scores on every test set; `asked[i]` is the i-th metric as it was asked for."""

    records_of: ClassVar[str] = "scores"
    page_title: ClassVar[str] = "Scores"

    testsets: tuple[TestSetScores, ...]
    documents: tuple[PartScore, ...] = ()
    asked: tuple[str, ...] = ()

    @property
    def scores(self) -> ScoreSequence:
        """All scores in one sequence."""
        return ScoreSequence([score for testset in self.testsets for score in testset.scores])

    def body(self) -> dict[str, Any]:
        """The scores, and those of documents where they were asked for."""
        body: dict[str, Any] = {"scores": [score.to_json() for score in self.scores]}
        if self.documents:
            body["documents"] = [part.to_json("document") for part in self.documents]
        return body

    def tables(self, digits: int = DIGITS, sort: str = "given") -> tuple[Table, ...]:
        """Systems by metrics, or documents by systems."""
        systems = order_systems(self.testsets, self.asked, sort)
        if not self.documents:
            table = score_table if len(self.testsets) == 1 else testset_table
            return (table(self.testsets, digits=digits, systems=systems),)
        return part_tables(self.documents, self.testsets, level="document", digits=digits, systems=systems)

    def paper_tables(self, digits: int = DIGITS, sort: str = "given") -> tuple[Table, ...]:
        """Systems by metrics for each test set, and their means over several; documents as people read them."""
        from karat.report.paper import mean_paper, score_paper

        if self.documents:
            return self.tables(digits, sort)
        systems = order_systems(self.testsets, self.asked, sort)
        tables = [
            score_paper(
                testset, digits=digits, systems=[system for system in systems if system in testset.scores.systems]
            )
            for testset in self.testsets
        ]
        means = [mean_paper(self.testsets, digits=digits, systems=systems)] if len(tables) > 1 else []
        return (*tables, *(table for table in means if table.rows))


class Scores(ScoreSequence):
    """What `karat.score` gives back: the scores, which show themselves."""

    def _result(self) -> ScoreResult:
        return ScoreResult(testsets=(TestSetScores(None, self, self.specs),), asked=self.specs)

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return self._result().to_json()

    def to_polars(self) -> pl.DataFrame:
        """One row per score, as a polars data frame."""
        return self._result().to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """One row per score, as a pandas data frame."""
        return self._result().to_pandas()

    def to_latex(self, digits: int = DIGITS) -> str:
        """Systems by metrics, for a paper."""
        return self._result().to_latex(digits)

    def _repr_html_(self) -> str:
        return self._result()._repr_html_()


def part_tables(
    parts: tuple[PartScore, ...], testsets: tuple[TestSetScores, ...], *, level: str, digits: int, systems: list[str]
) -> tuple[Table, ...]:
    """The scores of parts, test set by test set."""
    made = []
    for testset in testsets:
        mine = [part for part in parts if part.testset == testset.name]
        present = [system for system in systems if system in testset.scores.systems]
        made.append(part_table(mine, testset, heading=level.capitalize(), digits=digits, systems=present))
    return tuple(made)
