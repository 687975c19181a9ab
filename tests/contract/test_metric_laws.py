"""The laws that every registered metric obeys, whatever its parameters."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.annotations import annotated
from tests.examples import examples

from karat.corpus.references import References
from karat.engine.crossing import Crossing
from karat.errors import MissingExtraError, MissingResourceError, SpecError
from karat.metrics.base import Metric, Prepared
from karat.metrics.framework.context import Context
from karat.metrics.framework.description import describe
from karat.metrics.reading.networks import escape
from karat.registry import aliases, metric, metric_classes
from karat.text import TextColumn

DOCS = Path(__file__).parents[2] / "docs"

BOTH = References.of(annotated(["a"]))


def as_installed(name: str) -> Any:
    """The name, marked to be skipped where something that the metric needs is not installed."""
    try:
        _ = metric_classes()[name]().resources
    except (MissingExtraError, MissingResourceError) as error:
        return pytest.param(name, marks=pytest.mark.skip(reason=str(error)))
    return name


NAMES = list(map(as_installed, sorted(metric_classes())))
LEARNING = [name for name, cls in sorted(metric_classes().items()) if cls().context_key is not None]

CROSSED = [name for name, cls in sorted(metric_classes().items()) if "crossing" in vars(cls)]

words = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", ".", "it's", "2,000", "Über", "猫", "!", "The"])
sentences = st.one_of(st.lists(words, max_size=12).map(" ".join), st.text(max_size=20))
segments = st.tuples(sentences, st.lists(sentences, min_size=1, max_size=3))
corpora = st.lists(segments, min_size=1, max_size=6)


def parameter_values(cls: type[Metric], field: dataclasses.Field[Any], hint: Any) -> st.SearchStrategy[Any]:
    """Values that a parameter might take, from its declaration."""
    if field.metadata["choices"]:
        return st.sampled_from(field.metadata["choices"])
    if field.name == "tokenize":
        return st.sampled_from(["13a", "intl", "zh", "char", "none"])
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.sampled_from([value for value in range(7) if is_accepted(cls, field.name, value)])
    if hint is float or float in get_args(hint):
        return st.sampled_from([field.default, 0.5, 1.0])
    return st.just(field.default)


def is_accepted(cls: type[Metric], name: str, value: Any) -> bool:
    try:
        return cls(**{name: value}) is not None
    except SpecError:
        return False


@st.composite
def metrics(draw: st.DrawFn, name: str) -> Metric:
    """A metric of that name with parameters drawn from their declarations."""
    cls = metric_classes()[name]
    hints = get_type_hints(cls)
    values = {field.name: draw(parameter_values(cls, field, hints[field.name])) for field in dataclasses.fields(cls)}
    for field in dataclasses.fields(cls):  # values that do not go together give way to the defaults, one by one
        with contextlib.suppress(SpecError):
            return cls(**values)
        values[field.name] = field.default
    return cls()


def references_of(one: Metric, corpus: list[tuple[str, list[str]]]) -> list[list[str]]:
    """The references of each segment, in the form that the metric wants."""
    form = escape if "networks" in one.wants else str
    return [[form(reference) for reference in references] for _, references in corpus]


def prepared_of(
    one: Metric, corpus: list[tuple[str, list[str]]], threads: int | None = 1, context: Context | None = None
) -> Prepared:
    """The metric with what it wants of a corpus: references, sources, annotations."""
    references = References.of(references_of(one, corpus))
    if one.layers:
        references = dataclasses.replace(references, column=annotated(references.column))
    sources = annotated(f"{texts[0]} source" for _, texts in corpus) if "sources" in one.wants else None
    return one.prepare(references, threads, sources=sources, context=context)


def hypotheses_of(one: Metric, corpus: list[tuple[str, list[str]]]) -> Any:
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    return annotated(hypotheses) if one.layers else hypotheses


def rows_of(one: Metric, corpus: list[tuple[str, list[str]]], threads: int | None = 1) -> Any:
    return prepared_of(one, corpus, threads).rows(hypotheses_of(one, corpus))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(40))
@given(data=st.data(), corpus=corpora)
def test_the_rows_of_a_batch_are_the_rows_of_its_pieces(name: str, data: st.DataObject, corpus: Any) -> None:
    one = data.draw(metrics(name))
    prepared = prepared_of(one, corpus)
    whole = prepared.values(hypotheses_of(one, corpus))
    pieces = np.concatenate(
        [prepared_of(one, [piece], context=prepared.context).values(hypotheses_of(one, [piece])) for piece in corpus]
    )
    assert whole.dtype == pieces.dtype
    assert np.array_equal(whole, pieces)


@pytest.mark.parametrize("name", CROSSED)
@settings(max_examples=examples(60))
@given(data=st.data(), texts=st.lists(sentences, min_size=1, max_size=6))
def test_strings_crossed_have_the_scores_of_their_pairs(name: str, data: st.DataObject, texts: list[str]) -> None:
    one = data.draw(metrics(name))
    if one.given_layers:  # refused, for strings by themselves come without annotations
        one = dataclasses.replace(one, **{"of": "word"})
    count = len(texts)
    strings = Crossing(one, TextColumn.of(texts), np.array([0, count]), 1)
    crossed = strings.scores(np.array([[0, count, 0, count]]))
    pairs = [(hypothesis, reference) for hypothesis in texts for reference in texts]
    alone = one.prepare([reference for _, reference in pairs], 1).rows([hypothesis for hypothesis, _ in pairs])
    np.testing.assert_allclose(crossed, alone.unit_scores(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", LEARNING)
@settings(max_examples=examples(40))
@given(data=st.data(), corpus=corpora)
def test_the_contexts_of_pieces_merged_are_the_context_of_the_whole(
    name: str, data: st.DataObject, corpus: Any
) -> None:
    one = data.draw(metrics(name))
    whole = prepared_of(one, corpus)
    shuffled = data.draw(st.permutations(corpus))
    first, *others = (one.fit(prepared_of(one, [piece]).references) for piece in shuffled)
    assert whole.context is not None
    assert first is not None
    merged = first.merged(others)
    assert (merged.digest, merged.key) == (whole.context.digest, one.context_key)
    hypotheses = hypotheses_of(one, corpus)
    again = one.prepare(whole.references, 1, context=merged)
    assert np.array_equal(again.values(hypotheses), whole.values(hypotheses))
    assert again.signature == whole.signature
    assert f"|context:{merged.digest}|" in str(whole.signature)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(40))
@given(data=st.data(), corpus=corpora)
def test_aggregate_is_elementwise(name: str, data: st.DataObject, corpus: Any) -> None:
    one = data.draw(metrics(name))
    values = rows_of(one, corpus).values.astype(np.float64)
    together = one.aggregate(np.stack([values, 2 * values]))
    assert together.shape == (2, len(corpus))
    for i, row in enumerate(values):
        assert together[0, i] == pytest.approx(float(one.aggregate(row)), abs=1e-12, rel=1e-12)
        assert together[1, i] == pytest.approx(float(one.aggregate(2 * row)), abs=1e-12, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(40))
@given(data=st.data(), corpus=corpora)
def test_the_all_ones_resample_is_the_corpus_score(name: str, data: st.DataObject, corpus: Any) -> None:
    one = data.draw(metrics(name))
    rows = rows_of(one, corpus)
    resampled = np.ones(len(corpus)) @ rows.values.astype(np.float64)
    tolerance = 0 if np.issubdtype(rows.values.dtype, np.integer) else 1e-12
    assert float(one.aggregate(resampled)) == pytest.approx(rows.score, abs=tolerance, rel=tolerance)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(80))
@given(data=st.data(), corpus=corpora)
def test_scores_are_finite_and_within_bounds(name: str, data: st.DataObject, corpus: Any) -> None:
    one = data.draw(metrics(name))
    rows = rows_of(one, corpus)
    low, high = one.bounds
    for value in [rows.score, *rows.unit_scores()]:
        assert np.isfinite(value)
        assert low - 1e-9 <= value <= high + 1e-9


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(30))
@given(data=st.data())
def test_a_perfect_hypothesis_is_best(name: str, data: st.DataObject) -> None:
    one = data.draw(metrics(name))
    if not one.perfect_is_best:
        return
    # Long enough to have more phrases than an n-gram has, too.
    text = (
        "the quick brown fox jumps over the lazy dog again while two old cats sleep under a warm stove in the kitchen"
    )
    best = one.bounds[1] if one.higher_is_better else one.bounds[0]
    assert rows_of(one, [(text, [text]), (text, ["something else", text])]).unit_scores() == pytest.approx(best)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(30))
@given(data=st.data(), corpus=corpora)
def test_the_order_of_segments_does_not_matter(name: str, data: st.DataObject, corpus: Any) -> None:
    one = data.draw(metrics(name))
    shuffled = data.draw(st.permutations(corpus))
    assert rows_of(one, shuffled).score == pytest.approx(rows_of(one, corpus).score, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_a_spec_gives_the_metric_back(name: str, data: st.DataObject) -> None:
    one = data.draw(metrics(name))
    assert metric(one.spec) == one


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_different_metrics_have_different_signatures(name: str, data: st.DataObject) -> None:
    one, other = data.draw(metrics(name)), data.draw(metrics(name))
    same = len({str(each.prepare(BOTH, sources=annotated(["s"])).signature) for each in (one, other)}) == 1
    assert same == (one == other)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(20))
@given(data=st.data(), corpus=corpora)
def test_inputs_are_left_alone_and_threads_agree(name: str, data: st.DataObject, corpus: Any) -> None:
    one = data.draw(metrics(name))
    many = corpus * 100
    before = copy.deepcopy(many)
    prepared = prepared_of(one, many, threads=None)
    hypotheses = hypotheses_of(one, many)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: prepared.rows(hypotheses).values, range(2))
    assert many == before
    assert np.array_equal(first, second)
    assert np.array_equal(first, rows_of(one, many, threads=1).values)
    assert np.array_equal(first, rows_of(one, many, threads=3).values)


@pytest.mark.parametrize("name", NAMES)
def test_there_is_a_page_with_formula_citation_and_example(name: str) -> None:
    described = describe(metric_classes()[name])
    page = (DOCS / "metrics" / f"{name}.md").read_text(encoding="utf-8")
    assert "$$" in described.sections["Formula"]
    assert ">>>" in described.sections["Example"]
    assert described.sections["Formula"] in page
    bibliography = (DOCS / "references.bib").read_text(encoding="utf-8")
    assert f"{{{described.citation}," in bibliography
    assert all(parameter.help for parameter in described.parameters)


@pytest.mark.parametrize("alias", sorted(aliases()))
def test_an_alias_is_a_metric(alias: str) -> None:
    assert metric(metric(alias).spec) == metric(alias)
