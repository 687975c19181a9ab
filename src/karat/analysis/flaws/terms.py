"""Terminology: what a term must become in the translation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from karat.analysis.flaws.lines import Sought
from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.corpus.scripts import language_without_spaces
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from os import PathLike


@dataclass(frozen=True)
class Term:
    """A term of the source language and what it may be called in the target language.

    A star at the end of a word stands for any ending.
    """

    source: str
    targets: tuple[str, ...]

    @cached_property
    def in_source(self) -> Sought:
        """Finds the term."""
        return _pattern([self.source])

    @cached_property
    def in_target(self) -> Sought:
        """Finds any of its translations."""
        return _pattern(self.targets)


def _pattern(terms: Iterable[str]) -> Sought:
    return Sought(re.compile("|".join(map(_bounded, terms)), re.IGNORECASE))


def _bounded(term: str) -> str:
    r"""A term as a pattern of whole words, where words have spaces between them.

    >>> _bounded("Haus*"), _bounded("房子")
    ('(?<!\\w)Haus\\w*(?!\\w)', '房子')
    """
    escaped = re.escape(term).replace(r"\*", r"\w*")
    return escaped if language_without_spaces(term) else rf"(?<!\w){escaped}(?!\w)"


def read_terms(path: str | PathLike[str]) -> tuple[Term, ...]:
    """The terms of a TSV file: a source term, a tab, its translations with | between them; # begins a comment."""
    file = InputFile.of(path)
    terms = []
    for number, line in enumerate(LineFile(file).rest().to_list(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        source, *others = (cell.strip() for cell in line.split("\t"))
        if len(others) != 1:
            columns = f"{len(others) + 1} columns" if others else "1 column"
            raise InputError(
                f"{file.name}, line {number}: {columns}; expected a source term, a tab and its translations, "
                "with | between them"
            )
        targets = tuple(target.strip() for target in others[0].split("|"))
        if not source.strip("*") or not all(target.strip("*") for target in targets):
            raise InputError(f"{file.name}, line {number}: a term is empty")
        terms.append(Term(source, targets))
    if not terms:
        raise InputError(f"{file.name} has no terms: expected a source term, a tab and its translations on each line")
    return tuple(terms)
