"""The results of all analyses together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.analyses import said_once
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.report.table import Table
    from karat.results.analyses import BucketsResult, ErrorsResult, NgramsResult, WordsResult
    from karat.results.flaws import FlawsResult
    from karat.results.reading import ReadingResult


@dataclass(frozen=True, kw_only=True, repr=False)
class AllAnalysesResult(Result):
    """Scores by kinds of segments, words, n-grams, errors of words, flaws of segments, and segments to read."""

    records_of: ClassVar[str] = "buckets"
    page_title: ClassVar[str] = "Where and why systems differ"

    buckets: BucketsResult
    words: WordsResult
    ngrams: NgramsResult
    errors: ErrorsResult
    findings: FlawsResult
    segments: ReadingResult

    @property
    def parts(self) -> dict[str, Result]:
        """The single results, by the names of their commands."""
        return {
            "buckets": self.buckets,
            "words": self.words,
            "ngrams": self.ngrams,
            "errors": self.errors,
            "findings": self.findings,
            "segments": self.segments,
        }

    def body(self) -> dict[str, Any]:
        """What each analysis has by itself, under its name."""
        return {name: part.body() for name, part in self.parts.items()}

    def records(self) -> list[dict[str, Any]]:
        """The records of all analyses, each with the name of its own."""
        return [{"analysis": name, **record} for name, part in self.parts.items() for record in part.records()]

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """The tables of all analyses, one after the other."""
        return said_once(table for part in self.parts.values() for table in part.tables(digits))
