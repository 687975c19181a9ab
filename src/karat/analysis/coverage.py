"""How many n-grams several references share: what more references would bring (Qin and Specia 2015, figures 1 to 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from karat import kernels
from karat.errors import InputError
from karat.text import tokenizer

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.text import TextColumn


@dataclass(frozen=True)
class Coverage:
    """N-grams of one order by how many references of their segment have them: in 1, in 2, and so on.

    `system` is None where these are the n-grams of the references; else they are those that a system shares with them.
    `types` counts an n-gram once in every segment, `occurrences` as often as the references have it or as it matches.
    """

    system: str | None
    order: int
    types: tuple[int, ...]
    occurrences: tuple[int, ...]


@dataclass(frozen=True)
class Growth:
    """The same of all orders together if there were only so many references, in the mean over all ways to choose them.

    `types` are expected numbers of different n-grams by how many of the chosen references have them.
    """

    references: int
    types: tuple[float, ...]


@dataclass(frozen=True)
class ReferenceCoverage:
    """The n-grams of references, then those that each system shares; and what fewer references would have shown.

    `growth` is empty where segments have different numbers of references, or one each.
    """

    segments: int
    references: int
    tokenize: str
    lowercase: bool
    coverages: tuple[Coverage, ...]
    growth: tuple[Growth, ...]


def coverage(
    references: References,
    systems: Mapping[str, TextColumn],
    *,
    max_order: int = 4,
    tokenize: str = "13a",
    lowercase: bool = False,
    threads: int | None = None,
) -> ReferenceCoverage:
    """Count n-grams up to an order by how many references of their segment have them.

    >>> from karat.corpus.references import References
    >>> report = coverage(References.of([["a b c", "a b d"]]), {}, max_order=2)
    >>> [(one.order, one.types) for one in report.coverages]
    [(1, (2, 2)), (2, (2, 1))]
    """
    if max_order < 1:
        raise InputError(f"n-grams have at least one word, not {max_order}")
    most = int(references.counts.max())

    def tokens(column: TextColumn) -> kernels.Tokens:
        return (column.lowered() if lowercase else column).tokens(tokenizer(tokenize), threads)

    words = tokens(references.column)
    counts = kernels.count_ngrams(words, references.offsets, max_order)
    prepared = kernels.prepare_weighted(words, references.offsets, counts, threads=threads)
    in_references = _coverages(None, kernels.reference_coverage(prepared, None, most).tolist())
    every = list(in_references)
    for name, column in systems.items():
        if len(column) != len(references):
            raise InputError(f"{name} has {len(column)} segments, but there are references for {len(references)}")
        every += _coverages(name, kernels.reference_coverage(prepared, tokens(column), most).tolist())
    alike = bool((references.counts == most).all())
    growth = _growth(in_references, most) if alike else ()
    return ReferenceCoverage(len(references), most, tokenize, lowercase, tuple(every), growth)


def _coverages(system: str | None, table: list[list[list[int]]]) -> list[Coverage]:
    return [
        Coverage(system, order, tuple(types for types, _ in row), tuple(all_of_them for _, all_of_them in row))
        for order, row in enumerate(table, 1)
    ]


def _growth(in_references: list[Coverage], references: int) -> tuple[Growth, ...]:
    """An n-gram of m references out of K is in j of k chosen ones with the probability of drawing without return."""
    together = [sum(counts.types[m] for counts in in_references) for m in range(references)]
    grown = []
    for chosen in range(2, references + 1):
        ways = comb(references, chosen)
        expected = tuple(
            sum(count * comb(m, j) * comb(references - m, chosen - j) / ways for m, count in enumerate(together, 1))
            for j in range(1, chosen + 1)
        )
        grown.append(Growth(chosen, expected))
    return tuple(grown)
