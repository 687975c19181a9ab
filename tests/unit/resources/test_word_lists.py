"""Function words and paraphrases."""

from __future__ import annotations

import gzip
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from karat.errors import InputError, MissingExtraError, MissingResourceError, SpecError
from karat.resources import ParaphraseTable, functionwords, paraphrases
from karat.resources.compiled import _HEADER
from karat.resources.functionwords import function_words

TABLE = "0.25\na lot of\nmany\n1\ncar\nauto mobile\n"


@pytest.fixture
def no_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_METEOR", str(tmp_path))
    for package in ("wordfreq", "stopwordsiso"):
        monkeypatch.setitem(sys.modules, package, None)
    for reader in (functionwords._from_wordfreq, functionwords._from_stopwordsiso):
        reader.cache_clear()


def test_the_most_frequent_words() -> None:
    found = function_words("de", "wordfreq", count=5)
    assert len(found.words) == 5
    assert found.contains(["der", "Haus"]) == [True, False]
    assert found.signature.startswith("wordfreq-de-5:")
    assert function_words("de", "wordfreq", count=6).signature.split("/")[1] != found.signature.split("/")[1]


def test_stop_words() -> None:
    assert "the" in function_words("en", "stopwordsiso").words
    with pytest.raises(SpecError, match="no words for"):
        function_words("xx", "stopwordsiso")


def test_meteors_own_list() -> None:
    pytest.importorskip("pycocoevalcap")
    found = function_words("en", "meteor")
    assert {"the", "of", "-rrb-"} < found.words
    assert function_words("en").signature == found.signature
    with pytest.raises(SpecError, match="no function words for danish"):
        function_words("da", "meteor")
    assert function_words("da").signature.startswith("wordfreq-da")


def test_a_file_of_words(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text("The\nOf\n\n")
    assert function_words("en", path).words == {"the", "of"}
    path.write_text("The\nof a\n")
    with pytest.raises(InputError, match="line 2: one word"):
        function_words("en", str(path))
    with pytest.raises(InputError, match=r"auto, meteor, wordfreq, stopwordsiso"):
        function_words("en", "meteo")


@pytest.mark.usefixtures("no_packages")
def test_what_is_missing_is_said_with_its_install_line() -> None:
    with pytest.raises(MissingResourceError, match=r"pip install 'karat\[linguistic\]'"):
        function_words("en")
    with pytest.raises(MissingResourceError, match=r"pip install 'karat\[meteor\]'"):
        function_words("en", "meteor")
    for source in ("wordfreq", "stopwordsiso"):
        with pytest.raises(MissingExtraError, match="linguistic"):
            function_words("en", source)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_table_of_paraphrases(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / "table.gz"
    path.write_bytes(gzip.compress(TABLE.encode()) if compressed else TABLE.encode())
    table = paraphrases(path)
    assert list(table.entries()) == [(0.25, "a lot of", "many"), (1.0, "car", "auto mobile")]
    assert len(table.table()) == 2
    assert table.signature.startswith("table/")


@pytest.mark.parametrize(
    ("text", "line"),
    [("x\na\nb\n", 1), ("0.5\na\nb\n2\nc\nd\n", 4), ("0.5\na\n", 1), ("0.5\n\nb\n", 1), ("nan\na\nb\n", 1)],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "table").write_text(text)
    with pytest.raises(InputError, match=f"line {line}:"):
        list(paraphrases(tmp_path / "table").entries())


def test_a_truncated_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.gz").write_bytes(gzip.compress(TABLE.encode() * 100)[:-20])
    with pytest.raises(InputError, match="cannot be read: "):
        paraphrases(tmp_path / "table.gz").table()


def test_a_table_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no table of paraphrases at"):
        paraphrases(tmp_path / "nothing")
    monkeypatch.setenv("KARAT_METEOR", str(tmp_path))
    with pytest.raises(MissingResourceError, match=r"pip install 'karat\[meteor\]'"):
        paraphrases(language="en")


def test_meteors_own_table_is_found_beside_its_jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "paraphrase-en.gz").write_bytes(gzip.compress(TABLE.encode()))
    with zipfile.ZipFile(tmp_path / "meteor-1.5.jar", "w"):
        pass
    for place in (tmp_path, tmp_path / "meteor-1.5.jar"):
        monkeypatch.setenv("KARAT_METEOR", str(place))
        assert len(list(paraphrases().entries())) == 2


def test_a_list_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"the\nof\xe9\n")
    with pytest.raises(InputError, match=r"words\.txt cannot be read: byte 0xE9 is not valid utf-8"):
        function_words("en", path)


def test_a_language_that_wordfreq_lacks_gets_no_words_of_another() -> None:
    pytest.importorskip("wordfreq")
    with pytest.raises(SpecError, match="wordfreq has no words for km"):
        function_words("km", "wordfreq")


@pytest.mark.parametrize(
    "data",
    [b"0.5\nthe h\xe9use\na house\n", gzip.compress(b"0.5\na\nb\n")[:-9] + b"?" * 9],
    ids=["latin-1", "damaged"],
)
def test_a_table_that_is_no_text_or_is_damaged_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.gz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"table\.gz cannot be read: "):
        list(paraphrases(path).entries())


def test_a_table_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.gz"
    path.write_bytes(gzip.compress(bytes(65 << 20)))
    with pytest.raises(InputError, match="unpacks to more than 200 times its size"):
        paraphrases(path).table()


def test_a_large_table_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "table"
    path.write_text("".join(f"0.5\nword number {k}\nnumber {k % 1000}\n" for k in range(40_000)))
    assert len(paraphrases(path).table()) == 40_000
    (kept,) = (tmp_path / "cache").iterdir()
    monkeypatch.setattr(ParaphraseTable, "_compile", None)  # it is not called again
    assert np.array_equal(paraphrases(path).compiled(), np.fromfile(kept, dtype=np.uint64, offset=_HEADER.size))
