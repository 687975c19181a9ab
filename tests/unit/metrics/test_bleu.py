"""BLEU: the kernel against the oracle, the formula's edges, and examples from the literature."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.oracles import bleu as oracle

from karat.errors import InputError, SpecError
from karat.metrics.bleu import Bleu
from karat.registry import metric

# Few different words make matches; any text at all makes the rest.
LINES = st.one_of(
    st.lists(st.sampled_from(["a", "b", "c", "ab", "ä", "長い", "longer-than-eight"]), max_size=30).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=4)), min_size=1, max_size=6)


def corpus(segments: list[tuple[str, list[str]]]) -> tuple[list[str], list[list[str]]]:
    """Hypotheses and their references."""
    return [hypothesis for hypothesis, _ in segments], [references for _, references in segments]


def score(hypothesis: str, references: list[str], **parameters: Any) -> float:
    """The score of one segment of tokenised text."""
    return Bleu(tokenize="none", **parameters).prepare([references]).rows([hypothesis]).score


@given(SEGMENTS, st.integers(1, 7), st.sampled_from(["closest", "shortest", "average"]), st.integers(1, 3))
@example([("a a a a a a", ["a a a", "a a a a a"])], 4, "closest", 1)
@example([("", [""]), ("a", ["", "b c"])], 2, "average", 1)
def test_rows_equal_the_oracle(
    segments: list[tuple[str, list[str]]], max_order: int, reference_length: str, threads: int
) -> None:
    hypotheses, references = corpus(segments)
    bleu = Bleu(tokenize="none", max_order=max_order, reference_length=reference_length)
    values = bleu.prepare(references, threads).rows(hypotheses).values
    expected = [oracle.row(h, r, max_order, reference_length) for h, r in segments]
    assert values.tolist() == expected
    assert values.dtype == (np.float64 if reference_length == "average" else np.int64)


@given(st.data())
def test_aggregate_equals_the_oracle_elementwise(data: st.DataObject) -> None:
    orders = data.draw(st.integers(1, 6))
    counts = st.lists(st.integers(0, 30), min_size=2 + 2 * orders, max_size=2 + 2 * orders)
    sums = np.array(data.draw(st.lists(counts, min_size=1, max_size=8)), dtype=np.float64)
    sums[:, 2 + orders :] = np.sort(sums[:, 2 + orders :])[:, ::-1]  # there are never more n-grams of a longer kind
    sums[:, 0] = sums[:, 2 + orders]  # a hypothesis has as many unigrams as tokens
    sums[:, 2 : 2 + orders] = np.minimum(sums[:, 2 : 2 + orders], sums[:, 2 + orders :])
    smooth = data.draw(st.sampled_from(["exp", "floor", "add-k", "none"]))
    takes_value = smooth in ("floor", "add-k")
    value = data.draw(st.none() | st.sampled_from([0.0, 0.25, 2.0])) if takes_value else None
    effective = data.draw(st.booleans())
    weights = data.draw(st.none() | st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 3.0])] * orders))
    if weights is not None and sum(weights) == 0:
        weights = None
    bleu = Bleu(
        tokenize="none", max_order=orders, smooth=smooth, smooth_value=value, effective_order=effective, weights=weights
    )
    expected = [oracle.score(row, smooth, value, effective, weights) for row in sums.tolist()]
    scores = bleu.aggregate(sums)
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(bleu.aggregate(sums[np.newaxis]), scores[np.newaxis])
    np.testing.assert_array_equal([bleu.aggregate(row) for row in sums], scores)


def test_threads_do_not_matter() -> None:
    hypotheses = [f"a b {i % 7} c {i % 5} d e" for i in range(2000)]
    references = [[f"a b c {i % 3} d", f"e {i % 5} d e f"] for i in range(2000)]
    one = Bleu(tokenize="none").prepare(references, threads=1).rows(hypotheses).values
    many = Bleu(tokenize="none").prepare(references, threads=5).rows(hypotheses).values
    np.testing.assert_array_equal(one, many)


def test_three_tokens_score_only_with_effective_order() -> None:
    assert score("a b c", ["a b c"]) == 0.0
    assert score("a b c", ["a b c"], effective_order=True) == pytest.approx(100)
    assert score("a b c", ["a b c"], smooth="add-k") == pytest.approx(100)


def test_empty_sides() -> None:
    for hypothesis, reference in [("", ""), ("", "a b"), ("a b", ""), ("x", "a")]:
        assert score(hypothesis, [reference]) == 0.0
    details = Bleu(tokenize="none").details(np.zeros(10))
    assert details["bp"] == 1.0
    assert details["ratio"] == 0.0
    assert Bleu(tokenize="none").details(np.array([0.0, 3, 0, 0, 0, 0, 0, 0, 0, 0]))["bp"] == 0.0


def test_a_tie_of_lengths_goes_to_the_shorter_reference() -> None:
    prepared = Bleu(tokenize="none").prepare([["a b c d e", "a"]])
    assert prepared.rows(["x y z"]).values[0, 1] == 1


def test_a_custom_weight_changes_the_mean() -> None:
    assert score("a b c x", ["a b c d"], max_order=2, weights=(1.0, 0.0)) == pytest.approx(75)
    assert score("a b c x", ["a b c d"], max_order=2, weights=(2.0, 2.0)) == pytest.approx(
        score("a b c x", ["a b c d"], max_order=2)
    )


def test_long_and_repetitive_lines_are_exact() -> None:
    same = "a " * 10_000
    row = Bleu(tokenize="none", max_order=6).prepare([[same, "a " * 9_000]]).rows([same + "b"]).values[0]
    assert row[2:8].tolist() == [10_000 - n for n in range(6)]
    words = [str(i * i % 70_001) for i in range(100_000)]
    hypothesis, reference = " ".join(words), " ".join(words[50_000:] + words[:50_000])
    row = Bleu(tokenize="none").prepare([reference]).rows([hypothesis]).values[0]
    assert row.tolist() == oracle.row(hypothesis, [reference])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"smooth": "laplace"}, "smooth=laplace"),
        ({"smooth_value": 1.0}, "takes no smooth_value"),
        ({"smooth": "none", "smooth_value": 0.5}, "takes no smooth_value"),
        ({"smooth": "floor", "smooth_value": -1.0}, "must be from 0 to"),
        ({"smooth": "floor", "smooth_value": math.nan}, "must be from 0 to"),
        ({"max_order": 0}, "must be from 1 to 100"),
        ({"weights": (1.0,)}, "4 orders, but 1 weights"),
        ({"weights": (0.0, 0.0, 0.0, 0.0)}, "greater than 0"),
        ({"weights": (1.0, -1.0, 1.0, 1.0)}, "must be from 0 to"),
        ({"reference_length": "longest"}, "reference_length=longest"),
        ({"tokenize": "14a"}, "no tokenizer '14a'"),
    ],
)
def test_nonsense_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Bleu(**{"tokenize": "none", **parameters})


def test_lengths_must_agree() -> None:
    with pytest.raises(InputError, match="3 hypotheses, but references for 2 segments"):
        Bleu(tokenize="none").prepare(["a", "b"]).rows(["a", "b", "c"])


def test_specs_and_aliases() -> None:
    bleu = Bleu(tokenize="none", weights=(0.5, 0.25, 0.25, 0.0), smooth="floor", smooth_value=0.01)
    assert metric(bleu.spec) == bleu
    assert metric("bleu+1(tokenize=none)") == Bleu(tokenize="none", smooth="add-k", smooth_value=1.0)
    assert metric("sentence-bleu(tokenize=none)") == Bleu(tokenize="none", effective_order=True)
    assert bleu.display_name == "BLEU"


@pytest.mark.parametrize(
    ("parameters", "signature"),
    [
        ({}, "nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:2.6.0"),
        (
            {"lowercase": True, "effective_order": True, "smooth": "floor"},
            "nrefs:1|case:lc|eff:yes|tok:none|smooth:floor[0.10]|version:2.6.0",
        ),
        ({"smooth": "add-k"}, "nrefs:1|case:mixed|eff:no|tok:none|smooth:add-k[1.00]|version:2.6.0"),
        ({"smooth": "none", "tokenize": "char"}, "nrefs:1|case:mixed|eff:no|tok:char|smooth:none|version:2.6.0"),
        ({"weights": (1.0, 1.0, 1.0, 1.0)}, None),
        ({"reference_length": "shortest"}, None),
    ],
)
def test_sacrebleu_signature(parameters: dict[str, Any], signature: str | None) -> None:
    assert Bleu(**{"tokenize": "none", **parameters}).sacrebleu_signature("1") == signature


# Callison-Burch, Osborne and Koehn (2006), table 1, tokenised.
OREJUELA_REFERENCES = [
    "Orejuela appeared calm as he was led to the American plane which will take him to Miami , Florida .",
    "Orejuela appeared calm while being escorted to the plane that would take him to Miami , Florida .",
    "Orejuela appeared calm as he was being led to the American plane that was to carry him to Miami in Florida .",
    "Orejuela seemed quite calm as he was being led to the American plane that would take him to Miami in Florida .",
]
OREJUELA = "Appeared calm when he was taken to the American plane , which will to Miami , Florida ."


def worked(lowercase: bool) -> tuple[Bleu, list[int]]:
    """The metric and its row for the example."""
    bleu = Bleu(tokenize="none", lowercase=lowercase)
    return bleu, bleu.prepare([OREJUELA_REFERENCES]).rows([OREJUELA]).values[0].tolist()


def test_example_of_callison_burch_lowercased() -> None:
    bleu, row = worked(lowercase=True)
    assert [len(reference.split()) for reference in OREJUELA_REFERENCES] == [20, 18, 22, 22]
    assert row == [18, 18, 15, 10, 5, 3, 18, 17, 16, 15]
    details = bleu.details(np.array(row, dtype=np.float64))
    assert details["precisions"] == pytest.approx([250 / 3, 1000 / 17, 31.25, 20.0])
    assert details["bp"] == 1.0
    assert details["ratio"] == 1.0
    assert float(bleu.aggregate(np.array(row, dtype=np.float64))) == pytest.approx(41.83718567, abs=5e-9)


def test_example_of_callison_burch_cased() -> None:
    bleu, row = worked(lowercase=False)
    assert row == [18, 18, 14, 9, 5, 3, 18, 17, 16, 15]
    assert float(bleu.aggregate(np.array(row, dtype=np.float64))) == pytest.approx(40.05274485, abs=5e-9)


def test_matching_ngrams_of_callison_burch() -> None:
    tokens = OREJUELA.lower().split()
    references = [reference.lower().split() for reference in OREJUELA_REFERENCES]
    for n, expected in [
        (3, ["to the american", "the american plane", "to miami ,", "miami , florida", ", florida ."]),
        (4, ["to the american plane", "to miami , florida", "miami , florida ."]),
    ]:
        found = []
        for start in range(len(tokens) - n + 1):
            piece = " ".join(tokens[start : start + n])
            row = Bleu(tokenize="none").prepare([[" ".join(r) for r in references]]).rows([piece]).values[0]
            found += [piece] * int(row[1 + n])
        assert found == expected


GUNMAN_REFERENCES = [
    "The gunman was shot to death by the police .",
    "Police killed the gunman .",
    "The gunman was shot dead by the police .",
    "The gunman was shot to death by the police .",
]
GUNMAN = "Gunman is shot dead by police ."


def test_example_of_qin_and_specia() -> None:
    row = Bleu(tokenize="none", lowercase=True).prepare([GUNMAN_REFERENCES]).rows([GUNMAN]).values[0]
    assert [len(reference.split()) for reference in GUNMAN_REFERENCES] == [10, 5, 9, 10]
    assert row.tolist() == [7, 5, 6, 3, 1, 0, 7, 6, 5, 4]
    assert score(GUNMAN, GUNMAN_REFERENCES, lowercase=True) == pytest.approx(32.17294, abs=5e-6)
    assert score(GUNMAN, GUNMAN_REFERENCES, lowercase=True, smooth="add-k") == pytest.approx(42.51, abs=5e-3)
    assert score(GUNMAN, GUNMAN_REFERENCES) == pytest.approx(30.74, abs=5e-3)


def test_multi_bleu_has_no_smoothing_and_no_tokenizer() -> None:
    bleu = Bleu(tokenize="none", smooth="none")
    prepared = bleu.prepare([["a b c d e", "a b x"], ["f g h"]])
    rows = prepared.rows(["a b c d", "f g"])
    # 4 + 2 of 6 unigrams, 3 + 1 of 4 bigrams, 2 of 2, 1 of 1; lengths 6 against 3 (the shorter of the tie) + 3.
    assert rows.values.tolist() == [[4, 3, 4, 3, 2, 1, 4, 3, 2, 1], [2, 3, 2, 1, 0, 0, 2, 1, 0, 0]]
    assert rows.score == pytest.approx(100)
    assert bleu.prepare(["a b c x"]).rows(["a b c d"]).score == 0.0


def test_add_k_counts_are_shown_as_they_were_used() -> None:
    bleu = Bleu(tokenize="none", smooth="add-k")
    details = bleu.details(bleu.prepare(["a b c d"]).rows(["a b c x"]).sum().astype(np.float64))
    assert details["counts"] == [3, 3, 2, 1]
    assert details["totals"] == [4, 4, 3, 2]
