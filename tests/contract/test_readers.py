"""Laws that every registered reader obeys: what it holds is read exactly, and what it cannot read is refused."""

from __future__ import annotations

import gzip
import importlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.readers.base import Row, Sample
from tests.fuzzing.decoding import Decoder

from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.readers import reader_classes, reader_for
from karat.errors import InputError


def samples() -> dict[str, Sample]:
    """How each format is written, out of the modules beside this one."""
    names = sorted(path.stem for path in (Path(__file__).parent / "readers").glob("*.py") if path.stem != "base")
    modules = (importlib.import_module(f"tests.contract.readers.{name}") for name in names)
    return {name: sample for module in modules for name, sample in module.SAMPLES.items()}


SAMPLES = samples()
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
def test_reads_any_text(name: str, decoder: Decoder, data: st.DataObject) -> None:
    text = SAMPLES[name].text
    rows = data.draw(st.lists(st.tuples(text, text, text), min_size=1, max_size=4))
    with TemporaryDirectory() as directory:
        made = SAMPLES[name].make(rows)
        contents = decoder.reading(Path(directory), lambda place: read(name, made, place))
        check(contents, rows, SAMPLES[name].columns)


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
