"""Coverage of references, from files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.analysis.coverage import coverage
from karat.corpus import Diagnostic
from karat.engine.spacing import refuse_unspaced
from karat.results.coverage import CoverageResult
from karat.service.inputs import only_block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.analysis.coverage import ReferenceCoverage
    from karat.service.inputs import Input


@dataclass(frozen=True, kw_only=True)
class CoverageRequest:
    """References, perhaps systems, and how text is read; without a tokenizer, it is that of the language."""

    texts: Input
    max_order: int = 4
    tokenize: str | None = None
    lowercase: bool = False
    threads: int | None = None


def cover(request: CoverageRequest) -> CoverageResult:
    """Count the n-grams of references, and those that systems share with them."""
    testset, corpus = only_block(request.texts.testsets(whole=True))
    references = corpus.references_for()
    if request.tokenize is None and testset.tokenizer is None:
        refuse_unspaced(references)
    counted = coverage(
        references,
        corpus.systems,
        max_order=request.max_order,
        tokenize=request.tokenize or testset.tokenizer or "13a",
        lowercase=request.lowercase,
        threads=request.threads,
    )
    return CoverageResult(coverage=counted, warnings=tuple(_warnings(counted)))


def _warnings(counted: ReferenceCoverage) -> Iterator[Diagnostic]:
    if counted.references == 1:
        message = "there is one reference only, so that nothing can be shared: give more with -r"
        yield Diagnostic("references", message)
    elif not counted.growth:
        message = "segments have different numbers of references, so that fewer of them cannot be compared with all"
        yield Diagnostic("references", message)
