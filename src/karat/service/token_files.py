"""Labels and base forms of tokens from files, in the order in which the core has the tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.word_kinds import by_label
from karat.corpus.annotating import reference_names, text_named
from karat.corpus.token_labels import check_token_labels, read_token_labels
from karat.errors import InputError

if TYPE_CHECKING:
    from karat.analysis.words import Sorting
    from karat.corpus import Corpus
    from karat.corpus.annotating import Named as NamedText
    from karat.corpus.token_labels import What
    from karat.service.analysed_texts import Texts

Named = tuple[tuple[str, str], ...]
"""Names of systems or references, and a file for each."""


def token_sorting(given: Named, texts: Texts) -> Sorting:
    """Labels of all references, and of the systems that have any."""
    systems, references = of_tokens(given, texts, "label")
    if references is None:
        names = ", ".join(reference_names(texts.corpus))
        raise InputError(f"the labels of the references are wanted: add --labels NAME=FILE for {names}")
    return by_label(references, systems)


def of_tokens(given: Named, texts: Texts, what: What) -> tuple[dict[str, list[str]], list[str] | None]:
    """What files say of the tokens of systems, and of those of all references in the order of the core."""
    corpus, words_in = texts.corpus, texts.numbered
    option = "--labels" if what == "label" else "--base-forms"
    files = _by_text(given, corpus, option)
    systems = {
        name: check_token_labels(
            path, read_token_labels(path, what), name, words_in.systems[name].offsets, texts.tokenize, what
        )
        for (role, name), path in files.items()
        if role == "system"
    }
    references = {name: path for (role, name), path in files.items() if role == "reference"}
    if not references:
        return systems, None
    if absent := [name for name in corpus.references if name not in references]:
        there = ", ".join(references)
        raise InputError(f"{option}: {there} has {what}s, but not {', '.join(absent)}: give all references some")
    return systems, _of_references(references, texts, what)


def _by_text(given: Named, corpus: Corpus, option: str) -> dict[NamedText, str]:
    """The file of each text; two for one text are refused, for only one of them could be meant."""
    files: dict[NamedText, str] = {}
    for name, path in given:
        text = text_named(name, replace(corpus, source=None), f"{option} {name}=...")
        if text in files:
            raise InputError(f"{option} {name}={path}: {text[1]} has {files[text]} already: give one file for each")
        files[text] = path
    return files


def _of_references(files: Mapping[str, str], texts: Texts, what: What) -> list[str]:
    """The labels of all references, those of one segment after the other, as the core has them."""
    corpus, offsets = texts.corpus, texts.numbered.references.offsets
    present = {
        name: np.ones(len(corpus), dtype=bool) if column.present is None else column.present
        for name, column in corpus.references.items()
    }
    rows = np.cumsum(np.stack(list(present.values()), axis=1).ravel()).reshape(len(corpus), -1) - 1
    lengths = np.diff(offsets)
    by_row: dict[int, Sequence[str]] = {}
    for position, (name, there) in enumerate(present.items()):
        mine = rows[:, position]
        counts = np.where(there, lengths[mine], 0)
        ends = np.concatenate([[0], np.cumsum(counts)])
        given = read_token_labels(files[name], what)
        labels = check_token_labels(files[name], given, name, ends, texts.tokenize, what)
        for segment in np.flatnonzero(there).tolist():
            by_row[int(mine[segment])] = labels[int(ends[segment]) : int(ends[segment + 1])]
    return [label for row in range(len(lengths)) for label in by_row[row]]
