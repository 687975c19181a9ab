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
    found, expected = streamed.measures(), at_once.measures()
    for measure, same in zip(found, expected, strict=True):
        assert measure.identity == same.identity
        assert {name: rows.score for name, rows in measure.rows.items()} == {
            name: rows.score for name, rows in same.rows.items()
        }
    assert found[0].identity.signature.get("context") is not None
    assert found[1].identity.signature.get("context") is None


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
        scoring.measures()


def test_each_system_is_weighed_by_the_references_it_is_measured_against() -> None:
    edited = Corpus.of(
        systems={"one": ["a b c", "d e"], "two": ["a x", "d y"]},
        references={"ref": ["a b", "d e"]},
        targeted={"one": ["a b d", "d e f"], "two": ["a x c", "d z"]},
    )
    rows = {}
    for chosen in (["one", "two"], ["one"]):
        scoring = Scoring(METRICS[:1], keep_rows=True)
        scoring.add(edited.select(systems=chosen), "instead")
        (measure,) = scoring.measures()
        rows[len(chosen)] = measure.rows
    # Who else takes part does not matter.
    assert rows[2]["one"].score == rows[1]["one"].score
    alone = METRICS[0].prepare(["a b d", "d e f"])
    assert rows[2]["one"].score == alone.rows(["a b c", "d e"]).score
    assert rows[2]["one"].identity.signature == alone.signature
    assert rows[2]["two"].identity.signature != alone.signature
