"""Expected utilities by every strategy, against loops over counters; choices by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.crossing import expected, mean_chrf, model_weights, pruned

import karat
from karat.decoding import decoder as module
from karat.decoding.expectation import choose
from karat.decoding.pruning import Pruning, resampled_counts, survivors
from karat.errors import InputError, SpecError
from karat.registry import metric
from karat.results.mbr import MbrResult

words = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "."])
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)
lists = st.lists(texts, min_size=1, max_size=8)


def chrf(hypothesis: str, reference: str) -> float:
    return metric("chrf").prepare([reference], 1).rows([hypothesis]).score


def decoded(*arguments: object, **options: object) -> MbrResult:
    """The result, where ties are nothing to be warned of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.service.mbr._said_of_ties", lambda *_: ())
        return karat.mbr(*arguments, threads=1, **options)


@given(hypotheses=lists, others=lists)
def test_expected_utilities_are_means_over_pseudo_references(hypotheses: list[str], others: list[str]) -> None:
    (choice,) = decoded([hypotheses], pseudo_references=[others]).segments
    means = expected([[chrf(h, r) for r in others] for h in hypotheses], [1.0] * len(others))
    assert choice.utilities == pytest.approx(means, abs=1e-9)
    assert choice.utility == pytest.approx(max(means), abs=1e-9)
    assert choice.hypothesis == hypotheses[choice.place - 1]


@given(pairs=st.lists(st.tuples(texts, st.floats(-30, 0)), min_size=1, max_size=8))
def test_model_weights_are_shares_of_probability(pairs: list[tuple[str, float]]) -> None:
    hypotheses, values = map(list, zip(*pairs, strict=True))
    (choice,) = decoded([hypotheses], log_probabilities=[values]).segments
    shares = model_weights(hypotheses, values)
    means = expected([[chrf(h, r) for r in shares] for h in hypotheses], list(shares.values()))
    assert choice.utilities == pytest.approx(means, abs=1e-9)


@given(hypotheses=lists, others=lists)
def test_aggregated_utilities_are_against_mean_counts(hypotheses: list[str], others: list[str]) -> None:
    (choice,) = decoded([hypotheses], pseudo_references=[others], strategy="aggregate").segments
    means = [mean_chrf(hypothesis, others, [1.0] * len(others)) for hypothesis in hypotheses]
    assert choice.utilities == pytest.approx(means, abs=1e-9)


@given(
    matrix=st.integers(1, 6).flatmap(
        lambda width: st.lists(st.lists(st.integers(0, 4), min_size=17, max_size=17), min_size=width, max_size=width)
    ),
    seed=st.integers(0, 5),
    alpha=st.sampled_from([0.5, 0.9, 0.99]),
)
def test_pruning_is_that_of_the_paper(matrix: list[list[int]], seed: int, alpha: float) -> None:
    utilities = np.array(matrix, dtype=np.float64)
    pruning = Pruning(alpha=alpha, n=50, seed=seed)
    left, _ = survivors(lambda rows, a, b: utilities[rows, a:b], len(matrix), 17, pruning, pruning.generator(1))
    rng = pruning.generator(1)

    def draw(count: int) -> list[list[int]]:
        counts = resampled_counts(50, count, rng)
        return [np.repeat(np.arange(count), row.astype(int)).tolist() for row in counts]

    slow = pruned(lambda h, r: utilities[h, r], len(matrix), 17, draw, range(17), alpha)
    assert left.tolist() == slow


def test_pruned_hypotheses_have_no_utility_and_the_rest_the_exact_one() -> None:
    rng = np.random.default_rng(3)
    good = [" ".join([*"abcdefgh", str(i)]) for i in range(40)]
    bad = [" ".join(rng.choice(list("xyz"), 9)) for _ in range(20)]
    exact = decoded([good + bad]).segments[0]
    kept = decoded([good + bad], strategy="prune", seed=4).segments[0]
    assert None in kept.utilities[40:]
    assert kept.hypothesis == exact.hypothesis
    for fast, slow in zip(kept.utilities, exact.utilities, strict=True):
        assert fast is None or fast == pytest.approx(slow, abs=1e-9)


