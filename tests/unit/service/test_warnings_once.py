"""Warnings about texts and metrics come once, and only where they apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.service.gathering import gather, gather_one
from karat.service.inputs import CorpusFile, Files
from karat.service.requests import EvidenceRequest

TOKENISED = "It was , he said , the cat .\n"


def codes(path: Path, *metrics: str) -> list[str]:
    path.write_text(TOKENISED * 20, encoding="utf-8")
    other = path.with_name("other.txt")
    other.write_text(TOKENISED.replace("cat", "dog") * 20, encoding="utf-8")
    request = EvidenceRequest(texts=Files((str(path),), (("a", str(other)),)), metrics=metrics)
    return [warning.code for warning in gather_one(request).warnings]


@pytest.mark.parametrize(
    ("metrics", "count"),
    [
        (("bleu",), 2),
        (("bleu(tokenize=none)",), 0),
        (("bleu(tokenize=none)", "chrf"), 0),
        (("bleu(tokenize=none)", "wer"), 2),
        (("chrf",), 2),
    ],
)
def test_tokenised_text_is_no_surprise_to_a_metric_that_expects_it(
    tmp_path: Path, metrics: tuple[str, ...], count: int
) -> None:
    assert codes(tmp_path / "tokenised.txt", *metrics).count("tokenized") == count


def test_what_holds_for_several_test_sets_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("y\n", encoding="utf-8")
    entry = '[[testset]]\nname = "{}"\nreferences = ["a.txt"]\nsystems = {{ s = "b.txt" }}\n'
    manifest = tmp_path / "sets.toml"
    manifest.write_text(entry.format("one") + entry.format("two"), encoding="utf-8")
    request = EvidenceRequest(texts=CorpusFile(str(manifest)), metrics=("meteor(function_words=none)",))
    found = [warning.code for evidence in gather(request) for warning in evidence.warnings]
    assert found.count("language") == 1
