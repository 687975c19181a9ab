"""Predicted tags of words against the true ones, from files."""

from __future__ import annotations

from collections.abc import Mapping

from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.meta import TagCounts, tag_counts


def judge_tags(gold: str, predicted: Mapping[str, str]) -> dict[str, TagCounts]:
    """The counts of each file of predicted tags, all segments together."""
    truth = LineFile(InputFile(gold)).rest().to_list()
    return {
        name: sum(tag_counts(truth, LineFile(InputFile(path)).rest().to_list(), path), TagCounts(0, 0, 0, 0))
        for name, path in predicted.items()
    }
