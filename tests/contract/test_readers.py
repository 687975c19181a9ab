"""Laws that every registered reader obeys: what it holds is read exactly, and what it cannot read is refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.readers import reader_classes, reader_for
from karat.errors import InputError

Row = tuple[str, str, str]
"""Source, reference and hypothesis of one segment."""


@dataclass(frozen=True)
class Sample:
    """How the contract writes a format: `make` gives the bytes of some rows."""

    suffix: str
    make: Callable[[list[Row]], bytes]
    text: st.SearchStrategy[str]
    columns: str = "srh"
    is_text: bool = True


def _records(rows: list[Row]) -> list[dict[str, object]]:
    return [
        {"segment": str(i), "source": source, "references": {"A": reference}, "systems": {"sys": hypothesis}}
        for i, (source, reference, hypothesis) in enumerate(rows, 1)
    ]


def _csv(rows: list[Row]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("source", "reference:A", "system:sys"), *rows])
    return out.getvalue().encode()


def _parquet(rows: list[Row]) -> bytes:
    out = io.BytesIO()
    polars.DataFrame(rows, schema=["src", "refA", "system:sys"], orient="row").write_parquet(out)
    return out.getvalue()


def _wmt(rows: list[Row]) -> bytes:
    def column(tag: str, texts: list[str]) -> str:
        segments = "".join(f'<seg id="{i}">{escape(text)}</seg>\n' for i, text in enumerate(texts, 1))
        return f"<{tag}><p>\n{segments}</p></{tag.split()[0]}>\n"

    sources, references, hypotheses = (list(texts) for texts in zip(*rows, strict=True))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="t"><doc id="d">\n'
        + column('src lang="en"', sources)
        + column('ref lang="de" translator="A"', references)
        + column('hyp language="de" system="sys"', hypotheses)
        + "</doc></dataset>\n"
    ).encode()


def _sgm(rows: list[Row]) -> bytes:
    parts = []
    kinds = (("srcset", ""), ("refset", ' sysid="A"'), ("tstset", ' sysid="sys"'))
    for (tag, name), texts in zip(kinds, zip(*rows, strict=True), strict=True):
        segments = "".join(f'<seg id="{i}"> {escape(text)} </seg>\n' for i, text in enumerate(texts, 1))
        parts.append(f'<{tag} setid="t" srclang="en" trglang="de"><doc docid="d"{name}>\n{segments}</doc></{tag}>\n')
    return "".join(parts).encode()


def _xliff(rows: list[Row]) -> bytes:
    units = "".join(
        f'<trans-unit id="{i}"><source>{escape(source)}</source><target>{escape(target)}</target></trans-unit>\n'
        for i, (source, target, _) in enumerate(rows, 1)
    )
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        f'<file original="d" source-language="en" target-language="de"><body>\n{units}</body></file></xliff>\n'
    ).encode()


def _tmx(rows: list[Row]) -> bytes:
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{escape(source)}</seg></tuv>'
        f'<tuv xml:lang="de"><seg>{escape(target)}</seg></tuv></tu>\n'
        for source, target, _ in rows
    )
    return f'<tmx version="1.4"><header srclang="en"/><body>\n{units}</body></tmx>\n'.encode()


ANY = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
LINE = ANY.map(lambda text: text.replace("\n", " ").rstrip("\r"))
CELL = LINE.map(lambda text: text.replace("\t", " ") or "x").filter(lambda text: not text.endswith("\r"))
XML = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=20).map(
    lambda text: text.strip(" ")
)

SAMPLES = {
    "text": Sample(".txt", lambda rows: "".join(f"{row[0]}\n" for row in rows).encode(), LINE, "t"),
    "tsv": Sample(
        ".tsv",
        lambda rows: "".join(
            "\t".join(row) + "\n" for row in [("source", "reference:A", "system:sys"), *rows]
        ).encode(),
        CELL,
    ),
    "csv": Sample(".csv", _csv, ANY.map(lambda text: text or "x")),
    "jsonl": Sample(".jsonl", lambda rows: "".join(json.dumps(r) + "\n" for r in _records(rows)).encode(), ANY),
    "json": Sample(".json", lambda rows: json.dumps(_records(rows), indent=1, ensure_ascii=False).encode(), ANY),
    "parquet": Sample(".parquet", _parquet, ANY, is_text=False),
    "wmt": Sample(".xml", _wmt, XML),
    "sgm": Sample(".sgm", _sgm, XML),
    "xliff": Sample(".xlf", _xliff, XML, "st"),
    "tmx": Sample(".tmx", _tmx, XML, "st"),
}
ROWS: list[Row] = [("a house", "ein Haus", "das Haus"), ("é \u2028 & <b>", "ö 你好", "x\u0085y"), ("c", "d", "e")]


def test_every_reader_is_under_contract() -> None:
    directories = {name for name, reader in reader_classes().items() if reader.directory}
    assert set(SAMPLES) | directories == set(reader_classes())


def read(name: str, data: bytes, directory: Path, compressed: bool = False) -> Contents:
    path = directory / f"file{SAMPLES[name].suffix}{'.gz' if compressed else ''}"
    path.write_bytes(gzip.compress(data) if compressed else data)
    return reader_for(InputFile.of(path)).read(InputFile.of(path))


def check(contents: Contents, rows: list[Row], columns: str) -> None:
    sources, references, hypotheses = (list(texts) for texts in zip(*rows, strict=True))
    if "s" in columns:
        assert contents.source is not None
        assert contents.source.to_list() == sources
    if "r" in columns:
        assert [column.to_list() for column in contents.references.values()] == [references]
    if "h" in columns:
        assert {name: column.to_list() for name, column in contents.systems.items()} == {"sys": hypotheses}
    if "t" in columns:
        assert contents.text is not None
        assert contents.text.to_list() == (references if "s" in columns else sources)


@pytest.fixture(params=sorted(SAMPLES), scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=sorted(name for name, sample in SAMPLES.items() if sample.is_text))
def text_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("compressed", [False, True])
def test_reads_what_it_holds(name: str, compressed: bool, tmp_path: Path) -> None:
    check(read(name, SAMPLES[name].make(ROWS), tmp_path, compressed), ROWS, SAMPLES[name].columns)


@settings(max_examples=25)
@given(data=st.data())
def test_reads_any_text(name: str, data: st.DataObject) -> None:
    text = SAMPLES[name].text
    rows = data.draw(st.lists(st.tuples(text, text, text), min_size=1, max_size=4))
    with TemporaryDirectory() as directory:
        check(read(name, SAMPLES[name].make(rows), Path(directory)), rows, SAMPLES[name].columns)


def test_a_byte_order_mark_is_no_text(text_name: str, tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + SAMPLES[text_name].make(ROWS)
    check(read(text_name, data, tmp_path), ROWS, SAMPLES[text_name].columns)


def test_windows_line_ends(text_name: str, tmp_path: Path) -> None:
    data = SAMPLES[text_name].make(ROWS).replace(b"\n", b"\r\n")
    check(read(text_name, data, tmp_path), ROWS, SAMPLES[text_name].columns)


def test_an_empty_file_has_no_segment(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"file\.\w+ is empty"):
        read(name, b"", tmp_path).corpus()


def test_invalid_utf8_names_file_line_and_offset(text_name: str, tmp_path: Path) -> None:
    data = SAMPLES[text_name].make([("good", "good", "good"), ("MARK", "MARK", "MARK")])
    offset = data.index(b"MARK")
    line = data.count(b"\n", 0, offset) + 1
    with pytest.raises(InputError, match=rf"file\S+, line {line}: byte 0xE9 at offset {offset} is not valid UTF-8"):
        read(text_name, data.replace(b"MARK", b"\xe9ARK"), tmp_path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_named(text_name: str, encoding: str, tmp_path: Path) -> None:
    data = SAMPLES[text_name].make([("good old text", "good old text", "good old text")] * 5)
    with pytest.raises(InputError, match=r"is UTF-(16|32)"):
        read(text_name, data.decode().encode(encoding), tmp_path)


@pytest.mark.parametrize("garbage", [b"just a line\n", b"\n\n", b"{]", b"<a><b></a>", b"PAR1 no", b'"open'])
def test_what_is_not_of_the_format_is_refused(name: str, garbage: bytes, tmp_path: Path) -> None:
    if name == "text":  # any line is plain text
        assert len(read(name, garbage, tmp_path)) == len(garbage.decode().removesuffix("\n").split("\n"))
        return
    with pytest.raises(InputError, match="file"):
        read(name, garbage, tmp_path).corpus()


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_truncated_file_is_refused_or_short(name: str, part: float, tmp_path: Path) -> None:
    data = SAMPLES[name].make(ROWS * 3)
    try:
        contents = read(name, data[: int(len(data) * part)], tmp_path)
    except InputError as error:
        assert "file" in str(error)
    else:
        assert len(contents) < 9
