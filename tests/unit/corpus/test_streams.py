"""Tables in blocks: one file or many, the same corpus as when they are read at once; broken ones name file and row."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from karat.corpus import Corpus, read_corpus
from karat.corpus.files import InputFile
from karat.corpus.streams import batches as batches_module
from karat.corpus.streams import testset as testset_module
from karat.corpus.streams.files import files_of, names_below
from karat.corpus.streams.joining import joined
from karat.corpus.streams.testset import TableStream
from karat.errors import InputError

ROWS = [
    {"source": f"s{i}", "reference": f"r {i} ä", "system:a": f"a {i}", "system:b": f"b {i}", "document": f"d{i // 4}"}
    for i in range(23)
]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testset_module, "BATCH_ROWS", 5)
    monkeypatch.setattr(batches_module.TableFile.batches, "__defaults__", (0, None, 5))


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    name = path.name
    if ".parquet" in name:
        pl.DataFrame(rows).write_parquet(path, row_group_size=7)
        return path
    if ".tsv" in name:
        text = "".join("\t".join(map(str, line)) + "\n" for line in [rows[0], *(row.values() for row in rows)])
    else:
        text = "".join(json.dumps(row) + "\n" for row in rows)
    data = text.encode()
    if name.endswith(".gz"):
        data = gzip.compress(data)
    elif name.endswith(".zst"):
        data = pytest.importorskip("zstandard").compress(data)
    path.write_bytes(data)
    return path


def streamed(*paths: Path, columns: tuple[tuple[str, str], ...] = ()) -> list[Corpus]:
    return list(TableStream([InputFile.of(path) for path in paths], None, columns).blocks())


FORMATS = ["c.parquet", "c.jsonl", "c.tsv", "c.jsonl.gz", "c.tsv.gz", "c.jsonl.zst"]


@pytest.mark.parametrize("name", FORMATS)
def test_blocks_are_the_corpus_in_pieces(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, ROWS)
    blocks = streamed(path)
    assert [len(block) for block in blocks] == [5, 5, 5, 5, 3]
    assert [block.first_segment for block in blocks] == [1, 6, 11, 16, 21]
    assert joined(blocks).content_hash == read_corpus(path).content_hash


@pytest.mark.parametrize("name", FORMATS)
def test_many_files_are_one_test_set(name: str, tmp_path: Path) -> None:
    whole = read_corpus(write(tmp_path / name, ROWS))
    parts = tmp_path / "parts"
    parts.mkdir()
    for start in range(0, 23, 8):
        write(parts / f"{start:02}{name}", ROWS[start : start + 8])
    stream = TableStream(files_of(str(parts / "*")), None, ())
    blocks = list(stream.blocks())
    assert [len(block) for block in blocks] == [5, 5, 5, 5, 3]
    assert joined(blocks).content_hash == whole.content_hash == stream.whole().content_hash


@pytest.mark.parametrize("name", ["l.parquet", "l.tsv", "l.jsonl"])
def test_long_form_gives_blocks_of_each_system(name: str, tmp_path: Path) -> None:
    rows = [
        {"system": system, "segment": i, "hypothesis": f"{system} {i}", "reference": f"r {i}"}
        for i in range(12)
        for system in ("a", "b")
    ]
    path = write(tmp_path / name, rows)
    blocks = streamed(path)
    whole = read_corpus(path)
    for system in ("a", "b"):
        own = [block for block in blocks if system in block.systems]
        assert [len(block) for block in own] == [5, 5, 2]
        assert [block.first_segment for block in own] == [1, 6, 11]
        assert joined(own).systems[system].to_list() == whole.systems[system].to_list()
    write(path, rows[:-1])
    with pytest.raises(InputError, match="system a has 12 segments, but b has 11"):
        streamed(path)


def test_a_bare_hypothesis_of_several_files_is_the_system_hypothesis(tmp_path: Path) -> None:
    rows = [{"reference": "r", "hypothesis": "h"}]
    one, other = write(tmp_path / "1.jsonl", rows), write(tmp_path / "2.jsonl", rows)
    assert list(streamed(one)[0].systems) == ["1"]
    assert list(streamed(one, other)[0].systems) == ["hypothesis"]


def changed(row: int, **changes: Any) -> list[dict[str, Any]]:
    return [{**one, **changes} if i == row else one for i, one in enumerate(ROWS)]


@pytest.mark.parametrize(
    ("name", "rows", "message"),
    [
        ("n.parquet", changed(17, **{"system:b": None}), r"n\.parquet, row 18: system b has no hypothesis"),
        ("n.jsonl", changed(17, **{"system:b": None}), r"n\.jsonl, line 18: system b has no hypothesis"),
        ("n.parquet", changed(16, reference=None), r"n\.parquet, row 17: there is no reference here"),
        ("n.tsv", changed(16, reference=""), r"n\.tsv, line 18: there is no reference here"),
        ("n.jsonl", changed(16, source=None), r"n\.jsonl, line 17: there is no source here"),
        ("n.jsonl", changed(12, reference=7), r"n\.jsonl, line 13: reference must be text, not the number 7"),
        ("n.parquet", [{**row, "source": i} for i, row in enumerate(ROWS)], r"n\.parquet, row 1: source must be text"),
        ("n.jsonl", changed(11, document=None), r"n\.jsonl, line 12: there is no document here"),
        ("n.jsonl", [*ROWS, {**ROWS[0], "system:a": "\ud800"}], r"n\.jsonl, line 24"),
        ("n.parquet", [{"refrence": "a", "hypothesis": "b"}], "Did you mean reference"),
        ("n.parquet", [{"other": "a"}], "none of the columns is known"),
    ],
    ids=range(11),
)
def test_what_is_wrong_is_told_with_its_place(
    name: str, rows: list[dict[str, Any]], message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / name, rows)
    with pytest.raises(InputError, match=message):
        streamed(path)


@pytest.mark.parametrize("name", ["x.parquet", "x.tsv"])
def test_files_with_other_columns_are_refused(name: str, tmp_path: Path) -> None:
    one = write(tmp_path / f"1{name}", ROWS)
    other = write(tmp_path / f"2{name}", [{**row, "reference:B": "x"} for row in ROWS])
    with pytest.raises(InputError, match=rf"2{name} has also reference:B, unlike .*1{name}"):
        streamed(one, other)
    lacking = write(tmp_path / f"3{name}", [{k: v for k, v in row.items() if k != "system:b"} for row in ROWS])
    with pytest.raises(InputError, match=rf"3{name} has no system:b, unlike"):
        streamed(one, lacking)


def test_a_pattern_that_nothing_fits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file fits .*quotes"):
        files_of(str(tmp_path / "*.parquet"))


def test_named_columns_must_be_there(tmp_path: Path) -> None:
    path = write(tmp_path / "c.parquet", [{"src": "a", "ziel": "b", "mt": "c"}])
    (block,) = streamed(path, columns=(("reference", "ziel"),))
    assert block.references["ref"].to_list() == ["b"]
    with pytest.raises(InputError, match="there is no column 'zeil', only src, ziel, mt"):
        streamed(path, columns=(("reference", "zeil"),))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04 something", "is no text but an archive or a spreadsheet"),
        (b"PAR1 cut short", "cut short"),
        (b"PAR1" + b"\x15" * 40 + b"\xff\xff\xff\x7fPAR1", "may be damaged"),
    ],
    ids=["empty", "zip", "short", "damaged"],
)
def test_damaged_parquet_is_an_error(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "d.parquet").write_bytes(data)
    with pytest.raises(InputError, match=message):
        streamed(tmp_path / "d.parquet")


def test_names_do_not_depend_on_where_files_are() -> None:
    files = [InputFile("/a/b/parts/x.parquet"), InputFile("/a/b/parts/more/x.parquet")]
    assert list(names_below(files).values()) == ["x.parquet", "more/x.parquet"]
    assert list(names_below([InputFile("s3://bucket/in/x.parquet")]).values()) == ["x.parquet"]


def test_a_file_without_rows_is_fine_beside_others(tmp_path: Path) -> None:
    pl.DataFrame(ROWS)[:0].write_parquet(tmp_path / "0.parquet")
    write(tmp_path / "1.parquet", ROWS)
    assert sum(map(len, streamed(tmp_path / "0.parquet", tmp_path / "1.parquet"))) == 23
    with pytest.raises(InputError, match=r"0\.parquet is empty: it has no segment"):
        streamed(tmp_path / "0.parquet")
