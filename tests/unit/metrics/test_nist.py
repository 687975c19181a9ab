"""NIST: the scores of mteval, the slow version, the weights of the whole set, and NLTK's on real text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist
from tests.oracles import nist as oracle
from tests.oracles.nist import GUNMAN, GUNMAN_REFERENCES
from tests.oracles.records import record

import karat
from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.metrics.nist import Nist

LINES = st.lists(st.sampled_from(["a", "b", "c", "0", "長い", "d"]), max_size=9).map(" ".join)
SEGMENTS = st.lists(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1, max_size=5)

# mteval-v13a -c on newstest2017, English to German.
MTEVAL = {"LIUM-NMT.4900": 7.2630, "C-3MA.4959": 6.7267, "uedin-nmt.4722": 7.4795}


def test_the_published_example() -> None:
    rows = Nist(lowercase=True).prepare([GUNMAN_REFERENCES]).rows([GUNMAN])
    assert rows.score == pytest.approx(2.8867492, abs=1e-7)
    details = Nist(lowercase=True).details(rows.sum())
    assert details["orders"] == pytest.approx([3.0507, 0.3333, 0, 0, 0], abs=1e-4)
    assert (details["hypothesis_length"], details["reference_length"]) == (7, 8.5)
    # The logarithm of the penalty is squared: with one to the base of two the paper's own number does not come out.
    assert details["penalty"] == pytest.approx(0.8530516, abs=1e-7)
    assert sum(details["orders"]) == pytest.approx(3.3840265, abs=1e-7)


def test_scores_are_those_of_the_official_script(shared_spec: Path) -> None:
    known = record(shared_spec, "o18")
    rows = Nist(mode="mteval").prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert rows.unit_scores() == pytest.approx(known["seg_scores"], abs=5e-5)
    assert rows.score == pytest.approx(known["corpus_score"], abs=5e-5)


@pytest.mark.parametrize("system", MTEVAL)
def test_a_whole_test_set_scores_as_with_the_official_script(shared_data: Path, system: str) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    hypotheses, references = (
        path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for path in (directory / "system-outputs" / f"newstest2017.{system}.en-de.de", directory / "ref.de")
    )
    rows = Nist(mode="mteval").prepare(references).rows(hypotheses)
    assert rows.score == pytest.approx(MTEVAL[system], abs=5e-5)
    # The text has zeros in front of words, so that the paper's weights are a little different.
    published = Nist().prepare(references).rows(hypotheses).score
    assert 0 < rows.score - published < 0.01


def test_two_references_score_as_with_the_official_script(shared_data: Path) -> None:
    directory = shared_data / "sacrebleu-wmt17-ende"
    outputs = directory / "system-outputs"
    hypotheses, *streams = (
        path.read_text(encoding="utf-8").split("\n")[:600]
        for path in (
            outputs / "newstest2017.LIUM-NMT.4900.en-de.de",
            directory / "ref.de",
            outputs / "newstest2017.online-B.0.en-de.de",
        )
    )
    rows = Nist(mode="mteval").prepare(References.from_streams(streams)).rows(hypotheses)
    assert rows.score == pytest.approx(10.6455, abs=5e-5)


@given(SEGMENTS, st.integers(1, 6), st.booleans())
@example([("", [""]), ("a 0 b a", ["0 b a", "a a 0"]), ("b", ["", "b b"])], 5, True)
def test_scores_equal_the_slow_version(segments: list[oracle.Segment], orders: int, mteval: bool) -> None:
    metric = Nist(tokenize="none", max_order=orders, mode="mteval" if mteval else "published")
    rows = metric.prepare([references for _, references in segments]).rows([line for line, _ in segments])
    known = oracle.counts([references for _, references in segments], orders)
    assert rows.score == pytest.approx(oracle.score(segments, known, orders, mteval=mteval), abs=1e-9)
    alone = [oracle.score([segment], known, orders, mteval=mteval) for segment in segments]
    assert rows.unit_scores() == pytest.approx(alone, abs=1e-9)


def test_real_segments_score_as_with_nltk(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    system = sorted((directory / "system-outputs").glob("*.txt"))[0]
    hypotheses, references = (
        path.read_text(encoding="utf-8").split("\n")[:200] for path in (system, directory / "references" / "refA.de")
    )
    expected = corpus_nist([[line.split()] for line in references], [line.split() for line in hypotheses])
    assert karat.score(hypotheses, references, "nist(tokenize=none)")[0].score == pytest.approx(expected, abs=1e-9)


def test_the_script_lowers_ascii_alone() -> None:
    published, mteval = (Nist(lowercase=True, mode=mode) for mode in ("published", "mteval"))
    references = ["über allem Ärger"]
    assert published.prepare(references).rows(["Über allem Ärger"]).values[0, 2] > 0
    assert (
        mteval.prepare(references).rows(["Über Allem Ärger"]).values[0, 2]
        < published.prepare(references).rows(["Über Allem Ärger"]).values[0, 2]
    )


def test_segments_keep_the_weights_of_the_set() -> None:
    references = ["a b", "a c", "a d"]
    whole = Nist(tokenize="none").prepare(references)
    alone = Nist(tokenize="none").prepare(references[:1])
    given = Nist(tokenize="none").prepare(references[:1], context=whole.context)
    hypothesis = ["a b"]
    assert given.rows(hypothesis).score == pytest.approx(whole.rows(["a b", "", ""]).unit_scores()[0])
    assert given.rows(hypothesis).score != pytest.approx(alone.rows(hypothesis).score)
    assert given.signature != alone.signature


def test_a_context_of_other_references_is_refused() -> None:
    metric = Nist(tokenize="none")
    with pytest.raises(InputError, match="of other references"):
        metric.prepare(["a b"], context=metric.fit(References.of(["c d"])))
    with pytest.raises(InputError, match=r"tokenize=13a.*needs.*tokenize=none"):
        metric.prepare(["a b"], context=Nist().fit(References.of(["a b"])))
    with pytest.raises(InputError, match="takes no context"):
        karat.metric("bleu").prepare(["a b"], context=metric.fit(References.of(["a b"])))
    with pytest.raises(InputError, match="cannot be merged"):
        metric.fit(References.of(["a"])).merged([Nist().fit(References.of(["a"]))])


@pytest.mark.parametrize("order", [0, 256])
def test_orders_that_make_no_sense_are_refused(order: int) -> None:
    with pytest.raises(SpecError, match="max_order"):
        Nist(max_order=order)
