from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
from pathlib import Path

import pytest

from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile, refuse_different_lengths
from karat.errors import InputError, MissingExtraError

COMPRESS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
TEXT = "".join(f"line {i} ä\n" for i in range(5000)).encode()


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS[suffix](TEXT) + COMPRESS[suffix](b"a second member\n"))
    assert InputFile.of(path).bytes() == TEXT + b"a second member\n"
    assert b"".join(InputFile.of(path).chunks(1000)) == TEXT + b"a second member\n"
    path.write_bytes(COMPRESS[suffix](TEXT)[:-20])
    with pytest.raises(InputError, match=r"a\.txt\.\w+ ends in the middle of its \w+ data"):
        InputFile.of(path).bytes()
    path.write_bytes(TEXT)
    with pytest.raises(InputError, match=r"is not a \w+ file, or is damaged"):
        InputFile.of(path).bytes()


def test_zstandard(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "a.txt.zst"
    data = zstandard.ZstdCompressor().compress(TEXT)
    path.write_bytes(data + data)
    assert InputFile.of(path).bytes() == TEXT + TEXT
    path.write_bytes(data[:-10])
    with pytest.raises(InputError, match="ends in the middle of its zstandard data"):
        InputFile.of(path).bytes()
    path.write_bytes(TEXT)
    with pytest.raises(InputError, match="is not a zstandard file"):
        InputFile.of(path).bytes()


def test_zstandard_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "a.txt.zst"
    path.write_bytes(b"x")
    with pytest.raises(MissingExtraError, match=r"karat\[zstd\]"):
        InputFile.of(path).bytes()


def test_compressed_data_without_the_suffix_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(TEXT))
    with pytest.raises(InputError, match=r"looks like a gzip file: its name must end in \.gz"):
        LineFile(InputFile.of(path)).rest()


def test_missing_files_suggest_near_names(tmp_path: Path) -> None:
    (tmp_path / "reference.de").write_text("x\n")
    with pytest.raises(InputError, match=r"there is no file .*refrence\.de\. Did you mean .*reference\.de\?"):
        InputFile.of(tmp_path / "refrence.de").bytes()
    with pytest.raises(InputError, match=r"There is no directory .*nowhere either"):
        InputFile.of(tmp_path / "nowhere" / "x").bytes()


def test_directories_and_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="is a directory, but a file is wanted"):
        InputFile.of(tmp_path).bytes()
    path = tmp_path / "secret.txt"
    path.write_text("x")

    def forbid(*_args: object, **_more: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbid)
    with pytest.raises(InputError, match=r"secret\.txt cannot be read: its permissions forbid it"):
        InputFile.of(path).bytes()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(InputError, match="may not be read"):
        InputFile.of(path).bytes()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    assert LineFile(InputFile.of("-")).rest().to_list() == ["a", "b"]
    assert InputFile.of("-").stem == "stdin"


def test_lines_some_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfa\nb\r\nc\n\nd")
    lines = LineFile(InputFile.of(path))
    assert [lines.take(2).to_list() for _ in range(4)] == [["a", "b"], ["c", ""], ["d"], []]
    assert lines.lines_read == 5
    lines = LineFile(InputFile.of(path))
    assert (lines.take(1).to_list(), lines.count_rest()) == (["a"], 4)
    lines = LineFile(InputFile.of(path))
    assert (lines.take(4).to_list(), lines.rest().to_list()) == (["a", "b", "c", ""], ["d"])


def test_positions_count_from_the_start_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbf" + b"four\n" * 10 + b"bad \xe9\n")
    lines = LineFile(InputFile.of(path))
    lines.take(7)
    with pytest.raises(InputError, match="line 11: byte 0xE9 at offset 57 is not valid UTF-8"):
        lines.take(7)


def test_chunks_may_cut_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.corpus.linefile.CHUNK", 3)
    monkeypatch.setattr("karat.corpus.linefile._START", 4)
    path = tmp_path / "a.txt"
    path.write_bytes(("\ufeffäöü\r\n" + "€uro\r\n" * 5).encode())
    lines = LineFile(InputFile.of(path))
    assert lines.take(2).to_list() == ["äöü", "€uro"]
    assert lines.take(10).to_list() == ["€uro"] * 4


def test_different_lengths_name_who_and_where() -> None:
    refuse_different_lengths([("a", 3), ("b", 3)])
    with pytest.raises(InputError, match=r"sysA\.txt ends after line 998, but ref\.txt has 1002 lines\. All files"):
        refuse_different_lengths([("ref.txt", 1002), ("sysA.txt", 998), ("sysB.txt", 1002)])
    with pytest.raises(InputError, match=r"ref\.txt ends after line 1, but sysA\.txt has 2 lines"):
        refuse_different_lengths([("ref.txt", 1), ("sysA.txt", 2)])
    with pytest.raises(InputError, match=r"s is empty, but ref\.txt has 1 line\."):
        refuse_different_lengths([("ref.txt", 1), ("s", 0)])
