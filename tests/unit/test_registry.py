"""The spec language: what is read, and what is refused with which words."""

from __future__ import annotations

import pytest

from karat.errors import SpecError
from karat.metrics.base import format_value
from karat.registry import _parse_value, metric


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
