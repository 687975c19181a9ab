"""Matrices of scores equal sacreBLEU's sentence scores on real outputs, pair by pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

import karat

pytestmark = pytest.mark.parity

GERMAN = [
    ("sentence-bleu", BLEU(effective_order=True)),
    ("sentence-bleu(tokenize=intl,lowercase=true)", BLEU(effective_order=True, tokenize="intl", lowercase=True)),
    ("bleu(smooth=add-k)", BLEU(smooth_method="add-k")),
    ("chrf", CHRF()),
    ("chrf++", CHRF(word_order=2)),
    ("chrf(eps_smoothing=true,whitespace=true)", CHRF(eps_smoothing=True, whitespace=True)),
    ("ter", TER()),
    ("ter(normalized=true)", TER(normalized=True)),
]
CHINESE = [
    ("sentence-bleu(tokenize=zh)", BLEU(effective_order=True, tokenize="zh")),
    ("sentence-bleu(tokenize=char)", BLEU(effective_order=True, tokenize="char")),
    ("chrf", CHRF()),
    ("chrf++", CHRF(word_order=2)),
    ("ter(normalized=true,asian_support=true)", TER(normalized=True, asian_support=True)),
]


def outputs(directory: Path, count: int, step: int) -> list[list[str]]:
    """The outputs of some systems for some segments."""
    paths = sorted((directory / "system-outputs").glob("*"))[:count]
    return [path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")[::step] for path in paths]


def assert_equal(spec: str, peer: Any, hypotheses: list[str], references: list[str]) -> None:
    scores = karat.pairwise(hypotheses, references, karat.metric(spec)).scores
    assert scores is not None
    slow = [[peer.sentence_score(h, [r]).score for r in references] for h in hypotheses]
    assert scores.tolist() == [pytest.approx(row, rel=1e-9, abs=1e-9) for row in slow]


@pytest.mark.parametrize(("spec", "peer"), GERMAN, ids=[spec for spec, _ in GERMAN])
@pytest.mark.filterwarnings("ignore:.*formula for whole corpora")
def test_matrices_of_german(spec: str, peer: Any, shared_data: Path) -> None:
    systems = outputs(shared_data / "wmt21-news-ende", 8, 97)
    for texts in zip(*systems, strict=True):
        assert_equal(spec, peer, list(texts), list(texts)[:5])
    assert_equal(spec, peer, systems[0], systems[1])


@pytest.mark.parametrize(("spec", "peer"), CHINESE, ids=[spec for spec, _ in CHINESE])
def test_matrices_of_chinese(spec: str, peer: Any, shared_data: Path) -> None:
    systems = outputs(shared_data / "wmt22-general-enzh", 6, 199)
    for texts in zip(*systems, strict=True):
        assert_equal(spec, peer, list(texts), list(texts)[:4])
    assert_equal(spec, peer, systems[0], systems[1])
