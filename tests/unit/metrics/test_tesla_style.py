"""TESLA-M-style: the linear programme of SciPy, and each component of the paper by a pair of sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import tesla as oracle

from karat import kernels
from karat.errors import InputError, SpecError
from karat.metrics.tesla_style import TeslaStyle

# Six words: the first three are forms of one lemma, some share sets, and weights differ.
LEMMAS = [0, 0, 0, 1, 2, -1]
SETS: list[set[int]] = [{1}, {2}, set(), {1, 2}, {2, 3}, {3}]
WEIGHTS = [1.0, 0.1, 0.5, 1.0, 0.3, 1.0]
TEXTS = st.lists(st.integers(0, 5), max_size=7)

PLAIN: dict[str, Any] = {"max_order": 1, "stems": False, "synonym": 0.0, "function_weight": 1.0}


def facts() -> kernels.WordFacts:
    return kernels.WordFacts(
        np.array(LEMMAS, dtype=np.int32),
        np.full(6, -1, dtype=np.int32),
        np.cumsum([0, *map(len, SETS)], dtype=np.int64),
        np.array([number for one in SETS for number in sorted(one)], dtype=np.int32),
        np.array(WEIGHTS),
    )


def numbered(*columns: list[list[int]]) -> kernels.WordTypes:
    ids = tuple(np.array([word for text in column for word in text], dtype=np.int32) for column in columns)
    offsets = tuple(np.cumsum([0, *map(len, column)], dtype=np.int64) for column in columns)
    return kernels.WordTypes([str(number) for number in range(6)], ids, offsets)


def spelled(text: list[int]) -> str:
    return " ".join(map(str, text))


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3), st.sampled_from([0.5, 0.7, 1.0]))
@example([([0, 3, 3, 4], [3, 4, 4, 1]), ([], []), ([0], []), ([5], [5])], 0.7)
def test_the_matching_equals_the_linear_programme(pairs: list[tuple[list[int], list[int]]], synonym: float) -> None:
    def alike(a: str, b: str) -> float:
        if a == b or LEMMAS[int(a)] == LEMMAS[int(b)] >= 0:
            return 1.0
        return synonym if SETS[int(a)] & SETS[int(b)] else 0.0

    words = numbered([hypothesis for hypothesis, _ in pairs], [reference for _, reference in pairs])
    starts = np.arange(len(pairs) + 1, dtype=np.int64)
    found = TeslaStyle(synonym=synonym).pair_scores(facts(), words, starts, threads=2)
    expected = [oracle.score(spelled(h), spelled(r), alike, lambda word: WEIGHTS[int(word)]) for h, r in pairs]
    assert found == pytest.approx(expected, abs=1e-5)


def test_sums_do_not_depend_on_the_numbers_of_words() -> None:
    # Three words that weigh 0.1, 0.5 and 0.3: floating-point sums of these depend on their order.
    order = np.array([4, 0, 3, 1, 2, 5], dtype=np.int32)  # a renumbering: word w becomes order[w]
    place = np.argsort(order)
    renumbered = kernels.WordFacts(
        np.array(LEMMAS, dtype=np.int32)[place],
        np.full(6, -1, dtype=np.int32),
        np.cumsum([0, *(len(SETS[w]) for w in place)], dtype=np.int64),
        np.array([number for w in place for number in sorted(SETS[w])], dtype=np.int32),
        np.array(WEIGHTS)[place],
    )
    hypothesis, reference = [1, 4, 2, 0, 5, 4, 1], [2, 1, 4, 3, 1, 0]
    starts = np.array([0, 1])
    first = kernels.tesla_pairs(facts(), numbered([hypothesis], [reference]), starts, orders=3, synonym=0.7)
    texts = ([[int(order[w]) for w in text]] for text in (hypothesis, reference))
    second = kernels.tesla_pairs(renumbered, numbered(*texts), starts, orders=3, synonym=0.7)
    assert first.tolist() == second.tolist()


def test_a_portion_of_a_word_goes_where_it_is_worth_most() -> None:
    # Word 0 (weight 1) is worth 1 to word 1, which takes a tenth, and half to word 3, which takes the rest.
    words = numbered([[0]], [[1, 3]])
    rows = kernels.tesla_pairs(facts(), words, np.array([0, 1]), orders=1, synonym=0.5)
    assert rows.tolist() == [pytest.approx([0.1 + 0.9 * 0.5, 1.0, 1.1])]


def test_a_match_is_given_up_for_a_better_whole() -> None:
    # Word 3 shares a set with 4 and with 0, word 5 with 4 alone: 3 must leave 4 (weight 0.3) to it.
    words = numbered([[3, 5]], [[4, 0]])
    rows = kernels.tesla_pairs(facts(), words, np.array([0, 1]), orders=1, synonym=1.0)
    assert rows[0, 0] == pytest.approx(1.0 + 0.3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (numbered([[7]], [[0]]), "no word 7"),
        (numbered([[0]], [[-1]]), "no word -1"),
        (numbered([[0], [0]], [[0]]), "number of hypotheses"),
    ],
)
def test_numbers_without_facts_are_refused(words: kernels.WordTypes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        kernels.tesla_pairs(facts(), words, np.array([0, 1]), orders=1, synonym=1.0)


def test_facts_that_do_not_fit_together_are_refused() -> None:
    none, start, one = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="one fact of each kind"):
        kernels.WordFacts(one, none, start, none, np.zeros(1))
    with pytest.raises(ValueError, match="in order"):
        kernels.WordFacts(one, one, np.array([0, 2]), one, np.zeros(1))
    with pytest.raises(ValueError, match="negative"):
        kernels.WordFacts(one, one, np.array([0, 1]), one, np.array([np.nan]))


@settings(max_examples=25)
@given(*[st.lists(st.sampled_from(["car", "cars", "automobile", "the", "shore", "bank"]), max_size=6)] * 2)
def test_scores_equal_the_slow_version(hypothesis: list[str], reference: list[str]) -> None:
    texts = " ".join(hypothesis), " ".join(reference)
    found = TeslaStyle().prepare([texts[1]]).rows([texts[0]]).score
    assert found == pytest.approx(oracle.english_score(*texts), abs=1e-5)


def score(hypothesis: str, reference: str, **parameters: Any) -> float:
    return TeslaStyle(**parameters).prepare([reference]).rows([hypothesis]).score


REFERENCE = "the farmer sold a car and two horses"


@pytest.mark.parametrize(
    ("component", "better", "worse"),
    [
        ({"stems": True}, REFERENCE.replace("horses", "horse"), REFERENCE.replace("horses", "geese")),
        ({"synonym": 1.0}, REFERENCE.replace("car", "automobile"), REFERENCE.replace("car", "house")),
        ({"function_weight": 0.1}, REFERENCE.replace("and", "or"), REFERENCE.replace("car", "tree")),
    ],
)
def test_each_kind_of_knowledge_alone_tells_two_sentences_apart(
    component: dict[str, Any], better: str, worse: str
) -> None:
    assert score(better, REFERENCE, **PLAIN) == pytest.approx(score(worse, REFERENCE, **PLAIN))
    with_it = {**PLAIN, **component}
    assert score(better, REFERENCE, **with_it) > score(worse, REFERENCE, **with_it)


@pytest.mark.parametrize(
    ("order", "better", "worse"),
    [
        (2, "a b c d x y", "a x c y e d"),
        (3, "a b c x y d", "a b x c d y"),
    ],
)
def test_longer_n_grams_alone_tell_two_sentences_apart(order: int, better: str, worse: str) -> None:
    reference = "a b c d e f"
    without, with_it = ({**PLAIN, "max_order": n} for n in (order - 1, order))
    assert score(better, reference, **without) == pytest.approx(score(worse, reference, **without))
    assert score(better, reference, **with_it) > score(worse, reference, **with_it)


def test_recall_counts_more_than_precision() -> None:
    reference, fragment, verbose = "k l m n o p", "k l m", "k l m n o p q r s t u v"
    harmonic = {**PLAIN, "alpha": 0.5}
    assert score(fragment, reference, **harmonic) == pytest.approx(score(verbose, reference, **harmonic))
    assert score(verbose, reference, **PLAIN) > score(fragment, reference, **PLAIN)


def test_words_match_in_any_order_but_only_once() -> None:
    assert score("c b a", "a b c", **PLAIN) == pytest.approx(100)
    assert score("a a a", "a b c", **PLAIN) == pytest.approx(100 / 3)


@pytest.mark.usefixtures("installed_german_thesaurus")
def test_german_words_are_looked_up_in_german() -> None:
    metric = TeslaStyle(max_order=1).for_language("de-DE")
    prepared = metric.prepare(["der Wagen fährt schnell"])
    assert "german" in str(prepared.signature)
    synonym, other = prepared.rows(["das Auto fährt schnell"]).score, prepared.rows(["das Haus fährt schnell"]).score
    assert synonym > other


def test_a_segment_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="split it into sentences"):
        TeslaStyle().prepare(["a " * 6000]).rows(["b " * 6000])


def test_the_best_of_several_references_counts() -> None:
    prepared = TeslaStyle().prepare([["a b c d e", "v w x y z"], ["k l m n", "a b c d e"]])
    assert prepared.rows(["v w x y z", "a b c d e"]).unit_scores() == pytest.approx([100, 100])


@pytest.mark.parametrize("wrong", [{"alpha": 2.0}, {"synonym": -1.0}, {"function_weight": 1.5}, {"max_order": 0}])
def test_parameters_without_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match=next(iter(wrong))):
        TeslaStyle(**wrong)
