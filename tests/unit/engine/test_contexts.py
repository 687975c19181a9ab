"""Metrics that learn from the whole set: in one block, in many, and with references of single systems."""

from __future__ import annotations

import pytest

from karat.corpus import Corpus, References
from karat.engine import Scoring
from karat.errors import InputError
from karat.registry import metric
from karat.rows import SUM_BLOCK

METRICS = [metric("nist(tokenize=none)"), metric("bleu"), metric("nist(tokenize=none,mode=mteval)")]


def corpus(segments: int) -> Corpus:
    references = [f"a b {i % 97} c {i % 13}" for i in range(segments)]
    systems = {
        "one": [f"a b {i % 89} c" for i in range(segments)],
        "two": [f"a {i % 7} c b" for i in range(segments)],
    }
    return Corpus.of(systems=systems, references={"ref": references})


def test_blocks_score_as_the_whole_does() -> None:
    whole = corpus(2 * SUM_BLOCK + 10)
    blocks = [whole.slice(start, min(start + SUM_BLOCK, len(whole))) for start in range(0, len(whole), SUM_BLOCK)]
    streamed, at_once = (Scoring(METRICS, keep_rows=False) for _ in range(2))
    streamed.fit(block.references_for() for block in blocks)
    for block in blocks:
        streamed.add(block)
    at_once.add(whole)
    found, expected = streamed.scores(), at_once.scores()
    assert [score.signature for score in found] == [score.signature for score in expected]
    assert [score.score for score in found] == [score.score for score in expected]
    assert "|context:" in found[0].signature
    assert "|context:" not in found[1].signature


def test_blocks_without_what_was_learnt_from_all_are_refused() -> None:
    scoring = Scoring(METRICS, keep_rows=False)
    scoring.add(corpus(SUM_BLOCK))
    with pytest.raises(InputError, match="nist weighs by the whole set of references"):
        scoring.add(corpus(10))


def test_references_that_change_between_two_readings_are_refused() -> None:
    scoring = Scoring(METRICS, keep_rows=False)
    scoring.fit([References.of(["a b", "a c"])])
    scoring.add(Corpus.of(systems={"one": ["a c", "a b"]}, references={"ref": ["a c", "a b"]}))
    with pytest.raises(InputError, match="changed while they were read"):
        scoring.scores()


def test_each_system_is_weighed_by_the_references_it_is_measured_against() -> None:
    edited = Corpus.of(
        systems={"one": ["a b c", "d e"], "two": ["a x", "d y"]},
        references={"ref": ["a b", "d e"]},
        targeted={"one": ["a b d", "d e f"], "two": ["a x c", "d z"]},
    )
    scores = {}
    for chosen in (["one", "two"], ["one"]):
        scoring = Scoring(METRICS[:1], keep_rows=True)
        scoring.add(edited.select(systems=chosen), "instead")
        scores[len(chosen)] = scoring.scores()
    # Who else takes part does not matter.
    assert scores[2]["one", "nist"].score == scores[1]["one", "nist"].score
    alone = METRICS[0].prepare(["a b d", "d e f"])
    assert scores[2]["one", "nist"].score == alone.rows(["a b c", "d e"]).score
    assert scores[2]["one", "nist"].signature == alone.signature
    assert scores[2]["two", "nist"].signature != alone.signature
