"""HTER: TER against post-edits, with and without a cap."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat import registry
from karat.corpus.columns import PartialColumn
from karat.corpus.model import Corpus
from karat.engine.scoring import Scoring
from karat.metrics.hter import Hter
from karat.metrics.ter import Ter
from karat.text import TextColumn

LONG = "one two three four five six"


def test_without_cap_it_is_ter_of_the_references_given() -> None:
    hypotheses, references = ["a b c", LONG], [["a c b", "x"], ["one"]]
    for options in ({}, {"normalized": True}, {"search": "full"}, {"tokenize": "char"}):
        hter, ter = (cls(**options).prepare(references).rows(hypotheses).values for cls in (Hter, Ter))
        assert hter.tolist() == ter.tolist()


def test_extra_references_count_in_the_mean_length_alone() -> None:
    # Two edits from the post-edit, which is closest; lengths 4 and 8.
    rows = Hter().prepare([["a b c d", "p q r s t u v w"]]).rows(["a b x y"])
    assert rows.values.tolist() == [[2.0, 6.0]]


def test_a_capped_segment_is_at_most_100() -> None:
    capped = Hter(capped=True).prepare(["one", "a b", ""]).rows([LONG, "a c", "x y"])
    assert capped.values.tolist() == [[1.0, 1.0], [1.0, 2.0], [2.0, 0.0]]
    assert capped.unit_scores().tolist() == [100.0, 50.0, 100.0]
    assert Hter(capped=True).sacrebleu_signature("1") is None


def test_it_takes_the_post_edits_of_each_system() -> None:
    corpus = Corpus(
        references={"general": PartialColumn.of(["something else entirely"])},
        systems={"one": TextColumn.of(["a b c d"]), "two": TextColumn.of(["a b c d"])},
        targeted={"one": PartialColumn.of(["a b c d"]), "two": PartialColumn.of(["a b c x"])},
    )
    scoring = Scoring([Hter()], keep_rows=False)
    scoring.add(corpus, "instead")
    (measure,) = scoring.measures()
    assert {name: rows.score for name, rows in measure.rows.items()} == {"one": 0.0, "two": 25.0}


@pytest.mark.parametrize(("pair", "mean"), [("en-de", 0.18305), ("ro-en", 0.19545)])
def test_published_values_of_mlqe_pe(shared_data: Path, pair: str, mean: float) -> None:
    directory = shared_data / "mlqe-pe" / "post-editing" / f"{pair}-dev"
    if not directory.is_dir():
        pytest.skip(f"no post-edits at {directory}")
    hypotheses, post_edits, published = (
        (directory / f"dev.{kind}").read_text(encoding="utf-8").split("\n")[:-1] for kind in ("mt", "pe", "hter")
    )
    scores = registry.metric("hter(capped=true)").prepare(post_edits).rows(hypotheses).unit_scores() / 100
    assert scores.mean() == pytest.approx(mean, abs=5e-6)
    assert np.abs(scores - np.array(published, dtype=float)).max() < 1e-6  # six decimals are printed
