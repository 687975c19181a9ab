"""METEOR 2005: scores of METEOR's program with the old parameters, and an exhaustive search on short segments."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.records import record

from karat import kernels
from karat.corpus.references import References
from karat.errors import SpecError
from karat.metrics.meteor_2005 import Meteor2005


def test_scores_are_those_of_the_program_with_the_old_parameters(shared_spec: Path) -> None:
    known = record(shared_spec, "o03")
    metric = Meteor2005(modules="exact", tokenize="none", alignment="chunks")
    rows = metric.prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert rows.unit_scores() / 100 == pytest.approx(known["seg_scores"], abs=1e-12)
    assert rows.score / 100 == pytest.approx(known["corpus_score"], abs=1e-12)


def least_crossings(h: list[str], r: list[str]) -> tuple[int, int]:
    """The size of the largest matchings of equal words, and the fewest crossings of one of them."""
    best = (0, 0)
    for size in range(1, min(len(h), len(r)) + 1):
        for chosen in combinations(range(len(h)), size):
            for partners in permutations(range(len(r)), size):
                if all(h[j] == r[i] for j, i in zip(chosen, partners, strict=True)):
                    crossings = sum(a > b for a, b in combinations(partners, 2))
                    best = min(best, (-size, crossings))
    return -best[0], best[1]


WORDS = st.lists(st.sampled_from("abc"), max_size=5)


@settings(max_examples=200)
@given(WORDS, WORDS)
def test_equal_words_cross_as_little_as_possible(h: list[str], r: list[str]) -> None:
    found = kernels.word_types(*(kernels.tokenize(kernels.Text([" ".join(words)]), "none") for words in (h, r)))
    texts = [kernels.NumberedText(*text) for text in zip(found.ids, found.offsets, strict=True)]
    knowledge = kernels.word_knowledge(np.zeros(len(found.types), dtype=np.uint8))
    row = kernels.staged_pairs(knowledge, *texts, np.array([0, 1]), beam=1000)[0]
    assert (row[2], row[4]) == least_crossings(h, r)


def test_stages_come_one_after_the_other() -> None:
    """What an equal word could have, a stem does not get; synonyms take what is left."""
    metric = Meteor2005(modules="exact+stem+synonym")
    assert metric.prepare(["boats boat"]).values(["boat boating"]).tolist() == [[2, 2, 2, 2]]
    assert metric.prepare(["the car ran"]).values(["an automobile running"]).tolist() == [[3, 3, 2, 1]]


def test_identical_texts_keep_the_penalty_of_one_chunk() -> None:
    assert Meteor2005(modules="exact").prepare(["a b"]).rows(["a b"]).score == pytest.approx(100 * (1 - 0.5 / 8))


def test_long_segments_of_one_word() -> None:
    rows = Meteor2005(modules="exact").prepare(["a " * 2000]).values(["a " * 2000])
    assert rows.tolist() == [[2000, 2000, 2000, 1]]


@pytest.mark.parametrize("parameters", [{"modules": "exact+paraphrase"}, {"modules": "stem"}, {"beam": 0}])
def test_parameters_without_sense_are_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(SpecError):
        Meteor2005(**parameters)
