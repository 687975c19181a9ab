"""Odd values given to the public functions: each ends in a result, or in an error of karat's that speaks Python."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import karat

TEXTS = ["the cat sat", "a dog barks", "it rains"]
NUMBERS = [1.0, 2.5, 2.0]
OPTION = re.compile(r"--[a-z]")
"""An option of the command line, which says nothing to somebody who writes Python."""

SCORES = karat.score({"a": TEXTS, "b": ["the cat", "a dog", "rain"]}, TEXTS, ["chrf"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: karat.score("one string", TEXTS), "single string: put it in a list"),
        (lambda: karat.score(b"bytes", TEXTS), "single string"),
        (lambda: karat.score(TEXTS, "one string"), "single string"),
        (lambda: karat.score(TEXTS, dict.fromkeys(TEXTS, "x")), "dict has no fixed order"),
        (lambda: karat.score(TEXTS, set(TEXTS)), "set has no fixed order"),
        (lambda: karat.score(TEXTS, [{"x", "y"}, "b", "c"]), "segment 1: .* set has no fixed order"),
        (lambda: karat.score(TEXTS, ["a", 5, "c"]), "segment 2: .* got int 5"),
        (lambda: karat.score(TEXTS, 5), "got int 5"),
        (lambda: karat.score(None, TEXTS), "got NoneType"),
        (lambda: karat.score(np.array([TEXTS, TEXTS]), TEXTS), "2 dimensions"),
        (lambda: karat.score(TEXTS, np.array("a")), "0 dimensions"),
        (lambda: karat.score(TEXTS, pl.DataFrame({"text": TEXTS})), "give one of its columns"),
        (lambda: karat.score({1: TEXTS}, TEXTS), "1 cannot name a system"),
        (lambda: karat.score({"": TEXTS}, TEXTS), "'' cannot name a system"),
        (lambda: karat.score(["a", None, "b"], TEXTS), "segment 2 is missing"),
        (lambda: karat.score(["a", 1.5, "b"], TEXTS), "segment 2 is not a string but float"),
        (lambda: karat.score(TEXTS, TEXTS, 5), "not by int 5"),
        (lambda: karat.score(TEXTS, TEXTS, ["bleu", None]), "not by NoneType None"),
        (lambda: karat.score(TEXTS, TEXTS, threads=0), "threads is 0: it takes a whole number of at least 1"),
        (lambda: karat.score(TEXTS, TEXTS, threads=True), "threads is True"),
        (lambda: karat.metric("bleu").prepare(TEXTS, threads=-1), "threads is -1"),
        (lambda: karat.compare(SCORES, threads=0), "threads is 0"),
        (lambda: karat.compare(SCORES, n=0), "n is 0: it takes a whole number of at least 1, better 1000"),
        (lambda: karat.compare(SCORES, n=2.5), "n is 2.5"),
        (lambda: karat.compare(SCORES, interval_n=0), "interval_n is 0"),
        (lambda: karat.compare(SCORES, alpha=2), "alpha is 2: it must lie between 0 and 1, such as 0.05"),
        (lambda: karat.compare(SCORES, alpha="0.05"), "alpha is '0.05'"),
        (lambda: karat.compare(SCORES, seed=-1), "seed is -1"),
        (lambda: karat.compare(SCORES, seed=None), "seed is None"),
        (lambda: karat.compare(SCORES, correction=["holm"]), r"no correction called \['holm'\]"),
        (lambda: karat.compare(SCORES, unit="sentence"), "no unit called 'sentence'"),
        (lambda: karat.compare(SCORES, unit="document"), "name the documents"),
        (lambda: karat.compare(SCORES, documents=["x"] * 3, unit="document"), "take segments as units"),
        (lambda: karat.compare(SCORES, documents="one"), "single string"),
        (lambda: karat.compare(SCORES, documents=["x", None, "y"]), "segment 2 has NoneType None among the documents"),
        (lambda: karat.compare(SCORES, baseline=1), "1 cannot name a system"),
        (lambda: karat.compare(SCORES, baseline="c"), "no system 'c'"),
        (lambda: karat.compare(SCORES, unpaired="yes"), "unpaired is 'yes': it must be True or False"),
        (lambda: karat.compare(SCORES, unpaired=True, test="wilcoxon"), "leave out unpaired"),
        (lambda: karat.compare([NUMBERS, NUMBERS]), "a mapping from names to scores"),
        (lambda: karat.compare({"a": NUMBERS, 2: NUMBERS}), "2 cannot name a system"),
        (lambda: karat.compare({"a": "one", "b": "two"}), "list of scores"),
        (lambda: karat.compare({"a": ["1", "2"], "b": NUMBERS}), "entry 1 of the scores is str '1', not a number"),
        (lambda: karat.compare({"a": np.ones((3, 2)), "b": np.ones((3, 2))}), "2 dimensions"),
        (lambda: karat.compare({"a": [10**400, 1], "b": [1, 2]}), "entry 1 of the scores is too large"),
        (lambda: karat.compare({"a": [1, 2, None, None], "b": [None, None, 1, 2]}), "an unpaired comparison"),
        (lambda: karat.rank(SCORES, higher_is_better=None), "higher_is_better is None"),
        (lambda: karat.rank(5), "a mapping from names to scores"),
        (lambda: karat.bootstrap(5), "got int 5"),
        (lambda: karat.bootstrap(NUMBERS, method="bcb"), "no interval called 'bcb'"),
        (lambda: karat.bootstrap(NUMBERS, confidence=95), "confidence of an interval is 95"),
        (lambda: karat.bootstrap(NUMBERS, documents=[["x"], ["y"], ["x"]]), "among the documents"),
        (lambda: karat.metric(None), "not by NoneType None"),
        (lambda: karat.metric("bleu", max_order="4"), r"bleu\(max_order=4\) is not a whole number"),
        (lambda: karat.Corpus.of(systems={"a": TEXTS}, references=TEXTS, documents="abc"), "single string"),
        (lambda: karat.Corpus.of(systems={1: TEXTS}, references=TEXTS), "1 cannot name a system"),
        (lambda: karat.Corpus.of(systems=5, references=TEXTS), "systems"),
        (lambda: karat.Corpus.of(systems={"a": TEXTS}, references=TEXTS, language_pair=5), "5 is not a language pair"),
        (lambda: karat.read_corpus(5), "5 is not the path of a file"),
        (lambda: karat.load_corpus(5, []), "5 is not the path of a file"),
    ],
)
def test_a_wrong_value_is_refused_in_words_of_python(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(karat.InputError, match=message) as caught:
        call()
    assert not OPTION.search(str(caught.value))


@pytest.mark.parametrize("metrics", ["chrf", ("chrf",), iter(["chrf"]), karat.metric("chrf"), {"chrf": 1}, {"chrf"}])
def test_metrics_come_alone_or_in_anything_that_can_be_gone_through(metrics: Any) -> None:
    assert karat.score(TEXTS, TEXTS, metrics).specs == ("chrf",)


def test_references_come_in_anything_with_an_order() -> None:
    expected = karat.score(TEXTS, [["a", "b"]] * 3, "chrf")[0]
    for references in (np.array([["a", "b"]] * 3), (iter(["a", "b"]) for _ in range(3)), pl.Series([["a", "b"]] * 3)):
        found = karat.score(iter(TEXTS), references, "chrf")[0]
        assert (found.score, found.signature) == (expected.score, expected.signature)


def test_numbers_of_any_kind_are_scores() -> None:
    kinds = ([1, 2, 4], np.array([1, 2, 4]), (True, Fraction(2), Decimal(4)), pd.Series([1.0, 2.0, 4.0]), range(1, 4))
    assert [karat.bootstrap(numbers, n=20).value for numbers in kinds] == pytest.approx([7 / 3] * 4 + [2])
    (found,) = karat.compare({"a": iter([1, 2, 3]), "b": pl.Series([1, None, 3])}, documents=[7, 7, 8], n=20)
    assert (found.unit, found.units) == ("document", 2)


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.sampled_from([NUMBERS, TEXTS, SCORES, SCORES[0], SCORES[0].rows, {}, [], (), {1: 2}, {"a"}, 1j, object(), len]),
    st.sampled_from([np.array(TEXTS), np.ones((2, 2)), np.array(1.0), pd.Series(NUMBERS), pl.DataFrame({"a": [1]})]),
    st.sampled_from([np.float32(2), np.int64(2), np.bool_(True), Decimal("NaN"), float("nan"), pd.NA, Ellipsis]),
    st.lists(
        st.one_of(st.none(), st.text(max_size=3), st.integers(0, 3), st.floats(0, 1), st.lists(st.text())), max_size=3
    ),
    st.dictionaries(
        st.text(max_size=2), st.lists(st.one_of(st.none(), st.floats(0, 9), st.text(max_size=2)), max_size=3)
    ),
)
TESTED = {
    **{"baseline": ODD, "documents": ODD, "higher_is_better": ODD, "unit": ODD, "unpaired": ODD, "threads": ODD},
    **{"test": ODD, "seed": ODD, "alpha": ODD, "correction": ODD, "resample": ODD, "interval": ODD, "confidence": ODD},
}
DRAWN = {"n": st.one_of(st.just(5), ODD)}
FUNCTIONS: dict[str, tuple[Callable[..., Any], list[st.SearchStrategy[Any]], dict[str, st.SearchStrategy[Any]]]] = {
    "score": (
        karat.score,
        [st.one_of(st.just(TEXTS), ODD), st.one_of(st.just(TEXTS), ODD)],
        {"metrics": ODD, "threads": ODD},
    ),
    "compare": (karat.compare, [st.one_of(st.just(SCORES), ODD)], {**TESTED, **DRAWN, "interval_n": ODD}),
    "rank": (karat.rank, [st.one_of(st.just(SCORES), ODD)], {**TESTED, **DRAWN} | {"baseline": st.nothing()}),
    "bootstrap": (
        karat.bootstrap,
        [st.one_of(st.just(NUMBERS), ODD)],
        {**DRAWN, **dict.fromkeys(("documents", "threads", "confidence", "method", "resample", "seed"), ODD)},
    ),
    "metric": (karat.metric, [st.one_of(st.just("bleu"), ODD)], dict.fromkeys(("max_order", "smooth", "weights"), ODD)),
    "metric_from": (
        karat.metric_from,
        [ODD],
        {
            "name": st.one_of(st.just("mine"), ODD),
            **dict.fromkeys(("version", "higher_is_better", "scale", "source"), ODD),
        },
    ),
    "from_scores": (karat.Rows.from_scores, [ODD], {"spec": st.just("x"), "higher_is_better": ODD, "units": ODD}),
    "corpus": (
        karat.Corpus.of,
        [],
        {
            "systems": st.one_of(st.just({"a": TEXTS}), ODD),
            "references": st.one_of(st.just(TEXTS), ODD),
            **dict.fromkeys(("source", "targeted", "documents", "domains", "ids", "language_pair"), ODD),
        },
    ),
    "read_corpus": (karat.read_corpus, [ODD], {"format": ODD, "language_pair": ODD}),
    "load_corpus": (karat.load_corpus, [ODD, ODD], {"source": ODD, "documents": ODD, "language_pair": ODD}),
}
NEEDED = {"metric_from": {"name", "version"}, "from_scores": {"spec"}, "corpus": {"systems", "references"}}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_odd_values_end_in_a_result_or_in_an_error_of_karats(name: str, data: st.DataObject) -> None:
    function, positional, named = FUNCTIONS[name]
    arguments = [data.draw(strategy) for strategy in positional]
    optional = sorted(
        key for key, strategy in named.items() if key not in NEEDED.get(name, ()) and not strategy.is_empty
    )
    given_names = {*NEEDED.get(name, ()), *data.draw(st.sets(st.sampled_from(optional), max_size=2))}
    keywords = {key: data.draw(named[key]) for key in sorted(given_names)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            function(*arguments, **keywords)
        except karat.KaratError as error:
            assert not OPTION.search(str(error))
