"""HyTER against all strings of small networks, against WER, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import hyter as oracle
from tests.oracles.edit_distance import per

from karat import kernels
from karat.errors import InputError, SpecError
from karat.metrics.hyter import Hyter
from karat.metrics.reading.networks import escape, read_network
from karat.metrics.wer import Wer

words = st.sampled_from(["a", "b", "c", "d"])
sentences = st.lists(words, max_size=6)
networks = st.recursive(
    st.lists(words, max_size=3),
    lambda inner: st.lists(st.one_of(words, st.lists(inner, min_size=1, max_size=3)), max_size=3),
    max_leaves=5,
)


def row(hypothesis: list[str], references: list[str], /, **options: Any) -> tuple[int, int]:
    edits, length = Hyter(**options).prepare([references], 1).rows([" ".join(hypothesis)]).values[0].tolist()
    return edits, length


@settings(max_examples=200)
@given(sentences, st.lists(networks, min_size=1, max_size=2))
def test_it_finds_the_best_of_all_strings(hypothesis: list[str], references: list[oracle.Network]) -> None:
    written = list(map(oracle.written, references))
    assert row(hypothesis, written) == oracle.best(hypothesis, references)
    closest = oracle.best(hypothesis, references, choice="fewest-edits")
    assert row(hypothesis, written, references="fewest-edits") == closest


@settings(max_examples=60)
@given(st.lists(words, max_size=5), networks, st.integers(2, 4))
def test_a_window_takes_the_best_order(hypothesis: list[str], network: oracle.Network, window: int) -> None:
    expected = oracle.best(hypothesis, [network], window)
    assert row(hypothesis, [oracle.written(network)], window=window) == expected


@given(st.lists(st.tuples(st.text(max_size=15), st.text(max_size=15)), min_size=1, max_size=4))
def test_with_one_string_it_is_wer(pairs: list[tuple[str, str]]) -> None:
    hypotheses = [hypothesis for hypothesis, _ in pairs]
    plain = Wer().prepare([reference for _, reference in pairs]).rows(hypotheses)
    network = Hyter().prepare([escape(reference) for _, reference in pairs]).rows(hypotheses)
    assert network.values.tolist() == plain.values.tolist()
    assert network.score == plain.score


@settings(max_examples=100)
@given(sentences, st.lists(networks, min_size=1, max_size=3), st.data())
def test_one_more_network_never_makes_a_segment_worse_and_order_does_not_matter(
    hypothesis: list[str], references: list[oracle.Network], data: st.DataObject
) -> None:
    written = list(map(oracle.written, references))
    edits, length = row(hypothesis, written)
    fewer = row(hypothesis, written[:-1] or written)
    assert per(edits, length) <= per(*fewer)
    assert row(hypothesis, data.draw(st.permutations(written))) == (edits, length)
    joined = f"[{'|'.join(written)}]"
    assert row(hypothesis, [joined]) == (edits, length)


def test_several_paths_lead_to_the_lowest_rate() -> None:
    # By edits "p q r" (3 of 3) is first; the next path prefers 10 of 13 to 4 of 7, which only the last one finds.
    network = "[p q r|a b c d e f g|a b c d e f g h i j k l m]"
    assert row(["a", "b", "c"], [network]) == (4, 7)
    assert row(["a", "b", "c"], [network], references="fewest-edits") == (3, 3)


def test_an_empty_string_has_the_rate_100() -> None:
    assert row(["x", "y", "z"], ["[a|]"]) == (3, 0)
    assert row(["x", "y", "z"], ["a", "[|[|]]"]) == (3, 0)
    assert row(["x", "y", "z"], ["[a b c|]"]) == (3, 3)
    assert row([], ["[a|]"]) == (0, 0)


def test_of_equally_good_strings_the_longest_counts() -> None:
    assert row(["a", "b"], ["[a|a b c|a b c d e]"]) == (1, 3)
    assert row(["a"], ["b", "a b"]) == (1, 2)


def test_exponentially_many_strings() -> None:
    groups = 200
    network = " ".join(["[a|b c|[d|] e]"] * groups)
    assert row(["b", "c"] * groups, [network]) == (0, 2 * groups)
    assert row(["b"] * groups, [network]) == (groups, 2 * groups)


def test_reading_a_network() -> None:
    assert read_network("a [b|] c") == ["a ", -1, "b", -2, -3, " c"]
    assert read_network(r"\[a\|b\]\\") == ["[a|b]\\"]
    assert read_network("") == []
    assert row(["x[1]", "a|b"], [r"x\[1\] a\|b"], tokenize="none") == (0, 2)


def test_a_bracket_ends_a_word_and_pieces_are_tokenised() -> None:
    assert row(["un", "happy", "."], ["un[happy|lucky]."]) == (0, 3)
    assert Hyter(lowercase=True).prepare(["[He|SHE] left"]).rows(["she LEFT"]).score == 0.0


def test_networks_without_words() -> None:
    rows = Hyter().prepare([["[|]"], [""]]).rows(["", "a b"])
    assert rows.values.tolist() == [[0, 0], [2, 0]]
    assert rows.unit_scores().tolist() == [0.0, 100.0]


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("a [b|c", 3, "never closed"),
        ("[a [b]", 1, "never closed"),
        ("a b] c", 4, "outside of brackets"),
        ("a|b", 2, "outside of brackets"),
        ("a \\x", 3, "must stand before"),
        ("é \\", 3, "must stand before"),
    ],
)
def test_text_that_is_no_network_is_refused_with_its_place(text: str, column: int, problem: str) -> None:
    with pytest.raises(InputError, match=f"segment 2, reference 2, column {column}: .*{problem}"):
        Hyter().prepare([["a"], ["b", text]])


def test_windows_that_cannot_be() -> None:
    for window in (0, 9):
        with pytest.raises(SpecError, match="from 1 to 8"):
            Hyter(window=window)


def test_two_thousand_equal_words_are_no_trouble() -> None:
    assert row(["a"] * 2000, ["a " * 1000 + "[a|]" * 2000]) == (0, 2000)
    assert row(["a"] * 500, ["a " * 400], window=3) == (100, 400)


def test_the_core_refuses_steps_that_are_no_network() -> None:
    tokens = kernels.tokenize(kernels.Text(["a"]), "none")
    offsets = np.array([0, 1])
    for steps in ([-1], [-3], [-2], [5], [-7], [-1, -3, -3]):
        arrays = np.array(steps, dtype=np.int32), np.array([0, len(steps)])
        with pytest.raises(InputError, match=r"group|pieces"):
            kernels.hyter_rows(tokens, tokens, *arrays, offsets, choice="error-rate")
    with pytest.raises(InputError, match="ascend"):
        kernels.hyter_rows(
            tokens, tokens, np.array([0], dtype=np.int32), np.array([0, 2]), offsets, choice="error-rate"
        )


def test_too_much_work_is_refused() -> None:
    with pytest.raises(InputError, match="segment 1 is too long"):
        row(["a"], ["x " * 2**20], tokenize="none")
    with pytest.raises(InputError, match="segment 1 is too long"):
        row([str(i) for i in range(3000)], ["x " * 4000], window=8)
