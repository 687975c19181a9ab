"""How metrics are fitted to the languages of a test set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from karat.metrics.base import parameter
from karat.metrics.wer import Wer
from karat.registry import metric
from karat.service.inputs import CorpusFile, Files, unnamed_language


@dataclass(frozen=True, kw_only=True)
class Lexical(Wer):
    """A metric with word lists, for the test only."""

    language: str | None = parameter(None, "the language of the word lists")


def test_the_language_pair_reaches_the_metric_and_its_tokenizer() -> None:
    (testset,) = Files(("ref",), (("a", "a"),), language_pair="en-zh").testsets(whole=False)
    assert testset.adapted(Lexical()) == Lexical(language="zh", tokenize="zh")
    assert testset.adapted(Lexical(language="de", tokenize="none")) == Lexical(language="de", tokenize="none")
    assert testset.adapted(metric("chrf")) == metric("chrf")


@pytest.mark.parametrize(
    ("spec", "german", "chinese"),
    [
        ("bleu", "bleu", "bleu(tokenize=zh)"),
        ("bleu(tokenize=none)", "bleu(tokenize=none)", "bleu(tokenize=none)"),
        ("ter", "ter", "ter(normalized=true,asian_support=true)"),
        ("character", "character", "character(tokenize=zh)"),
        ("chrf", "chrf", "chrf"),
    ],
)
def test_metrics_take_the_tokenizer_that_the_language_calls_for(spec: str, german: str, chinese: str) -> None:
    for pair, expected in {"en-de": german, "en-zh": chinese}.items():
        (testset,) = Files(("ref",), (("a", "a"),), language_pair=pair).testsets(whole=False)
        assert testset.adapted(metric(spec)) == metric(expected)


def test_without_a_language_pair_nothing_changes_and_a_warning_names_the_metrics() -> None:
    (testset,) = Files(("ref",), (("a", "a"),)).testsets(whole=False)
    metrics = [testset.adapted(Lexical()), metric("bleu")]
    assert metrics == [Lexical(), metric("bleu")]
    (warning,) = unnamed_language(metrics)
    assert warning.message.startswith("wer: no language was named")
    assert unnamed_language([Lexical(language="en"), metric("bleu")]) == []


def test_each_test_set_of_a_manifest_has_its_language(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    manifest = tmp_path / "sets.toml"
    entry = '[[testset]]\nname = "{0}"\ntarget_language = "{0}"\nreferences = ["a.txt"]\nsystems = {{ s = "a.txt" }}\n'
    manifest.write_text(entry.format("de") + entry.format("ja"), encoding="utf-8")
    german, japanese = CorpusFile(str(manifest)).testsets(whole=False)
    assert (german.language, japanese.language) == ("de", "ja")
    assert japanese.adapted(Lexical()) == Lexical(language="ja", tokenize="ja-mecab")
