"""What metrics measure with: references, sources, annotations of either; and what happens where these are not there."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pytest
from tests.annotations import annotated

import karat
import karat.registry
from karat.corpus import Corpus, References
from karat.engine import Scoring
from karat.errors import InputError, SpecError
from karat.metrics.annotated.metric import AnnotatedMetric
from karat.metrics.base import Metric, registry
from karat.service.gathering import gather_one
from karat.service.inputs import Files
from karat.service.requests import EvidenceRequest
from karat.service.scaling import ScaleRequest, score_parts
from karat.text import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text.annotation import Layer


class _Copied(Metric):
    """The share of segments that are equal to their source."""

    family: ClassVar[str] = "test"
    citation: ClassVar[str] = ""
    columns = ("copied", "segments")

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return 100 * sums[..., 0] / sums[..., 1]

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        sources = references.sources or ()

        def rows(hypotheses: TextColumn) -> Values:
            same = [hypothesis == source for hypothesis, source in zip(hypotheses, sources, strict=True)]
            return np.array([[equal, 1] for equal in same], dtype=np.int64)

        return rows


@dataclass(frozen=True, kw_only=True)
class Copied(_Copied):
    """It looks at sources alone."""

    name: ClassVar[str] = "copied"
    wants: ClassVar[frozenset[str]] = frozenset({"sources"})


@dataclass(frozen=True, kw_only=True)
class CopiedBesideReferences(_Copied):
    """It looks at both."""

    name: ClassVar[str] = "copied-beside"
    wants: ClassVar[frozenset[str]] = frozenset({"references", "sources"})


@dataclass(frozen=True, kw_only=True)
class SameTags(AnnotatedMetric):
    """The share of segments with the tags of their first reference."""

    name: ClassVar[str] = "same-tags"
    family: ClassVar[str] = "test"
    citation: ClassVar[str] = ""
    columns = ("same", "segments")
    aggregate = _Copied.aggregate

    @property
    def layers(self) -> tuple[Layer, ...]:
        return ("tags",)

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        known = self.annotations(references.column)
        firsts = [known[start].tags for start in references.offsets[:-1].tolist()]

        def rows(hypotheses: TextColumn) -> Values:
            own = [annotation.tags for annotation in self.annotations(hypotheses)]
            return np.array([[tags == first, 1] for tags, first in zip(own, firsts, strict=True)], dtype=np.int64)

        return rows


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The metrics of this file under their names, and in a suite."""
    for metric in (Copied, CopiedBesideReferences, SameTags):
        monkeypatch.setitem(registry, metric.name, metric)
    monkeypatch.setitem(karat.registry.SUITES, "wanting", ("wer", "copied", "copied-beside", "same-tags"))
    karat.registry.metric_classes.cache_clear()
    yield
    karat.registry.metric_classes.cache_clear()


def test_sources_reach_metrics_and_their_hash_the_signature() -> None:
    prepared = CopiedBesideReferences().prepare(["x", "y"], sources=["a", "b"])
    assert prepared.rows(["a", "c"]).score == 50
    other = CopiedBesideReferences().prepare(["x", "y"], sources=["a", "z"])
    assert prepared.signature.get("hash") == other.signature.get("hash")
    assert prepared.signature.get("source") != other.signature.get("source")
    assert pickle.loads(pickle.dumps(prepared.signature)) == prepared.signature
    assert karat.metric("wer").prepare(["x"], sources=["a"]).signature.get("source") is None


def test_sources_alone_are_enough_for_a_metric_that_wants_nothing_else() -> None:
    prepared = Copied().prepare(None, sources=["a", "b"])
    assert prepared.rows(["a", "b"]).score == 100
    assert str(prepared.signature).startswith("copied|refs:0|hash:")
    scores = karat.score(["a", "c"], metrics=[Copied()], sources=["a", "b"])
    assert scores[0].score == 50


def test_what_is_wanted_and_not_given_is_refused_with_the_option_that_gives_it() -> None:
    with pytest.raises(InputError, match=r"^copied-beside: the source is wanted, and was not given: add -s FILE"):
        CopiedBesideReferences().prepare(["x"])
    with pytest.raises(InputError, match=r"^copied-beside: references are wanted, and segment 1 has none: add -r FILE"):
        CopiedBesideReferences().prepare(None, sources=["a"])
    with pytest.raises(InputError, match=r"^1 sources for 2 segments"):
        CopiedBesideReferences().prepare(["x", "y"], sources=["a"])
    with pytest.raises(InputError, match=r"^wer: references are wanted"):
        karat.score(["a"], metrics=["wer"], sources=["a"])
    with pytest.raises(SpecError, match="copied measures with sources, not against any other string"):
        karat.mbr([["a", "b"]], metric=Copied())


def test_annotations_that_came_with_texts_reach_metrics() -> None:
    references = annotated(["the cat", "a dog"])
    prepared = SameTags().prepare(references)
    assert prepared.rows(annotated(["the cat", "a dog"])).score == 100
    assert prepared.signature.get("annotations") != SameTags().prepare(annotated(["the cat"])).signature.get(
        "annotations"
    )
    with pytest.raises(
        InputError, match=r"same-tags: tags of the hypotheses are wanted, and were not given: add --ann"
    ):
        prepared.rows(["the cat", "a dog"])
    with pytest.raises(InputError, match=r"same-tags: tags of the references are wanted"):
        SameTags().prepare(["the cat"])


