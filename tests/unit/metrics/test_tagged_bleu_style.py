"""Tagged-BLEU-style: BLEU of words and BLEU of tags, weighed."""

from __future__ import annotations

import pytest
from tests.annotations import annotated

from karat.errors import InputError
from karat.registry import metric

REFERENCES = ["the cat sat on the mat today", "two dogs ran away from the cat"]
HYPOTHESES = ["the cat sat on a mat today", "two dogs ran away from a cat"]


def score(spec: str) -> float:
    return metric(spec).prepare(annotated(REFERENCES)).rows(annotated(HYPOTHESES)).score


@pytest.mark.parametrize("weight", [0, 0.25, 1])
@pytest.mark.parametrize("of", ["pos", "tag"])
def test_it_is_the_mean_of_both(weight: float, of: str) -> None:
    expected = (1 - weight) * score("bleu") + weight * score(f"bleu(of={of})")
    assert score(f"tagged-bleu-style(of={of},tag_weight={weight})") == pytest.approx(expected)


def test_words_are_cut_and_lowered_as_asked() -> None:
    upper = annotated([text.upper() for text in HYPOTHESES])
    prepared = metric("tagged-bleu-style(lowercase=true,tag_weight=0)").prepare(annotated(REFERENCES))
    assert prepared.rows(upper).score == pytest.approx(score("bleu"))


def test_texts_without_tags_are_refused() -> None:
    with pytest.raises(InputError, match="pos of the references are wanted"):
        metric("tagged-bleu-style").prepare(REFERENCES)
