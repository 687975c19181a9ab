"""TSV: one row per segment; text that a table without quoting cannot hold is refused, never changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.corpus.model import Corpus
from karat.corpus.writers.base import register_writer
from karat.errors import InputError


@register_writer("tsv")
def tsv_lines(corpus: Corpus) -> Iterator[str]:
    """A header and the segments; a missing reference is an empty cell. Metadata is not written."""
    columns = list(_columns(corpus))
    yield "\t".join(name for name, _ in columns)
    for number, row in enumerate(zip(*(values for _, values in columns), strict=True), corpus.first_segment):
        yield "\t".join(_cell(value, name, number) for value, (name, _) in zip(row, columns, strict=True))


def _columns(corpus: Corpus) -> Iterator[tuple[str, Sequence[str | None]]]:
    yield "segment", corpus.segment_ids
    if corpus.documents is not None:
        yield "document", corpus.documents
    if corpus.domains is not None:
        yield "domain", corpus.domains
    if corpus.language_pair:
        yield "language_pair", [corpus.language_pair] * len(corpus)
    if corpus.source is not None:
        yield "source", corpus.source.to_list()
    yield from ((f"reference:{name}", column.to_list()) for name, column in corpus.references.items())
    yield from ((f"system:{name}", column.to_list()) for name, column in corpus.systems.items())
    yield from ((f"post_edit:{name}", column.to_list()) for name, column in corpus.targeted.items())


def _cell(value: str | None, column: str, number: int) -> str:
    if value is None:
        return ""
    problem = ""
    if "\t" in value or "\n" in value or value.endswith("\r"):
        problem = "has a tab or a line end"
    elif not value and column.startswith(("reference:", "post_edit:")):
        problem = "is empty, which a table cannot tell from a missing one"
    if problem:
        raise InputError(f"segment {number}: the text of {column} {problem}, so it cannot be written as TSV: use JSONL")
    return value
