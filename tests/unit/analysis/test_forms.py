"""The JSON forms of the analyses: flat entries with counts, intervals and marks, segments by name."""

from __future__ import annotations

import json

from karat.analysis.buckets import Bucket, Bucketing, Buckets, BucketScore
from karat.analysis.figures import Figure, Subject
from karat.analysis.ngrams import NgramContrast, NgramFigure, Ngrams
from karat.analysis.word_errors import ErrorClass, LabelErrors, SegmentErrors, WordErrorRate, WordErrors
from karat.analysis.words import WordAnalysis, WordBucket, WordBucketing, WordScore
from karat.evidence import Units
from karat.identity import Identity

SUBJECT = Subject(
    systems=("a", "b"),
    baseline="a",
    segments=("s1", "s2"),
    references=2,
    units=Units("segment", 2, 2, "no documents are known"),
    resamples=1000,
    seed=12345,
    confidence=0.95,
    least=30,
)
WORSE = Figure(0.5, (0.4, 0.6), -0.2, (-0.3, -0.1))
NOTHING = Figure(None)


def test_a_difference_shows_where_its_interval_leaves_out_zero() -> None:
    assert WORSE.differs
    assert not Figure(0.5, (0.4, 0.6), -0.2, (-0.3, 0.0)).differs
    assert not NOTHING.differs


def test_buckets_name_their_segments() -> None:
    bucket = Bucket("<10", (1,), (BucketScore("b", 0, WORSE, few=True),))
    found = Buckets(SUBJECT, (Identity.of_scores("bleu"),), (Bucketing("source-length", (bucket,)),)).to_json()
    (entry,) = found["buckets"]
    assert (entry["by"], entry["bucket"], entry["count"], entry["few"]) == ("source-length", "<10", 1, True)
    assert (entry["score"], entry["difference_interval"]) == (0.5, [-0.3, -0.1])
    assert found["members"] == [{"by": "source-length", "bucket": "<10", "segments": ["s2"]}]
    json.dumps(found, allow_nan=False)


def test_words_have_counts_on_both_sides() -> None:
    score = WordScore("b", 3, 2, 4, 2, few=True, precision=WORSE, recall=NOTHING, f=WORSE)
    found = WordAnalysis(SUBJECT, "13a", False, (WordBucketing("frequency", (WordBucket("1", (score,)),)),)).to_json()
    (entry,) = found["words"]
    assert (entry["produced"], entry["right"], entry["expected"], entry["matched"]) == (3, 2, 4, 2)
    assert (entry["precision_interval"], entry["recall"], entry["f"]) == ([0.4, 0.6], None, 0.5)
    assert found["reference"] == "closest"


def test_ngrams_name_their_segments() -> None:
    figure = NgramFigure(("the", "cat"), 3, 0, few=True, log_odds=WORSE, saliency=0.8, segments=(0, 1))
    found = Ngrams(
        SUBJECT, "13a", False, 4, 1.0, "log-odds", (NgramContrast("gets", "b", "a", 9, (figure,)),)
    ).to_json()
    (entry,) = found["ngrams"]
    assert (entry["ngram"], entry["order"], entry["segments"]) == ("the cat", 2, ["s1", "s2"])
    assert (entry["log_odds"], entry["interval"], entry["against"]) == (0.5, [0.4, 0.6], "a")


def test_errors_have_the_class_of_each_word_only_if_asked() -> None:
    found = WordErrors(
        SUBJECT,
        "none",
        False,
        None,
        rates=(WordErrorRate("b", "WER", 1, 2, WORSE),),
        classes=(ErrorClass("b", "hypothesis", "lexical", 1, 1, few=True, share=WORSE),),
        labels=(LabelErrors("b", "reference", "NOUN", 2, True, 1, 1, WORSE, NOTHING, (("lexical", 1),)),),
        words=(SegmentErrors("b", 0, 1, "xl", "xl"),),
    )
    assert "words" not in found.to_json()
    body = found.to_json(words=True)
    assert body["words"][0]["segment"] == "s1"
    assert body["labels"][0]["wer_interval"] == [0.4, 0.6]
    assert body["labels"][0]["classes"] == {"lexical": 1}
    json.dumps(body, allow_nan=False)
