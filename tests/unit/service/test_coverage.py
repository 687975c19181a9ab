"""Coverage of references: what a reader must be told about few or unequal ones."""

from __future__ import annotations

from karat.corpus import Corpus
from karat.service.coverage import CoverageRequest, cover
from karat.service.inputs import TestSet


class InMemory:
    """An input of one corpus that is there already."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def testsets(self, *, whole: bool, twice: bool = False) -> list[TestSet]:  # noqa: ARG002
        return [TestSet(None, None, lambda: [self._corpus])]


def told(**references: list[str | None]) -> list[str]:
    corpus = Corpus.of(systems={"a": ["x", "y"]}, references=references)
    return [warning.message for warning in cover(CoverageRequest(texts=InMemory(corpus))).warnings]


def test_one_reference_is_said_to_share_nothing() -> None:
    (message,) = told(ref=["a b", "c"])
    assert "one reference only" in message


def test_unequal_numbers_of_references_are_said_to_be_beyond_comparison() -> None:
    (message,) = told(ref=["a b", "c"], other=["a", None])
    assert "different numbers" in message
    assert told(ref=["a b", "c"], other=["a", "d"]) == []
