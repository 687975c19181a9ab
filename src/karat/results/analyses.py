"""The results of looking into what systems wrote: buckets, words, n-grams and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.analyses import bucket_tables, error_tables, ngram_tables, said_once, word_tables
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.analysis.buckets import Buckets
    from karat.analysis.ngrams import Ngrams
    from karat.analysis.word_errors import WordErrors
    from karat.analysis.words import WordAnalysis
    from karat.report.page.parts import Section
    from karat.report.table import Table

MOST_IN_SIGHT = 4
"""Tables of n-grams are folded where there are more systems than this."""


@dataclass(frozen=True, kw_only=True, repr=False)
class BucketsResult(Result):
    """Scores by kinds of segments."""

    records_of: ClassVar[str] = "buckets"
    page_title: ClassVar[str] = "Kinds of segments"

    buckets: Buckets

    def body(self) -> dict[str, Any]:
        """Scores by bucket, and the segments of each."""
        return self.buckets.to_json()

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """A table for each metric and way to sort segments."""
        return said_once(bucket_tables(self.buckets, digits))


@dataclass(frozen=True, kw_only=True, repr=False)
class WordsResult(Result):
    """Precision, recall and F by kinds of words."""

    records_of: ClassVar[str] = "words"
    page_title: ClassVar[str] = "Kinds of words"

    words: WordAnalysis

    def body(self) -> dict[str, Any]:
        """Counts and rates by bucket."""
        return self.words.to_json()

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """A table for each way to sort words."""
        return said_once(word_tables(self.words, digits))


@dataclass(frozen=True, kw_only=True, repr=False)
class NgramsResult(Result):
    """The n-grams that stand out."""

    records_of: ClassVar[str] = "ngrams"
    page_title: ClassVar[str] = "N-grams"

    ngrams: Ngrams

    def body(self) -> dict[str, Any]:
        """N-grams by contrast, with the segments that they stand in."""
        return self.ngrams.to_json()

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """A table for each system against the references, and against the baseline."""
        return said_once(ngram_tables(self.ngrams, digits))

    def sections(self, digits: int = DIGITS) -> tuple[Section, ...]:
        """The tables; of many, the first is in sight."""
        sections = super().sections(digits)
        few = len(self.ngrams.subject.systems) <= MOST_IN_SIGHT
        return sections if few else tuple(section.folded(1) for section in sections)


@dataclass(frozen=True, kw_only=True, repr=False)
class ErrorsResult(Result):
    """Errors of words by class; with `each_word`, the JSON form has the class of every word."""

    records_of: ClassVar[str] = "classes"
    page_title: ClassVar[str] = "Errors of words"

    errors: WordErrors
    each_word: bool = False

    def body(self) -> dict[str, Any]:
        """Rates, classes and labels."""
        return self.errors.to_json(words=self.each_word)

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """Rates, classes, and labels where there are any."""
        return said_once(error_tables(self.errors, digits))