def test_a_backend_must_exist_and_find_what_is_wanted() -> None:
    with pytest.raises(SpecError, match=r"there is no annotator 'spacy-de'. Did you mean spacy-en"):
        SameTags(annotate="spacy-de")
    with pytest.raises(SpecError, match="same-tags wants tags, and simplemma-de finds only lemmas"):
        SameTags(annotate="simplemma-de")


def test_a_language_brings_its_backend_unless_one_was_written_or_annotations_came() -> None:
    assert SameTags().for_language("de-AT").spec == "same-tags(annotate=hanta-de)"
    assert SameTags(annotate="given").for_language("de").spec == "same-tags"
    assert SameTags().for_language("cs").spec == "same-tags"
    assert SameTags(annotate="hanta-de").with_given_annotations() == SameTags(annotate="hanta-de")
    assert SameTags().for_language("de").with_given_annotations() == SameTags()


CORPUS = Corpus.of(
    systems={"one": ["a", "c"], "two": ["x", "y"]},
    references={"ref": ["x", "y"]},
    source=["a", "b"],
    language_pair="cs-en",
)


def test_the_engine_scores_with_sources_with_and_without_references() -> None:
    both = Scoring([CopiedBesideReferences(), karat.metric("wer"), Copied()], keep_rows=False)
    for block in CORPUS.pieces(1):
        both.add(block)
    scores = {measure.name: measure.rows["one"].score for measure in both.measures()}
    assert scores == {"copied-beside": 50, "wer": 100, "copied": 50}
    whole = CopiedBesideReferences().prepare(["x", "y"], sources=["a", "b"])
    assert both.measures()[0].rows["one"].identity.signature == whole.signature
    alone = Scoring([Copied()], keep_rows=True)
    alone.add(Corpus.of(systems=CORPUS.systems, references={}, source=CORPUS.source))
    assert alone.measures()[0].rows["two"].score == 0


def test_a_batch_is_scored_with_its_source() -> None:
    table = {"source": ["a", "b"], "hypothesis": ["a", "c"]}
    assert karat.score_batch(table, Copied())["copied"] == [100, 0]
    with pytest.raises(InputError, match="the corpus has no references"):
        karat.score_batch(table, CopiedBesideReferences())


@pytest.mark.usefixtures("registered")
def test_metrics_of_a_suite_are_left_out_where_texts_lack_what_they_want(tmp_path: Path) -> None:
    for name, lines in {"s": "a\nb\n", "r": "x\ny\n", "h": "a\nc\n"}.items():
        (tmp_path / name).write_text(lines)
    files = (str(tmp_path / "r"),), (("h", str(tmp_path / "h")),)
    for source, names in ((str(tmp_path / "s"), ["wer", "copied", "copied-beside"]), (None, ["wer"])):
        for streaming in (True, False):
            request = EvidenceRequest(texts=Files(*files, source), metrics=("suite:wanting",), streaming=streaming)
            evidence = gather_one(request)
            assert [measure.identity.metric for measure in evidence.measures] == names
            left_out = [warning.message for warning in evidence.warnings if warning.code == "left-out"]
            assert any(text.startswith("same-tags is left out: tags of the references are wanted") for text in left_out)
            both = "copied, copied-beside are left out: the source is wanted, and was not given: add -s FILE"
            assert any(text.startswith(both) for text in left_out) == (source is None)
    assert [score.metric for score in karat.score(["a"], ["x"], "suite:wanting")] == ["wer"]


@pytest.mark.usefixtures("registered")
def test_scores_in_parts_are_signed_with_the_source(tmp_path: Path) -> None:
    rows = [{"source": s, "reference": r, "hypothesis": h} for s, r, h in (("a", "x", "a"), ("b", "y", "c"))]
    table, out = tmp_path / "table.jsonl", str(tmp_path / "out")
    table.write_text("".join(json.dumps(row) + "\n" for row in rows * 3))
    request = ScaleRequest(corpus=str(table), out=out, metrics=("suite:wanting",), dedupe=True)
    score_parts(request)
    evidence = gather_one(EvidenceRequest(stored=out, streaming=True))
    wer, _, copied = (measure.identity.signature for measure in evidence.measures)
    whole = CopiedBesideReferences().prepare(["x", "y"] * 3, sources=["a", "b"] * 3).signature
    assert (copied.get("source"), wer.get("source")) == (whole.get("source"), None)
    assert [measure.rows[evidence.systems[0]].score for measure in evidence.measures] == [100, 50, 50]
    table.write_text("".join(json.dumps({**row, "source": None}) + "\n" for row in rows).replace('"source"', '"note"'))
    with pytest.raises(InputError, match="copied: the source is wanted, and was not given"):
        score_parts(replace(request, metrics=("copied",)))