def test_pruning_depends_on_the_seed_alone() -> None:
    rng = np.random.default_rng(5)
    segments = [[" ".join(rng.choice(list("abcde"), 8)) for _ in range(50)] for _ in range(3)]
    runs = [decoded(segments, strategy="prune", alpha=0.8, seed=seed).segments for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert [choice.utilities for choice in runs[0]] != [choice.utilities for choice in runs[2]]


def test_large_lists_are_taken_in_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses = [f"line {i % 7} of {i}" for i in range(30)]
    whole = decoded([hypotheses, hypotheses[:4], hypotheses[3:9]])
    monkeypatch.setattr(module, "BAND_SCORES", 50)
    banded = decoded([hypotheses, hypotheses[:4], hypotheses[3:9]])
    for one, other in zip(whole.segments, banded.segments, strict=True):
        assert one.utilities == pytest.approx(other.utilities, abs=1e-12)


def test_values_are_those_of_mbrs(shared_data: Path) -> None:
    values = json.loads((shared_data / "mbrs-test" / "values.json").read_text(encoding="utf-8"))
    given = {"pseudo_references": [values["references"]]}
    for spec, name in (("chrf", "chrf"), ("sentence-bleu", "bleu_effective_order"), ("ter", "ter")):
        means = np.array(values[name]).mean(axis=1)
        (choice,) = decoded([values["hypotheses"]], spec, **given).segments
        assert choice.utilities == pytest.approx(means.tolist(), abs=1e-3)
        assert choice.place == 1 + int(means.argmin() if spec == "ter" else means.argmax())
    for spec, name in (("chrf", "chrf_aggregated"), ("sentence-bleu", "bleu_aggregated_effective_order")):
        (choice,) = decoded([values["hypotheses"]], spec, **given, strategy="aggregate").segments
        assert [round(value, 5) for value in choice.utilities] == values[name]


@pytest.mark.parametrize("spec", ["ter", "chrf", "wer"])
def test_reranking_takes_the_score_against_references(spec: str) -> None:
    segments = [["the cat sat", "a cat sat down", "no"], ["yes", "well yes"]]
    references = [["the cat sat down", "a cat lay"], ["yes sir", "well"]]
    result = decoded(segments, spec, references=references)
    for choice, hypotheses, of in zip(result.segments, segments, references, strict=True):
        scores = [metric(spec).prepare([of], 1).rows([text]).score for text in hypotheses]
        assert list(choice.utilities) == pytest.approx(scores)
        best = min(scores) if spec in ("ter", "wer") else max(scores)
        assert choice.place == 1 + scores.index(best)
    assert "mbr:reranked" in str(result.identity.signature)


def test_ties_go_to_the_first_and_are_told() -> None:
    with pytest.warns(
        UserWarning, match=r"in 1 segment different hypotheses have the highest .* the first in the list"
    ):
        result = karat.mbr([["a b", "a c", "a b"], ["x", "x"], ["p q", "p r", "p r", "p q"]])
    first, same, tied = result.segments
    assert (first.place, first.margin) == (1, pytest.approx(first.utility - first.utilities[1]))
    assert (same.place, same.margin, same.tied) == (1, None, ())
    assert (tied.place, tied.margin, tied.tied) == (1, 0.0, (2,))


@pytest.mark.parametrize(
    ("utilities", "higher", "place", "margin"),
    [
        ([1.0, 2.0, 2.0 + 1e-12], True, 1, 0.0),
        ([3.0, 1.0, 2.0], False, 1, 1.0),
        ([np.nan, 1.0], True, 1, None),
        ([5.0], True, 0, None),
    ],
)
def test_choices_are_made_within_a_tolerance(
    utilities: list[float], higher: bool, place: int, margin: float | None
) -> None:
    best = choose(np.array(utilities), higher_is_better=higher)
    assert (best.place, best.margin) == (place, margin)


def test_signatures_tell_how_the_choice_was_made() -> None:
    segments = [["a b c", "a b d", "x"]]
    signatures = {
        str(decoded(segments, **options).identity.signature)
        for options in (
            {},
            {"strategy": "aggregate"},
            {"strategy": "prune"},
            {"strategy": "prune", "seed": 1},
            {"log_probabilities": [[-1.0, -2.0, -3.0]]},
            {"log_probabilities": [[-1.0, -2.0, -4.0]]},
            {"pseudo_references": segments},
            {"pseudo_references": [["a", "b", "c"]]},
            {"references": ["a b c"]},
        )
    }
    assert len(signatures) == 8  # hypotheses as pseudo-references are what is done without any


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "nist"}, "learns how n-grams count"),
        ({"metric": "hter"}, "post-edits"),
        ({"metric": "ter", "strategy": "aggregate"}, "cannot be averaged"),
        ({"metric": "suite:all"}, "suite of metrics"),
        ({"strategy": "fast"}, "no strategy called"),
        ({"strategy": "prune", "alpha": 1.5}, "alpha is 1.5"),
        ({"strategy": "prune", "log_probabilities": [[-1, -2]]}, "all count the same"),
        ({"log_probabilities": [[-1]]}, "segment 1: 2 hypotheses, but 1 log-probabilities"),
        ({"log_probabilities": [[-1, "x"]]}, "must be a number"),
        ({"log_probabilities": [[-1, 0.5]]}, "greater than 0"),
        ({"log_probabilities": [[-1, float("nan")]]}, "not finite"),
        ({"log_probabilities": []}, "1 segments, but 0 lists"),
        ({"references": ["a", "b"]}, "references of more segments than the 1"),
        ({"references": []}, "there are references of 0 segments, but segment 1"),
        ({"references": ["a"], "strategy": "prune"}, "references have no weights"),
        ({"references": ["a"], "pseudo_references": [["a"]]}, "one or the other"),
        ({"pseudo_references": []}, "no segment"),
        ({"pseudo_references": [["a"], ["b"]]}, "more segments than the 1"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, SpecError), match=message):
        karat.mbr([["a b", "a c"]], **options)


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        ([], "no segment"),
        ([["a"], []], "segment 2: the segment has no hypothesis"),
        (["a", "b"], "list of lists"),
        (7, "got int 7"),
        ([["a"], 7], "segment 2: expected a list"),
        ([["a", None]], "segment 1: hypothesis 2 is not a text"),
    ],
)
def test_lists_that_are_none_are_refused(hypotheses: list, message: str) -> None:
    with pytest.raises(InputError, match=message):
        karat.mbr(hypotheses)
