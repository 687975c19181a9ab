"""JSONL: one object per segment; any text at all can be written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from karat.corpus.model import Corpus
from karat.corpus.writers.base import register_writer


@register_writer("jsonl")
def jsonl_lines(corpus: Corpus) -> Iterator[str]:
    """The segments as JSON; a missing reference is null. Metadata is not written."""
    labels = {"segment": corpus.segment_ids, "document": corpus.documents, "domain": corpus.domains}
    single: dict[str, Any] = {name: values for name, values in labels.items() if values is not None}
    if corpus.source is not None:
        single["source"] = corpus.source.to_list()
    nested: dict[str, dict[str, Any]] = {
        "references": {name: column.to_list() for name, column in corpus.references.items()},
        "systems": {name: column.to_list() for name, column in corpus.systems.items()},
        "post_edits": {name: column.to_list() for name, column in corpus.targeted.items()},
    }
    pair = {"language_pair": corpus.language_pair} if corpus.language_pair else {}
    for i in range(len(corpus)):
        record = {name: values[i] for name, values in single.items()} | pair
        for name, columns in nested.items():
            if columns:
                record[name] = {its_name: texts[i] for its_name, texts in columns.items()}
        yield json.dumps(record, ensure_ascii=False)
