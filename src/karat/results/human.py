"""The result of analysing ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.report.human import DEFAULT_PARTS, human_tables
from karat.results.base import DIGITS, Result, flat, warning_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.human.results import CriterionResult
    from karat.report.page.parts import Section
    from karat.report.table import Table

RECORD_PARTS = ("systems", "pairs", "agreement", "raters", "segments")
FILTERED_FIELDS = ("n", "score", "rank_low", "rank_high", "cluster")


@dataclass(frozen=True, kw_only=True, repr=False)
class HumanResult(Result):
    """What people said, criterion by criterion; `sheet` holds extended criteria that are shown as they are."""

    records_of: ClassVar[str] = "systems"
    page_title: ClassVar[str] = "What people said"

    criteria: tuple[CriterionResult, ...]
    sheet: tuple[Mapping[str, Any], ...] = ()

    def body(self) -> dict[str, Any]:
        """Systems, agreement, raters and pairs of all criteria, and how systems were ranked."""
        lists: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("systems", "agreement", "raters", "pairs", "methods")
        }
        for criterion in self.criteria:
            label = criterion.label
            lists["systems"] += _system_entries(criterion)
            lists["agreement"] += [{**label, **value.to_json()} for value in criterion.agreement]
            lists["raters"] += [{**label, **rater.to_json()} for rater in criterion.raters]
            lists["pairs"] += [{**label, **pair.to_json()} for pair in criterion.pairs]
            lists["methods"].append({**label, **_method_entry(criterion)})
        return {**lists, "sheet": [dict(row) for row in self.sheet]} if self.sheet else dict(lists)

    def records(self, *parts: str) -> list[dict[str, Any]]:
        """One record per system, or per pair, statistic, rater or segment of a system if that part is asked for."""
        if len(parts) > 1 or not set(parts) <= set(RECORD_PARTS):
            raise InputError(f"CSV holds one table: ask for one of {', '.join(RECORD_PARTS)} with --show")
        part = parts[0] if parts else self.records_of
        records = [*self._segments()] if part == "segments" else [_flat(entry) for entry in self.body()[part]]
        if not records:
            raise InputError(f"there is nothing to show about {part}")
        return records

    def _segments(self) -> Iterator[dict[str, Any]]:
        """Every segment of a system, without a score where it was not judged: what `karat compare --scores` takes."""
        for criterion in self.criteria:
            better = str(criterion.higher_is_better).lower()
            for system in criterion.segments:
                for segment, document, score, count in zip(
                    system.segments, system.documents, system.scores.tolist(), system.counts.tolist(), strict=True
                ):
                    known = {"metric": criterion.criterion, "system": system.system, "segment": segment}
                    place = {"document": document, "score": score if count else None}
                    yield {**known, **place, "higher_is_better": better}

    def tables(self, digits: int = DIGITS, parts: Sequence[str] = ()) -> tuple[Table, ...]:
        """The parts asked for of every criterion."""
        if "segments" in parts:
            raise InputError("the scores of single segments are for programs: write them with --format csv")
        tables = tuple(human_tables(self.criteria, self.sheet, parts or DEFAULT_PARTS, digits))
        if not tables:
            raise InputError(f"there is nothing to show about {', '.join(parts)}")
        return tables

    def sections(self, digits: int = DIGITS) -> tuple[Section, ...]:
        """The systems under every criterion, agreement and raters."""
        from karat.report.page.judged import human_section

        body = self.body()
        records = {part: [_flat(entry) for entry in body[part]] for part in ("systems", "agreement", "raters")}
        return (human_section(self.criteria, self.sheet, records, digits),)


def _system_entries(criterion: CriterionResult) -> Iterator[dict[str, Any]]:
    """Every system, with what it has once flagged raters are left out."""
    filtered = {result.system: result for result in criterion.without}
    for result in criterion.systems:
        entry = {**criterion.label, **result.to_json(), "higher_is_better": criterion.higher_is_better}
        if result.system in filtered:
            entry["filtered"] = filtered[result.system].to_json()
        yield entry


def _method_entry(criterion: CriterionResult) -> dict[str, Any]:
    """How systems were ranked, and what is to be known about it."""
    entry: dict[str, Any] = {name: getattr(criterion, name) for name in ("kind", "method", "preset", "seed")}
    entry |= {"left_out": list(criterion.left_out), "notes": [note.message for note in criterion.notes]}
    entry["diagnostics"] = [warning_json(note) for note in criterion.notes]
    if criterion.variances is not None:
        entry["model_variances"] = dict(vars(criterion.variances))
    return entry


def _flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry without nesting, and what it is without flagged raters."""
    filtered = entry.get("filtered")
    return {**flat(entry), **({f"filtered_{key}": filtered[key] for key in FILTERED_FIELDS} if filtered else {})}
