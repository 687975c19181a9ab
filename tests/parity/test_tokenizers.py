"""Tokens against sacreBLEU's own tokenizers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

from karat import kernels
from karat.text import TextColumn, tokenizer

CORE = ["13a", "intl", "zh", "char", "none"]
JAPANESE = [
    "今日は天気がいい。",
    " 東京タワーは333mです! ",
    "Mixed テキスト and ASCII, 1.5",
    "",
    "　全角　空白　",
    "二行\n目",
]
KOREAN = ["안녕하세요 세계.", " 대한민국의 수도는 서울이다. ", "Mixed 한국어 and ASCII, 1.5", "", "두\n줄"]

any_text = st.text(st.characters(exclude_categories=["Cs"]))
marks = st.text(st.sampled_from("ab19.,-–'\"!$€&;<> \t\n\u00a0\u3000…“”中、２𠀀\u0301"), max_size=20)


def theirs(name: str) -> Callable[[str], list[str]]:
    """sacreBLEU's tokens of a line, as its BLEU gets them."""
    their_tokenizer = _get_tokenizer(name)()
    return lambda line: their_tokenizer(line.rstrip()).split()


def assert_equal_tokens(name: str, lines: list[str]) -> None:
    ours = TextColumn.of(lines).tokens(tokenizer(name)).to_lists()
    pairs = zip(lines, ours, map(theirs(name), lines), strict=True)
    assert [(line, own, other) for line, own, other in pairs if own != other] == []


@pytest.mark.parametrize("name", CORE)
def test_every_short_string(name: str) -> None:
    lines = ["".join(letters) for n in range(5) for letters in product("a1.,-& !…\n", repeat=n)]
    assert_equal_tokens(name, lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["13a", "intl", "zh"])
def test_every_string_of_six(name: str) -> None:
    assert_equal_tokens(name, ["".join(letters) for letters in product("a1.,- !…", repeat=6)])


@pytest.mark.parametrize("name", CORE)
@given(lines=st.lists(any_text | marks, max_size=5))
def test_any_text(name: str, lines: list[str]) -> None:
    assert_equal_tokens(name, lines)


@pytest.mark.parametrize(("name", "lines"), [("ja-mecab", JAPANESE), ("ko-mecab", KOREAN)])
def test_mecab(name: str, lines: list[str]) -> None:
    pytest.importorskip("MeCab" if name == "ja-mecab" else "mecab_ko")
    assert_equal_tokens(name, lines)
    assert tokenizer(name).signature == _get_tokenizer(name)().signature()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SentencePiece model of a few words."""
    trainer = pytest.importorskip("sentencepiece").SentencePieceTrainer
    directory = tmp_path_factory.mktemp("model")
    words = ["".join(letters) for letters in product("abcde", "oiu", "lmnr")]
    sentences = [" ".join(words[i : i + 5]) + "." for i in range(len(words) - 5)]
    trainer.train(
        sentence_iterator=iter(sentences * 4), model_prefix=str(directory / "tiny"), vocab_size=60, minloglevel=2
    )
    return directory / "tiny.model"


LINES = ["bom dil, aur!  ", " bon  unknown Ωmega", "", "\u3000eil\u00a0a", "2017."]


def test_a_local_model(model: Path, tmp_path: Path) -> None:
    from sentencepiece import SentencePieceProcessor

    processor = SentencePieceProcessor(model_file=str(model))
    expected = [" ".join(processor.encode(line.rstrip(), out_type=str)).split() for line in LINES]
    ours = tokenizer(f"spm:{model}")
    assert ours.tokens(kernels.Text(LINES)).to_lists() == expected
    assert any(piece.startswith("▁") for piece in expected[0])
    elsewhere = tmp_path / "other-name"
    elsewhere.write_bytes(model.read_bytes())
    assert tokenizer(f"spm:{elsewhere}").signature == ours.signature
    assert ours.signature.startswith("spm-")


@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K"])
def test_published_models(name: str, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both tools, told that the tiny model is the published one, find it in the same place."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    ours = tokenizer(name)
    file = tmp_path / "models" / ours.file_name  # type: ignore[attr-defined]
    file.parent.mkdir()
    file.write_bytes(model.read_bytes())
    program = (
        "import json, sys; from sacrebleu.metrics.bleu import _get_tokenizer; "
        f"t = _get_tokenizer({name!r})(); "
        "print(json.dumps([t.signature(), [t(line.rstrip()).split() for line in json.load(sys.stdin)]]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(LINES), capture_output=True, text=True, env={**os.environ}
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [ours.signature, ours.tokens(kernels.Text(LINES)).to_lists()]
    assert set(ours.resources) == {"spm"}


@pytest.mark.parity
@pytest.mark.parametrize("name", CORE)
def test_real_text(name: str, shared_data: Path) -> None:
    files = [
        *sorted((shared_data / "wmt21-news-ende" / "system-outputs").iterdir())[:4],
        *sorted((shared_data / "wmt21-news-ende" / "references").iterdir()),
        *sorted((shared_data / "wmt22-general-enzh").rglob("*.zh"))[:4],
    ]
    for file in files:
        column = TextColumn.from_lines(file.read_bytes())
        assert_equal_tokens(name, column.to_list())
