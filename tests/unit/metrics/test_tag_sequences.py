"""Metrics over tags, lemmas and chunks in place of words: what they would be over the sequences as words."""

from __future__ import annotations

import pytest
from tests.annotations import annotated, annotation_of

import karat
from karat.errors import SpecError
from karat.metrics.annotated.sequences import SequenceMetric
from karat.registry import metric
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations, Span

TEXTS = ["the cat sat on the old mat today", "a dog barked at it and the cat ran off", "birds fly"]
OTHERS = ["a cat was on the mat", "the dog barked at the cat and it ran", "a bird flies"]


def sequences(texts: list[str], layer: str) -> list[str]:
    return [" ".join(getattr(annotation_of(text), layer)) for text in texts]


@pytest.mark.parametrize(("of", "layer"), [("pos", "pos"), ("tag", "tags"), ("lemma", "lemmas")])
@pytest.mark.parametrize("name", ["bleu", "ngram-f", "nist", "hlepor"])
def test_a_sequence_scores_as_its_words_would(name: str, of: str, layer: str) -> None:
    over = metric(f"{name}(of={of})").prepare(annotated(TEXTS)).rows(annotated(OTHERS))
    words = metric(f"{name}(tokenize=none)").prepare(sequences(TEXTS, layer)).rows(sequences(OTHERS, layer))
    assert over.values.tolist() == words.values.tolist()
    assert over.score == words.score > 0


def test_chunks_are_labels_in_order_or_marks_of_words() -> None:
    known = Annotation(tokens=("a", "cat", "ran", "off"), chunks=(Span("NP", 0, 2), Span("VP", 2, 3)))
    column = TextColumn.of(["a cat ran off"]).annotated(Annotations.of([known]))

    def read(spec: str) -> list[str]:
        over = metric(spec)
        assert isinstance(over, SequenceMetric)
        return over.tokens(column, 1).to_lists()[0]

    assert read("bleu(of=chunk)") == ["NP", "VP"]
    assert read("bleu(of=iob)") == ["B-NP", "I-NP", "B-VP", "O"]
    assert read("bleu") == ["a", "cat", "ran", "off"]


def test_lemmas_can_be_lowercased() -> None:
    known = Annotation(tokens=("Berlin",), lemmas=("Berlin",), pos=("PROPN",))
    column = TextColumn.of(["Berlin"]).annotated(Annotations.of([known]))
    assert metric("ngram-f(of=lemma,lowercase=true)").tokens(column, 1).to_lists() == [["berlin"]]  # type: ignore[attr-defined]


def test_names_and_signatures_tell_tags_from_words() -> None:
    scores = karat.score(
        ["a cat"],
        ["a cat"],
        ["pos-bleu", "bleu", "pos-f", "pos-nist"],
        annotations={name: annotated(["a cat"]).given_annotations for name in ("hypotheses", "reference")},
    )
    assert [score.display_name for score in scores] == ["POS-BLEU", "BLEU", "POS-4-gram F1", "POS-NIST"]
    assert [score.sacrebleu_signature is None for score in scores][:2] == [True, False]
    assert metric("pos-hlepor").display_name == "POS-hLEPOR"


def test_the_language_chooses_a_backend_for_tags_alone() -> None:
    assert metric("bleu").for_language("en") == metric("bleu")
    assert metric("pos-bleu").for_language("en").spec == "bleu(annotate=spacy-en,of=pos)"
    assert metric("pos-bleu").reads("zh")
    with pytest.raises(SpecError, match="sees words alone: add of=pos"):
        metric("bleu(annotate=spacy-en)")


def test_the_hybrid_of_hlepor_is_the_weighted_mean_over_words_and_tags() -> None:
    hybrid, words, tags = (
        metric(spec).prepare(annotated(TEXTS)).rows(annotated(OTHERS))
        for spec in ("hlepor(weight_pos=3)", "hlepor", "hlepor(of=pos)")
    )
    assert hybrid.unit_scores() == pytest.approx((words.unit_scores() + 3 * tags.unit_scores()) / 4)
    assert hybrid.score == pytest.approx((words.score + 3 * tags.score) / 4)
    assert hybrid.identity.display_name == "hybrid hLEPOR"
    assert metric("hlepor(weight_pos=3)").for_language("en").spec == "hlepor(annotate=spacy-en,weight_pos=3)"
    for spec in ("hlepor(weight_pos=1,of=lemma)", "hlepor(weight_pos=1,corpus=factors)"):
        with pytest.raises(SpecError, match="adds tags to words, segment by segment"):
            metric(spec)
