"""The results of comparing systems: with a baseline, with each other, and what a test set can show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, overload

from karat.quick_dataclasses import dataclass
from karat.results.base import DIGITS, Result, flat

if TYPE_CHECKING:
    from karat.analysis.verdict import Verdict, Winners
    from karat.findings import Findings
    from karat.report.page.front import Front
    from karat.report.page.parts import Section
    from karat.report.table import Table
    from karat.significance import Comparison, Ranked


GATE_FIELDS = ("margin", "loss_bound", "shown")
NEXT_FIELDS = ("next", "difference_to_next", "p_to_next", "p_adjusted_to_next", "against_score")
SHARED_FIELDS = ("test", "unit", "units", "n", "seed", "level", "correction", "family", "signature")


@dataclass(frozen=True, kw_only=True, repr=False)
class TestedResult(Result):
    """What was found on each test set, and after several of them on all together."""

    __test__: ClassVar[bool] = False  # not a test, whatever pytest thinks of the name

    parts: tuple[Findings, ...]

    def body(self) -> dict[str, Any]:
        """Only the lists that were asked for; an entry names its test set where there are several."""
        lists: dict[str, list[dict[str, Any]]] = {}
        for part in self.parts:
            named = {} if len(self.parts) == 1 else {"testset": part.testset}
            for measure in part.measures:
                for name, entries in measure.entries().items():
                    lists.setdefault(name, []).extend({**named, **entry} for entry in entries)
        return {name: entries for name, entries in lists.items() if entries}

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """A table for each test set."""
        return tuple(self._table(part, digits) for part in self.parts)

    def _table(self, part: Findings, digits: int) -> Table:
        from karat.report.comparisons import findings_table

        return findings_table(part, digits, one_of_several=len(self.parts) > 1)


@dataclass(frozen=True, kw_only=True, repr=False)
class CompareResult(TestedResult, Sequence["Comparison"]):
    """Comparisons with the baseline, in the order of the measures and of the systems; also a sequence of these."""

    records_of: ClassVar[str] = "comparisons"
    page_title: ClassVar[str] = "Which differences are real"

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All comparisons, on all test sets."""
        return tuple(
            comparison for part in self.parts for measure in part.measures for comparison in measure.comparisons
        )

    def records(self) -> list[dict[str, Any]]:
        """One record per comparison, with what the gate says where there is one."""
        body = self.body()
        if "non_inferiority" not in body:
            return [flat(entry) for entry in body["comparisons"]]
        gates = {(_table_of(gate), gate["system"]): gate for gate in body["non_inferiority"]}
        nothing = dict.fromkeys((*GATE_FIELDS, "p"))
        records = []
        for entry in body["comparisons"]:
            gate = gates.get((_table_of(entry), entry["system"]), nothing)
            records.append({**flat(entry), **{key: gate[key] for key in GATE_FIELDS}, "p_non_inferiority": gate["p"]})
        return records

    def paper_tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """Systems by metrics with the marks of significance, where all scores are of the same segments."""
        from karat.report.paper import comparable, comparison_paper

        return tuple(
            comparison_paper(part, digits)
            if comparable(part) and part.measures[0].comparisons
            else self._table(part, digits)
            for part in self.parts
        )

    @property
    def shown(self) -> bool:
        """Whether every system was shown to be no worse than the baseline everywhere, if that was asked."""
        return all(part.shown for part in self.parts)

    @overload
    def __getitem__(self, key: int) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Comparison, ...]: ...
    def __getitem__(self, key: int | slice) -> Comparison | tuple[Comparison, ...]:
        return self.comparisons[key]

    def __len__(self) -> int:
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)


@dataclass(frozen=True, kw_only=True, repr=False)
class RankResult(TestedResult):
    """All pairs, and the systems in order: for each measure the best first."""

    records_of: ClassVar[str] = "ranking"
    page_title: ClassVar[str] = "Ranking"

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All pairs, on all test sets."""
        return tuple(
            comparison for part in self.parts for measure in part.measures for comparison in measure.comparisons
        )

    def records(self) -> list[dict[str, Any]]:
        """One record per place, with what separates it from the next, and what all comparisons of its metric share."""
        body = self.body()
        pairs = {
            (_table_of(entry), frozenset((entry["baseline"], entry["system"]))): entry for entry in body["comparisons"]
        }
        shared = {table: {key: entry[key] for key in SHARED_FIELDS} for (table, _), entry in pairs.items()}
        records = []
        for place, below in zip_longest(body["ranking"], body["ranking"][1:]):
            table = _table_of(place)
            if below is not None and _table_of(below) != table:
                below = None
            pair = None if below is None else pairs[table, frozenset((place["system"], below["system"]))]
            records.append({**flat(place), **_to_next(place, below, pair), **shared[table]})
        return records

    def paper_tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """Systems by metrics with the first cluster in bold, where all scores are of the same segments."""
        from karat.report.paper import comparable, ranking_paper

        return tuple(
            ranking_paper(part, digits) if comparable(part) else self._table(part, digits) for part in self.parts
        )

    @property
    def main_part(self) -> Findings:
        """What a verdict is about: all test sets together where they could be pooled, else the first one."""
        return next((part for part in self.parts if part.pooled_testsets), self.parts[0])

    def verdict(self, judged: Mapping[str, Winners] | None = None) -> Verdict:
        """Who is best, and how sure that is; `judged` has the winners of pairs among people."""
        from karat.analysis.verdict import verdict

        return verdict(self.main_part, judged)

    def facts(self) -> tuple[str, ...]:
        """What the verdict rests on, in few words."""
        units = self.main_part.units
        documents = f" in {units.count:,} documents" if units.unit == "document" else ""
        systems = len(self.main_part.measures[0].ranking)
        return f"{systems} systems", f"{units.segments:,} segments{documents}"

    def front(self, digits: int = DIGITS) -> Front | None:
        """The verdict, the ranked table and the differences."""
        from karat.report.page.front import front

        return front(self.verdict(), self.main_part, facts=self.facts(), digits=digits)

    def sections(self, digits: int = DIGITS) -> tuple[Section, ...]:
        """All pairs, on each test set."""
        from karat.report.page.matrix import matrix_section

        several = len(self.parts) > 1
        return tuple(
            matrix_section(
                part,
                digits,
                f"pairs-{number}" if several else "pairs",
                f"All pairs: {part.testset}" if several else "All pairs",
            )
            for number, part in enumerate(self.parts, 1)
        )

    @property
    def ranking(self) -> tuple[Ranked, ...]:
        """The places of all systems, on all test sets."""
        return tuple(place for part in self.parts for measure in part.measures for place in measure.ranking)


def _table_of(entry: Mapping[str, Any]) -> tuple[str | None, str]:
    """The test set and the metric that an entry is about."""
    return entry.get("testset"), entry["spec"]


def _to_next(
    place: Mapping[str, Any], below: Mapping[str, Any] | None, pair: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The system in the next place, the score less that of it, and what the test says about the two."""
    if below is None or pair is None:
        return dict.fromkeys(NEXT_FIELDS)
    values = below["system"], place["score"] - below["score"], pair["p"], pair["p_adjusted"], pair["against_score"]
    return dict(zip(NEXT_FIELDS, values, strict=True))


@dataclass(frozen=True, kw_only=True, repr=False)
class PowerResult(TestedResult):
    """What the test sets can show about each system and the baseline."""

    page_title: ClassVar[str] = "What the test set can show"
    records_of: ClassVar[str] = "power"
