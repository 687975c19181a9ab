"""Predicted tags of words against the true ones, from files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan

from karat.corpus import Diagnostic
from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.meta import TagCounts, tag_counts
from karat.results.word_tags import WordTagsResult


@dataclass(frozen=True, kw_only=True)
class WordTagsRequest:
    """The file of true tags, and those of predicted ones by name."""

    gold: str
    predicted: tuple[tuple[str, str], ...]


def judge_tags(request: WordTagsRequest) -> WordTagsResult:
    """Count how often each file's tags are right, all segments together."""
    truth = LineFile(InputFile(request.gold)).rest().to_list()
    counts = {
        name: sum(tag_counts(truth, LineFile(InputFile(path)).rest().to_list(), path), TagCounts(0, 0, 0, 0))
        for name, path in request.predicted
    }
    return WordTagsResult(systems=counts, warnings=tuple(_warnings(counts)))


def _warnings(systems: Mapping[str, TagCounts]) -> Iterator[Diagnostic]:
    for name, counts in systems.items():
        if counts.words and isnan(counts.mcc):
            whose = "the true tags" if not (counts.bad + counts.missed and counts.ok + counts.alarm) else name
            yield Diagnostic("undefined", f"{name}: MCC has no value, for {whose} have one kind of tag only", name)
