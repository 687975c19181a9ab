"""Segments that are there many times, scored once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from karat.corpus import Corpus
    from karat.corpus.columns import PartialColumn
    from karat.rows import Values

Rows = dict[tuple[str, int], "Values"]


class Distinct:
    """The rows of every distinct (source, hypothesis, references) that there was so far."""

    def __init__(self) -> None:
        self._places: dict[tuple[Any, ...], int] = {}
        self._kept: dict[int, list[Values]] = {}

    def rows(self, corpus: Corpus, score: Callable[[Corpus], Rows]) -> Rows:
        """The rows of a corpus, of which `score` sees but what is new."""
        rows: Rows = {}
        for system in corpus.systems:
            keys = _keys(corpus, system)
            new = []
            for i, key in enumerate(keys):
                if key not in self._places:
                    self._places[key] = len(self._places)
                    new.append(i)
            if new:
                for (_, position), values in score(_only(corpus, system, new)).items():
                    self._kept.setdefault(position, []).append(values)
            index = np.fromiter((self._places[key] for key in keys), np.intp, len(keys))
            for position, kept in self._kept.items():
                self._kept[position] = [np.concatenate(kept)] if len(kept) > 1 else kept
                rows[system, position] = self._kept[position][0][index]
        return rows


def _columns(corpus: Corpus, system: str) -> list[PartialColumn]:
    own = corpus.targeted.get(system)
    return [*corpus.references.values(), *([] if own is None else [own])]


def _keys(corpus: Corpus, system: str) -> list[tuple[Any, ...]]:
    source = repeat("") if corpus.source is None else corpus.source.to_list()
    texts = [column.to_list() for column in _columns(corpus, system)]
    return list(zip(corpus.systems[system].to_list(), *texts, source, strict=False))


def _only(corpus: Corpus, system: str, rows: list[int]) -> Corpus:
    """Some segments of one system."""
    if len(rows) == len(corpus):
        return corpus.select(systems=[system])

    return replace(
        corpus.select(systems=[system]),
        systems={system: corpus.systems[system].take(rows)},
        references={name: column.take(rows) for name, column in corpus.references.items()},
        targeted={system: corpus.targeted[system].take(rows)} if system in corpus.targeted else {},
        source=None if corpus.source is None else corpus.source.take(rows),
        documents=None,
        domains=None,
        ids=None,
    )
