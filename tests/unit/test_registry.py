"""The spec language: what is read, and what is refused with which words."""

from __future__ import annotations

import pytest

from karat import registry
from karat.errors import SpecError
from karat.metrics.base import format_value
from karat.registry import _parse_value, aliases, metric, metric_class, metric_classes


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("bleu", "bleu"),
        ("BLEU", "bleu"),
        ("bleu()", "bleu"),
        (" bleu ( ) ", "bleu"),
        ("bleu(smooth=add-k, smooth_value=1, lowercase=true)", "bleu(lowercase=true,smooth=add-k,smooth_value=1)"),
        ("bleu(smooth=exp)", "bleu"),
        ("bleu(weights=[0.5, 0.5], max_order=2)", "bleu(max_order=2,weights=[0.5,0.5])"),
        ("chrf(word_order=2)", "chrf(word_order=2)"),
        ("chrf++", "chrf(word_order=2)"),
        ("chrf++(beta=3)", "chrf(word_order=2,beta=3)"),
        ("chrf(beta=0.5)", "chrf(beta=0.5)"),
        ("bleu+1", "bleu(smooth=add-k,smooth_value=1)"),
        ("ter(normalized=yes)", "ter(normalized=true)"),
        ("ter(search='full')", "ter(search=full)"),
        ('bleu(tokenize="13a")', "bleu"),
    ],
)
def test_specs_have_a_canonical_form(text: str, canonical: str) -> None:
    assert metric(text).spec == canonical
    assert metric(canonical) == metric(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blue", "no metric 'blue'. Did you mean bleu"),
        ("port", "no metric 'port'. Did you mean port-style"),
        ("", "cannot read the metric"),
        ("bleu(", "cannot read the metric"),
        ("bleu)", "cannot read the metric"),
        ("bleu(smoth=exp)", "no parameter 'smoth'. Did you mean smooth"),
        ("bleu(smooth=exq)", "bleu(smooth=exq) is not known. Did you mean exp"),
        ("bleu(max_order=four)", "bleu(max_order=four) is not a whole number"),
        ("bleu(lowercase=maybe)", "bleu(lowercase=maybe) is not true or false"),
        ("bleu(smooth)", "cannot read 'smooth'"),
        ("bleu(max_order=2, max_order=3)", "max_order is given twice"),
        ("bleu(tokenize=13b)", "no tokenizer '13b'"),
        ("bleu(max_order=0)", "max_order"),
        ("chrf(beta=-1)", "beta"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        metric(text)
    assert message in str(caught.value)


def test_quoted_values_survive() -> None:
    for text in ['a "quoted" path, with (signs)', "back\\slash", "plain", "'single'"]:
        assert _parse_value(format_value(text)) == text


def test_the_index_has_every_name_of_every_metric() -> None:
    own = {name: cls.__module__ for name, cls in metric_classes().items() if cls.__module__.startswith("karat.")}
    own |= {alias: cls.__module__ for alias, (cls, _) in aliases().items() if cls.__module__.startswith("karat.")}
    assert own == registry.MODULES


@pytest.mark.parametrize(
    "index",
    [{}, {"bleu": "karat.metrics.gone"}, {"bleu": "karat.metrics.ter", "chrf++": "karat.metrics.ter"}],
    ids=["empty", "of a module that is gone", "wrong"],
)
def test_metrics_are_found_without_a_good_index(index: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MODULES", index)
    assert metric("bleu").spec == "bleu"
    assert metric("chrf++").spec == "chrf(word_order=2)"
    with pytest.raises(SpecError, match=r"no metric 'blue'\. Did you mean bleu"):
        metric("blue")


def test_an_alias_names_no_class() -> None:
    assert metric_class("chrf").name == "chrf"
    with pytest.raises(SpecError, match="no metric 'chrf\\+\\+'"):
        metric_class("chrf++")
