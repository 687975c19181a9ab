"""Intervals and p-values: sacreBLEU's, to the last bit, for its seed and for others."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu.significance
from sacrebleu.metrics import BLEU, CHRF, TER

import karat.compat.sacrebleu.metrics as ours
import karat.compat.sacrebleu.significance as our_significance

WORDS = ["the", "a", "cat", "dog", "runs", "sleeps", "on", "in", "house", ",", "green", "tree", "and", "of"]


def corpus(segments: int, words: int = 9, seed: int = 1) -> tuple[list[list[str]], list[list[str]]]:
    """Three systems that differ little, and three references."""
    rng = random.Random(seed)
    reference = [" ".join(rng.choices(WORDS, k=rng.randint(1, words))) + "." for _ in range(segments)]

    def noisy(share: float) -> list[str]:
        return [
            " ".join(word if rng.random() > share else rng.choice(WORDS) for word in line.split()) for line in reference
        ]

    return [noisy(0.2), noisy(0.24), noisy(0.5)], [reference, noisy(0.1), noisy(0.3)]


METRICS: list[tuple[str, dict[str, Any]]] = [
    ("BLEU", {}),
    ("BLEU", {"smooth_method": "add-k", "max_ngram_order": 3}),
    ("BLEU", {"smooth_method": "floor", "effective_order": True}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2, "beta": 3}),
    ("CHRF", {"eps_smoothing": True}),
    ("TER", {}),
]
THEIRS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}


def pair(name: str, options: dict[str, Any], references: list[list[str]]) -> tuple[Any, Any]:
    return getattr(ours, name)(references=references, **options), THEIRS[name](references=references, **options)


@pytest.mark.parametrize(("name", "options"), METRICS)
@pytest.mark.parametrize(("segments", "references", "resamples"), [(40, 1, 200), (7, 3, 81), (2, 2, 50)])
def test_intervals_are_equal(
    name: str, options: dict[str, Any], segments: int, references: int, resamples: int
) -> None:
    systems, streams = corpus(segments)
    first, second = pair(name, options, streams[:references])
    try:
        expected = second.corpus_score(systems[1], None, n_bootstrap=resamples)
    except TypeError:
        pytest.skip("sacreBLEU cannot average float32 scores with a score of 0")
    actual = first.corpus_score(systems[1], None, n_bootstrap=resamples)
    assert (repr(actual._mean), repr(actual._ci)) == (repr(expected._mean), repr(expected._ci))
    assert str(actual) == str(expected)
    assert str(first.get_signature()) == str(second.get_signature())


@pytest.mark.parametrize("seed", ["12345", "7", "None"])
def test_the_seed_is_in_the_signature(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    systems, streams = corpus(10)
    first, second = pair("BLEU", {}, streams[:1])
    actual, expected = (metric.corpus_score(systems[0], None, n_bootstrap=20) for metric in (first, second))
    assert str(first.get_signature()) == str(second.get_signature())
    if seed != "None":
        assert str(actual) == str(expected)


def run(module: Any, metrics: list[Any], systems: list[list[str]], test_type: str, **options: Any) -> Any:
    named = list(zip(["base", "near", "far"], systems, strict=True))
    by_name = {str(number): metric for number, metric in enumerate(metrics)}
    signatures, columns = module.PairedTest(named, by_name, None, test_type, **options)()
    return {name: str(value) for name, value in signatures.items()}, {name: repr(of) for name, of in columns.items()}


@pytest.mark.parametrize("test_type", ["bs", "ar"])
@pytest.mark.parametrize(
    ("segments", "references", "options"),
    [
        (40, 1, {"n_samples": 500}),
        (40, 3, {"n_samples": 100}),
        (3, 1, {"n_samples": 50}),
        (33, 1, {"n_samples": 70, "n_ar_confidence": 60}),
        (30, 2, {"n_samples": 50, "n_ar_confidence": 0}),
    ],
)
def test_paired_tests_are_equal(test_type: str, segments: int, references: int, options: dict[str, Any]) -> None:
    if test_type == "bs" and "n_ar_confidence" in options:
        options = {"n_samples": options["n_samples"]}  # sacreBLEU would show the other number in the signature
    systems, streams = corpus(segments)
    chosen = [("BLEU", {}), ("CHRF", {"word_order": 1}), ("TER", {})]
    pairs = [pair(name, of, streams[:references]) for name, of in chosen]
    actual = run(our_significance, [first for first, _ in pairs], systems, test_type, **options)
    expected = run(sacrebleu.significance, [second for _, second in pairs], systems, test_type, **options)
    assert actual == expected


def test_chunks_continue_the_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    systems, streams = corpus(37)
    metrics = [ours.BLEU(references=streams[:1]), ours.CHRF(references=streams[:1])]
    whole = [run(our_significance, metrics, systems, kind, n_samples=150, n_ar_confidence=70) for kind in ("ar", "bs")]
    monkeypatch.setattr(our_significance, "CHUNK_CELLS", 1)
    pieces = [run(our_significance, metrics, systems, kind, n_samples=150, n_ar_confidence=70) for kind in ("ar", "bs")]
    assert whole == pieces


def test_sums_that_are_not_exact_take_the_slow_way(monkeypatch: pytest.MonkeyPatch) -> None:
    systems, streams = corpus(20)
    metrics = [ours.BLEU(references=streams), ours.CHRF(references=streams), ours.TER(references=streams[:1])]
    fast = [run(our_significance, metrics, systems, kind, n_samples=90) for kind in ("ar", "bs")]
    monkeypatch.setattr(our_significance, "EXACT_BELOW", 0)
    assert [run(our_significance, metrics, systems, kind, n_samples=90) for kind in ("ar", "bs")] == fast


@pytest.mark.parametrize("scores", [np.arange(100.0), np.array([3.0, 1, 2]), np.linspace(0, 1, 999, dtype=np.float32)])
def test_estimate_ci_is_equal(scores: Any) -> None:
    expected = sacrebleu.significance.estimate_ci(scores.copy())
    assert repr(our_significance.estimate_ci(scores)) == repr(expected)


def test_result_prints_the_same() -> None:
    for arguments in [(1.5,), (1.5, 0.03), (1.5, None, 2.0, 0.1)]:
        assert repr(our_significance.Result(*arguments)) == repr(sacrebleu.significance.Result(*arguments))


@pytest.mark.parity
@pytest.mark.parametrize("test_type", ["bs", "ar"])
def test_real_systems_have_the_same_p_values(test_type: str, shared_data: Path) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    reference = [(directory / "ref.de").read_text("utf-8").rstrip("\n").split("\n")]
    paths = sorted((directory / "system-outputs").iterdir())[:3]
    systems = [path.read_text("utf-8").rstrip("\n").split("\n") for path in paths]
    actual = run(
        our_significance, [ours.BLEU(references=reference), ours.CHRF(references=reference)], systems, test_type
    )
    expected = run(sacrebleu.significance, [BLEU(references=reference), CHRF(references=reference)], systems, test_type)
    assert actual == expected
