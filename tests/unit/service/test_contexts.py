"""Metrics that learn from the whole set, through the service: streams read twice, pipes read whole."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import karat
from karat.corpus import Corpus
from karat.results.scores import ScoreResult
from karat.rows import SUM_BLOCK
from karat.scores import SegmentScores
from karat.service import inputs
from karat.service.comparing import CompareRequest, PowerRequest, RankRequest, compare_systems, plan, rank_systems
from karat.service.inputs import CorpusFile, Files
from karat.service.listening import Listeners
from karat.service.requests import EvidenceRequest
from karat.service.scoring import ScoreRequest, score_systems

SEGMENTS = SUM_BLOCK + 50


class Kept:
    """A sink that keeps what it gets."""

    def __init__(self) -> None:
        self.scores: list[float] = []

    def write(self, block: SegmentScores) -> None:
        self.scores += block.scores.tolist()


def scored(
    texts: inputs.Input, metrics: tuple[str, ...], level: str = "system", sink: Kept | None = None
) -> ScoreResult:
    """The result of scoring, with what the listener heard kept in the sink."""
    heard = Listeners(scores=None if sink is None else sink.write)
    return score_systems(ScoreRequest(texts=texts, metrics=metrics, level=level), heard)  # type: ignore[arg-type]


def references() -> list[str]:
    return [f"a b {i % 97} c {i % 13}" for i in range(SEGMENTS)]


def hypotheses(step: int = 89) -> list[str]:
    return [f"a b {i % step} c" for i in range(SEGMENTS)]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.setattr(inputs, "BLOCK_SEGMENTS", SUM_BLOCK)
    for name, lines in {"ref": references(), "one": hypotheses(), "two": hypotheses(7)}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Files((str(tmp_path / "ref"),), (("one", str(tmp_path / "one")), ("two", str(tmp_path / "two"))))


def test_a_stream_is_read_twice(files: Files) -> None:
    (testset,) = files.testsets(whole=False, twice=True)
    assert testset.references is not None
    assert [len(block) for block in testset.blocks()] == [SUM_BLOCK, 50]
    report = scored(files, ("nist", "bleu"))
    expected = karat.score({"one": hypotheses(), "two": hypotheses(7)}, references(), ["nist", "bleu"])
    found = report.testsets[0].scores
    assert [score.score for score in found] == [score.score for score in expected]
    assert [score.signature for score in found] == [score.signature for score in expected]


def test_segments_of_a_stream_keep_the_weights_of_the_set(files: Files) -> None:
    sink = Kept()
    scored(Files(files.references, files.systems[:1]), ("nist",), "segment", sink)
    expected = karat.score(hypotheses(), references(), "nist")[0].segments
    assert sink.scores == pytest.approx(expected.tolist(), abs=1e-12)


def test_standard_input_cannot_be_read_twice_so_it_is_read_whole(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.TextIOWrapper(io.BytesIO("\n".join(references()).encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", text)
    piped = Files(("-",), files.systems)
    assert piped.testsets(whole=False)[0].references is not None
    assert piped.testsets(whole=False, twice=True)[0].references is None
    report = scored(piped, ("nist",))
    expected = karat.score(hypotheses(), references(), "nist")[0]
    assert report.testsets[0].scores[0].score == expected.score
    # Hypotheses are read once in any case.
    assert Files(files.references, (("one", "-"),)).testsets(whole=False, twice=True)[0].references is not None


def test_documents_and_tests_of_differences(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    lines = zip(references()[:60], hypotheses()[:60], hypotheses(7)[:60], strict=True)
    path.write_text(
        "\n".join(
            f'{{"ref": "{ref}", "doc": "d{i % 6}", "systems": {{"one": "{one}", "two": "{two}"}}}}'
            for i, (ref, one, two) in enumerate(lines)
        ),
        encoding="utf-8",
    )
    source = CorpusFile(str(path))
    documents = scored(source, ("nist",), "document").documents
    scores = karat.score({"one": hypotheses()[:60]}, references()[:60], "nist")[0]
    grouped = scores.rows.grouped([f"d{i % 6}" for i in range(60)]).unit_scores()
    assert [part.score for part in documents if part.system == "one"] == pytest.approx(grouped.tolist())
    evidence = EvidenceRequest(texts=source, metrics=(karat.metric("nist"),))
    compared = compare_systems(CompareRequest(evidence=evidence)).comparisons[0]
    assert compared.difference < 0
    assert rank_systems(RankRequest(evidence=evidence)).ranking[0].system == "one"
    assert plan(PowerRequest(evidence=evidence)).parts[0].measures[0].power[0].power.deviation > 0


class InMemory:
    """An input of corpora that are there already."""

    def __init__(self, **corpora: Corpus) -> None:
        self._corpora = corpora

    def testsets(self, *, whole: bool, twice: bool = False) -> list[inputs.TestSet]:
        assert whole or twice
        return [inputs.TestSet(name, None, lambda corpus=corpus: [corpus]) for name, corpus in self._corpora.items()]


def test_systems_with_references_of_their_own_are_compared_under_one_signature() -> None:
    edited = Corpus.of(
        systems={"one": hypotheses()[:20], "two": hypotheses(7)[:20]},
        references={"ref": references()[:20]},
        targeted={"one": references()[:20], "two": references()[20:40]},
    )
    evidence = EvidenceRequest(texts=InMemory(set=edited), metrics=(karat.metric("nist"),), targeted="instead")
    compared = compare_systems(CompareRequest(evidence=evidence)).parts[0].measures[0]
    assert "|hash:own-" in str(compared.identity.signature)
    assert "|context:own-" in str(compared.identity.signature)
    alone = karat.score(hypotheses(7)[:20], references()[20:40], "nist")[0]
    assert compared.comparisons[0].score == pytest.approx(alone.score)


def test_every_test_set_has_weights_of_its_own() -> None:
    sets = {
        name: Corpus.of(
            systems={"one": hypotheses()[start : start + 30]}, references={"ref": references()[start : start + 30]}
        )
        for name, start in (("first", 0), ("second", 40))
    }
    report = scored(InMemory(**sets), ("nist",))
    expected = [karat.score(one.systems["one"], one.references_for(), "nist")[0] for one in sets.values()]
    assert [of.scores[0].score for of in report.testsets] == [score.score for score in expected]
    contexts = {of.scores[0].signature.get("context") for of in report.testsets}
    assert len(contexts) == 2
