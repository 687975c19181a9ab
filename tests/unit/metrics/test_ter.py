"""TER: rows against the slow definition, scores by hand, and what is refused."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import ter as oracle
from tests.oracles.records import record

from karat import kernels, registry
from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.metrics.ter import Ter, TercomTokenizer

Pair = tuple[list[str], list[str]]


@st.composite
def edited_pairs(draw: st.DrawFn, vocabulary: int, longest: int) -> Pair:
    """A reference, and a hypothesis made of it by moving blocks and changing words."""
    word = st.integers(0, vocabulary - 1).map(str)
    reference = draw(st.lists(word, max_size=longest))
    hypothesis = list(reference)
    for _ in range(draw(st.integers(0, 3))):
        start, length, target = draw(st.tuples(*[st.integers(0, longest)] * 3))
        block = hypothesis[start : start + length]
        del hypothesis[start : start + length]
        hypothesis[target:target] = block
    for _ in range(draw(st.integers(0, 4))):
        position = draw(st.integers(0, longest))
        hypothesis[position : position + draw(st.integers(0, 2))] = draw(st.lists(word, max_size=2))
    return hypothesis, reference


def edits(hypothesis: list[str], reference: list[str], *, full: bool = False) -> int:
    hypotheses, references = tokens(hypothesis), tokens(reference)
    return int(kernels.ter_rows(hypotheses, references, np.array([0, 1]), full=full, threads=1)[0, 0])


def tokens(words: list[str]) -> kernels.Tokens:
    return kernels.tokenize(kernels.Text([" ".join(words)]), "none")


def check_alignment(hypothesis: list[str], reference: list[str], *, full: bool = False) -> None:
    """Applying what the alignment says turns the one into the other, at the stated number of edits."""
    found = kernels.ter_alignment(tokens(hypothesis), tokens(reference), 0, 0, full=full)
    words = list(hypothesis)
    for start, length, target in found.shifts:
        assert target != start
        block = words[start : start + length]
        assert 1 <= len(block) == length <= 10
        del words[start : start + length]
        words[target:target] = block
    result: list[str] = []
    remaining, wanted = iter(words), iter(reference)
    for operation in found.operations:
        old = next(remaining) if operation != "I" else None
        new = next(wanted) if operation != "D" else None
        assert (old == new) == (operation == "=")
        result += [] if new is None else [new]
    assert result == reference
    assert next(remaining, None) is None
    assert found.edits == len(found.shifts) + len(found.operations) - found.operations.count("=")
    assert found.edits == edits(hypothesis, reference, full=full)


@settings(max_examples=300)
@given(st.integers(1, 6).flatmap(lambda size: edited_pairs(size, 9)))
def test_short_repetitive_pairs_equal_the_definition(pair: Pair) -> None:
    assert edits(*pair) == oracle.edits(*pair)
    assert edits(*pair, full=True) == oracle.edits(*pair, budget=None)


@settings(max_examples=60)
@given(edited_pairs(60, 28))
def test_longer_pairs_equal_the_definition(pair: Pair) -> None:
    assert edits(*pair) == oracle.edits(*pair)


def test_every_pair_of_up_to_four_words_from_two_equals_the_definition() -> None:
    sides = [list(words) for size in range(5) for words in itertools.product("ab", repeat=size)]
    for hypothesis, reference in itertools.product(sides, repeat=2):
        assert edits(hypothesis, reference) == oracle.edits(hypothesis, reference)


def test_every_permutation_of_six_words_equals_the_definition() -> None:
    for words in itertools.permutations("aabcde"):
        assert edits(list(words), list("abcade")) == oracle.edits(list(words), list("abcade"))


@settings(max_examples=15)
@given(st.randoms(use_true_random=False), st.integers(12, 18))
def test_the_budget_bites_where_the_definition_says(rng: random.Random, length: int) -> None:
    hypothesis, reference = (rng.choices("ab", k=length) for _ in range(2))
    assert edits(hypothesis, reference) == oracle.edits(hypothesis, reference)


@settings(max_examples=20)
@given(st.randoms(use_true_random=False), st.integers(1, 70), st.integers(40, 140))
def test_the_band_bites_where_the_definition_says(rng: random.Random, hypothesis_length: int, length: int) -> None:
    reference = [str(number) for number in range(length)]
    hypothesis = sorted(rng.sample(reference, min(hypothesis_length, length)), key=int)
    rotated = hypothesis[rng.randrange(len(hypothesis)) :] + hypothesis[:3]
    assert edits(rotated, reference) == oracle.edits(rotated, reference)
    assert edits(reference, rotated) == oracle.edits(reference, rotated)


@settings(max_examples=200)
@given(st.integers(1, 8).flatmap(lambda size: edited_pairs(size, 14)), st.booleans())
def test_the_alignment_turns_the_hypothesis_into_the_reference(pair: Pair, full: bool) -> None:
    check_alignment(*pair, full=full)


@settings(max_examples=20)
@given(edited_pairs(400, 180), st.booleans())
def test_the_alignment_of_long_segments_is_consistent(pair: Pair, full: bool) -> None:
    check_alignment(*pair, full=full)


def test_two_swapped_blocks_of_twenty_words_need_the_full_search() -> None:
    first, second = [f"a{i}" for i in range(20)], [f"b{i}" for i in range(20)]
    assert edits(second + first, first + second) == 40
    assert edits(second + first, first + second, full=True) == 2


@pytest.mark.parametrize("full", [False, True])
def test_pathological_segments_end(full: bool) -> None:
    assert edits(["a"] * 10_000, ["a"] * 10_000, full=full) == 0
    assert edits(["a"] * 10_000, ["a"], full=full) == 9_999
    assert edits(["b"], ["a"] * 10_000, full=full) == 10_000
    numbers = [str(number) for number in range(100_000)]
    assert edits(numbers[10:14] + numbers[:10] + numbers[14:], numbers, full=full) == 1


def test_a_segment_too_repetitive_for_the_full_search_is_refused() -> None:
    rng = random.Random(0)
    long = " ".join(rng.choices("ab", k=100_000))
    other = " ".join(rng.choices("ab", k=100_000))
    assert Ter().prepare(["x", long]).rows(["x", other]).score > 0
    with pytest.raises(InputError, match=r"segment 2 has more than 2000000 candidates.*search=sacrebleu"):
        Ter(search="full").prepare(["x", long]).rows(["x", other])


def test_rows_hold_the_fewest_edits_and_the_mean_length() -> None:
    rows = Ter().prepare([["a b c d", "a b x"], [""], ["c"]]).rows(["a b x", "d e", ""])
    assert rows.values.tolist() == [[0.0, 3.5], [2.0, 0.0], [1.0, 1.0]]
    assert rows.unit_scores().tolist() == [0.0, 100.0, 100.0]
    assert rows.score == 100 * (3 / 4.5)


def test_aggregate_is_elementwise_over_leading_axes() -> None:
    sums = np.array([[[0.0, 0.0], [3.0, 0.0]], [[1.0, 4.0], [6.0, 3.0]]])
    assert Ter().aggregate(sums).tolist() == [[0.0, 100.0], [25.0, 200.0]]
    assert float(Ter().aggregate(np.array([4.0, 3.0]))) == 100 * (4 / 3)


def test_case_counts_only_if_asked_for() -> None:
    assert Ter().prepare(["ÄB c"]).rows(["äb C"]).score == 0
    assert Ter(case_sensitive=True).prepare(["ÄB c"]).rows(["äb C"]).score == 100


def test_references_are_tokenised_twice_by_default() -> None:
    assert Ter(normalized=True).prepare(["It's."]).rows(["It's."]).score == pytest.approx(200 / 3)
    assert Ter(normalized=True, reference_passes=1).prepare(["It's."]).rows(["It's."]).score == 0


def test_trailing_white_space_ends_a_possessive() -> None:
    tokenizer = TercomTokenizer(normalized=True)
    assert tokenizer.tokens(kernels.Text(["cat's\t", "cat's\tx"])).to_lists() == [["cat", "'s"], ["cat's", "x"]]


def test_threads_do_not_matter() -> None:
    rng = random.Random(1)
    hypotheses, references = ([" ".join(rng.choices("abcdefgh", k=12)) for _ in range(300)] for _ in range(2))
    one, two, five = (Ter().prepare(references, threads).rows(hypotheses).values for threads in (1, 2, 5))
    assert (one == two).all()
    assert (one == five).all()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("ter", "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0"),
        (
            "ter(normalized=true,no_punct=true,asian_support=true,case_sensitive=true)",
            "nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:2.6.0",
        ),
        ("ter(search=full)", None),
        ("ter(normalized=true,reference_passes=1)", None),
    ],
)
def test_specs_round_trip_and_know_their_sacrebleu_signature(spec: str, expected: str | None) -> None:
    metric = registry.metric(spec)
    assert metric.spec == spec
    assert metric.display_name == "TER"
    assert metric.sacrebleu_signature("1") == expected


@pytest.mark.parametrize("spec", ["ter(search=fast)", "ter(reference_passes=3)", "ter(normalised=true)"])
def test_parameters_that_do_not_exist_are_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        registry.metric(spec)


def test_kernels_refuse_positions_and_offsets_outside_the_columns() -> None:
    column = tokens(["a"])
    for offsets in ([0], [0, 0], [0, 2], [-1, 1]):
        with pytest.raises(InputError):
            kernels.ter_rows(column, column, np.array(offsets))
    with pytest.raises(IndexError):
        kernels.ter_alignment(column, column, 1, 0)
    with pytest.raises(IndexError):
        kernels.ter_alignment(column, column, 0, 1)


@settings(max_examples=200)
@given(
    st.lists(st.text(st.sampled_from("a'sS \n\t.,-1&;quotampltg“。、あア中\u3000(！\"")), max_size=4),
    *[st.booleans()] * 3,
)
def test_tercom_normalize_equals_the_definition(
    lines: list[str], normalized: bool, no_punct: bool, asian: bool
) -> None:
    options = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian}
    result = kernels.tercom_normalize(kernels.Text(lines), **options, threads=2)
    assert result.to_list() == [oracle.tercom(line, **options) for line in lines]


def test_any_tokenizer_may_cut_the_words() -> None:
    hypotheses, references = ["It's not here, is it?"], ["It is not here , is it ?"]
    for tokenize in ("13a", "intl", "char", "none"):
        cut = kernels.tokenize(kernels.Text([text.lower() for text in hypotheses + references]), tokenize)
        alone = [kernels.tokenize(kernels.Text([text.lower()]), tokenize) for text in hypotheses + references]
        assert len(cut) == 2
        expected = kernels.ter_rows(alone[0], alone[1], np.array([0, 1]))
        assert Ter(tokenize=tokenize).prepare(references).rows(hypotheses).values.tolist() == expected.tolist()


def test_white_space_cuts_as_tercom_does_without_options() -> None:
    hypotheses, references = ["it's  here, is It?"], ["It is here, is it?"]
    plain = Ter().prepare(references).rows(hypotheses)
    assert (
        Ter(tokenize="none", lowercase=True).prepare(references).rows(hypotheses).values.tolist()
        == plain.values.tolist()
    )
    assert Ter(tokenize="none").sacrebleu_signature("1") == Ter().sacrebleu_signature("1")
    assert Ter(tokenize="13a").sacrebleu_signature("1") is None


def test_options_of_tercom_come_before_another_tokenizer() -> None:
    rows = Ter(no_punct=True, tokenize="char").prepare(["ab."]).rows(["a b!"])
    assert rows.values.tolist() == [[0.0, 2.0]]


def test_lowercase_is_case_sensitive_the_other_way_round() -> None:
    assert registry.metric("ter(lowercase=true)") == Ter()
    assert registry.metric("ter(lowercase=false)") == Ter(case_sensitive=True)
    assert registry.metric("ter(lowercase=false)").spec == "ter(case_sensitive=true)"
    with pytest.raises(SpecError, match="contradict"):
        Ter(lowercase=True, case_sensitive=True)


def test_an_unknown_tokenizer_is_told_the_known_ones() -> None:
    with pytest.raises(SpecError, match=r"no tokenizer 'foo'\. There is: 13a, .*spm:PATH, tercom, zh"):
        Ter(tokenize="foo")


def test_scores_are_those_of_tercom_and_terp(shared_spec: Path) -> None:
    whole, segments = record(shared_spec, "o10"), record(shared_spec, "o11")
    for known in (whole, segments):
        rows = Ter().prepare(References.from_streams(known["refs"])).rows(known["hyps"])
        assert rows.score / 100 == pytest.approx(known["corpus_score"], abs=1e-12)
    assert rows.unit_scores() / 100 == pytest.approx(segments["seg_scores"], abs=1e-12)
