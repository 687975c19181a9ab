"""M-BLEU and M-TER: BLEU and TER of text in which matched words were replaced by hand."""

from __future__ import annotations

import pytest

from karat.errors import SpecError
from karat.metrics.base import Metric
from karat.metrics.bleu import Bleu
from karat.metrics.m_bleu import MBleu
from karat.metrics.m_ter import MTer
from karat.metrics.ter import Ter

HYPOTHESES = ["two boat were sale on a lake", "he purchased an automobile", "nothing in common", ""]
REFERENCES = [
    ["two boats were sold on the lakes", "boating is fun"],
    ["he bought a car", "a car was bought by him"],
    ["other words", "no thing"],
    ["an empty hypothesis", "twice"],
]
BY_STEM = ["two boats were sale on a lakes", "he purchased an automobile", "nothing in common", ""]
BY_MEANING = ["two boats were sale on a lakes", "he bought an car", "nothing in common", ""]


@pytest.mark.parametrize(("replaced", "plain"), [(MBleu, Bleu), (MTer, Ter)])
@pytest.mark.parametrize(("modules", "expected"), [("exact+stem", BY_STEM), ("exact+stem+synonym", BY_MEANING)])
def test_matched_words_become_those_of_the_reference(
    replaced: type[Metric], plain: type[Metric], modules: str, expected: list[str]
) -> None:
    values = replaced(modules=modules, tokenize="none").prepare(REFERENCES).rows(HYPOTHESES)
    by_hand = plain(tokenize="none").prepare(REFERENCES).rows(expected)
    assert values.values.tolist() == by_hand.values.tolist()
    assert values.score == pytest.approx(by_hand.score)


@pytest.mark.parametrize(("replaced", "plain"), [(MBleu, Bleu), (MTer, Ter)])
def test_exact_matches_change_nothing(replaced: type[Metric], plain: type[Metric]) -> None:
    values = replaced(modules="exact", tokenize="none").prepare(REFERENCES).values(HYPOTHESES)
    assert values.tolist() == plain(tokenize="none").prepare(REFERENCES).values(HYPOTHESES).tolist()


def test_two_thousand_equal_characters() -> None:
    text = "x" * 2000
    assert MTer(tokenize="char", modules="exact").prepare([text]).rows([text]).score == 0


@pytest.mark.parametrize("metric", [MBleu, MTer])
def test_paraphrases_are_refused(metric: type[Metric]) -> None:
    with pytest.raises(SpecError, match="paraphrases"):
        metric(modules="exact+paraphrase")
