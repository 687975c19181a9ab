"""Languages without spaces between words, wherever metrics meet references."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import karat
from karat.errors import InputError
from karat.metrics.bleu import Bleu
from karat.metrics.ter import Ter
from karat.registry import metric
from karat.service.choices import choices
from karat.service.coverage import CoverageRequest, cover
from karat.service.gathering import gather_one
from karat.service.inputs import Files
from karat.service.requests import EvidenceRequest

TEXTS = {
    "zh": "我们今天在学校里学习中文，然后回家。",
    "ja": "今日は天気がいいので、公園へ行きました。",
    "th": "วันนี้อากาศดีมากเราไปสวนสาธารณะ",
    "km": "ថ្ងៃនេះអាកាសធាតុល្អណាស់",
    "lo": "ມື້ນີ້ອາກາດດີຫຼາຍ",
    "my": "ဒီနေ့ရာသီဥတုအရမ်းကောင်းတယ်",
}


def as_spec(name: str, language: str) -> str:
    return metric(name).for_language(language).spec


@pytest.mark.parametrize("language", sorted(TEXTS))
@pytest.mark.parametrize("name", ["bleu", "ter", "wer", "meteor", "terp", "nist", "ribes"])
def test_metrics_over_words_are_refused_where_nobody_names_the_language(name: str, language: str) -> None:
    with pytest.raises(InputError, match=rf"-l XX-{language} .*language='{language}'.*-m '{name}\("):
        karat.score([TEXTS[language]], [TEXTS[language]], [name])


@pytest.mark.parametrize("language", sorted(TEXTS))
@pytest.mark.parametrize("name", ["chrf", "chrf++", "cer"])
def test_metrics_over_characters_need_no_language(name: str, language: str) -> None:
    (score,) = karat.score([TEXTS[language]], [TEXTS[language]], [name])
    assert score.spec == metric(name).spec


@pytest.mark.parametrize(
    ("name", "language", "spec"),
    [
        ("bleu", "zh-TW", "bleu(tokenize=zh)"),
        ("bleu", "ja", "bleu(tokenize=ja-mecab)"),
        ("bleu", "th", "bleu(tokenize=char)"),
        ("bleu", "khm", "bleu(tokenize=char)"),
        ("bleu", "ko", "bleu(tokenize=ko-mecab)"),
        ("ter", "zh", "ter(normalized=true,asian_support=true)"),
        ("ter", "ja", "ter(normalized=true,asian_support=true)"),
        ("ter", "lo", "ter(tokenize=char)"),
        ("ter", "ko", "ter"),
        ("ter(normalized=false)", "zh", "ter(asian_support=true)"),
        ("ter(tokenize=tercom)", "zh", "ter"),
        ("terp", "my", "terp(tokenize=char,language=my)"),
        ("bleu(tokenize=13a)", "zh", "bleu"),
        ("chrf", "zh", "chrf"),
    ],
)
def test_the_language_decides_how_words_are_found_unless_the_spec_does(name: str, language: str, spec: str) -> None:
    assert as_spec(name, language) == spec


@pytest.mark.parametrize("language", ["zh", "th", "km", "lo", "my"])
def test_a_language_makes_metrics_over_words_work(language: str) -> None:
    text = TEXTS[language]
    near = text[:-3] + text[-1]
    bleu, ter = karat.score([near], [text], ["bleu", "ter"], language=language)
    assert 50 < bleu.score < 100
    assert 0 < ter.score < 50


def test_the_scores_are_those_of_sacrebleu() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    hypothesis, reference = "我们今天在学校学习中文，再回家。", TEXTS["zh"]
    bleu, ter = karat.score([hypothesis], [reference], ["bleu", "ter"], language="zh")
    assert bleu.score == pytest.approx(sacrebleu.corpus_bleu([hypothesis], [[reference]], tokenize="zh").score)
    expected = sacrebleu.corpus_ter([hypothesis], [[reference]], normalized=True, asian_support=True)
    assert ter.score == pytest.approx(expected.score)


@pytest.mark.parametrize("spec", ["bleu(tokenize=13a)", "ter(normalized=false)", "rouge(ascii_words=true)"])
def test_what_a_spec_writes_is_obeyed_with_a_warning(spec: str) -> None:
    with pytest.warns(UserWarning, match="cuts text at spaces, as its parameters say"):
        (score,) = karat.score([TEXTS["zh"]], [TEXTS["zh"]], [spec])
    assert score.spec == metric(spec).spec


def test_a_metric_remembers_what_was_written_and_is_still_the_same_metric() -> None:
    written = metric("bleu(tokenize=13a)")
    assert written == Bleu() == Bleu(tokenize="13a")
    assert (written.given, Bleu().given, Bleu(tokenize="13a").given) == ({"tokenize"}, set(), {"tokenize"})
    assert written.changed(max_order=2).given == {"tokenize"}
    (choice,) = choices(["bleu", "bleu(tokenize=13a)", "suite:classic"])[:1]
    assert choice.metric.given == {"tokenize"}
    assert not choice.optional


def test_korean_is_written_with_spaces() -> None:
    (score,) = karat.score(["오늘은 날씨가 아주 좋다."], ["오늘은 날씨가 아주 좋다."], ["bleu"])
    assert score.score == pytest.approx(100)


def test_half_of_the_letters_decide() -> None:
    with pytest.raises(InputError, match="mostly in Chinese characters"):
        karat.score(["a"], ["我们今天 abc"], ["bleu"])
    assert karat.score(["a"], ["我们今天 abcd"], ["bleu"])[0].score == 0


@pytest.mark.parametrize("streaming", [True, False])
def test_files_are_refused_and_warned_about_as_well(tmp_path: Path, streaming: bool) -> None:
    file = tmp_path / "zh.txt"
    file.write_text(TEXTS["zh"] + "\n", encoding="utf-8")
    texts = Files((str(file),), (("a", str(file)),))
    with pytest.raises(InputError, match="-l XX-zh"):
        gather_one(EvidenceRequest(texts=texts, metrics=("bleu",), streaming=streaming))
    obeyed = gather_one(EvidenceRequest(texts=texts, metrics=("bleu(tokenize=13a)",), streaming=streaming))
    assert [warning.code for warning in obeyed.warnings].count("spaces") == 1
    named = Files((str(file),), (("a", str(file)),), language_pair="en-zh")
    evidence = gather_one(EvidenceRequest(texts=named, metrics=("bleu", Ter()), streaming=streaming))
    assert evidence.specs == ("bleu(tokenize=zh)", "ter(normalized=true,asian_support=true)")
    assert "spaces" not in {warning.code for warning in evidence.warnings}


def test_the_drop_in_does_as_sacrebleu_does() -> None:
    import karat.compat.sacrebleu as drop_in

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert drop_in.corpus_bleu([TEXTS["zh"]], [[TEXTS["zh"]]]).score == 0


def test_analyses_are_told_of_the_option_that_they_have(tmp_path: Path) -> None:
    file = tmp_path / "zh.txt"
    file.write_text(TEXTS["zh"] + "\n", encoding="utf-8")
    texts = Files((str(file),), (("a", str(file)),))
    with pytest.raises(InputError, match=r"-l XX-zh, or choose.*--tokenize zh"):
        cover(CoverageRequest(texts=texts))
    assert cover(CoverageRequest(texts=texts, tokenize="zh")).coverage.tokenize == "zh"
