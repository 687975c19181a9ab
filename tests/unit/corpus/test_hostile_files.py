"""Files that are damaged, endless or made to do harm: refused in one line, soon, and in little memory."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from karat.corpus import files as files_module
from karat.corpus import linefile as linefile_module
from karat.corpus import load_corpus, read_corpus, read_manifest
from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.corpus.ratings import read_ratings
from karat.corpus.xmltree import one_line
from karat.errors import InputError

COMPRESS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def seconds(read: Callable[[], object]) -> float:
    """Seconds of this process that reading takes, whether it is refused or not."""
    start = time.process_time()
    with suppress(InputError):
        read()
    return time.process_time() - start


def bomb(suffix: str) -> bytes:
    """Some kilobytes that unpack to 512 MiB."""
    zeros = b"0\n" * (8 << 20)
    if suffix == ".gz":
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        return b"".join(packer.compress(zeros) for _ in range(32)) + packer.flush()
    if suffix == ".zst":
        import zstandard

        frames = zstandard.ZstdCompressor().compressobj()
        return b"".join(frames.compress(zeros) for _ in range(32)) + frames.flush()
    return COMPRESS[suffix](zeros) * 32


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_what_unpacks_without_end_is_refused_before_memory_is_gone(suffix: str, tmp_path: Path) -> None:
    if suffix == ".zst":
        pytest.importorskip("zstandard")
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(bomb(suffix))
    unpacked = 0
    with pytest.raises(InputError, match=r"a\.txt\.\w+ unpacks to more than 200 times its size"):
        for piece in InputFile.of(path).chunks():
            assert len(piece) <= 128 << 20
            unpacked += len(piece)
    assert unpacked < 400 << 20


@pytest.mark.parametrize("suffix", COMPRESS)
def test_what_follows_compressed_data_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS[suffix](b"text\n") + b"and more")
    with pytest.raises(InputError, match=r"or is damaged \(other data follow its end\)"):
        InputFile.of(path).bytes()


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_zeros_may_follow(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS[suffix](b"text\n") + bytes(4096) + COMPRESS[suffix](b"more\n") + bytes(8))
    assert InputFile.of(path).bytes() == b"text\nmore\n"


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_data_on_standard_input(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = COMPRESS[suffix]("Größe\n".encode() * 5)
    for name in ("-", "/dev/stdin"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert LineFile(InputFile(name)).rest().to_list() == ["Größe"] * 5


def test_compressed_data_from_process_substitution(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    descriptor = os.open(path, os.O_RDONLY)
    try:
        assert LineFile(InputFile(f"/dev/fd/{descriptor}")).rest().to_list() == ["one", "two"]
    finally:
        os.close(descriptor)


def test_text_that_only_begins_like_a_compressed_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"BZh, said the bee\n")))
    assert LineFile(InputFile("-")).rest().to_list() == ["BZh, said the bee"]


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    def endless(_self: InputFile, size: int = 1 << 20) -> Iterator[bytes]:
        nonlocal read
        yield b"good\n"
        while True:
            read += size
            yield b"x" * size

    monkeypatch.setattr(InputFile, "chunks", endless)
    for read_on in (LineFile.rest, lambda lines: LineFile.take(lines, 10), LineFile.count_rest):
        read = 0
        with pytest.raises(InputError, match=r"endless\.txt, line 2: the line is longer than 16 MiB"):
            read_on(LineFile(InputFile("endless.txt")))
        assert read < 20 << 20


def test_long_lines_are_counted_from_their_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(linefile_module, "LONGEST_LINE", 10)
    monkeypatch.setattr(linefile_module, "CHUNK", 4)
    monkeypatch.setattr(linefile_module, "_START", 4)
    path = tmp_path / "a.txt"
    path.write_bytes(b"1234567890\n" * 3)
    assert len(LineFile(InputFile.of(path)).rest()) == 3
    for suffix, text in {".txt": b"1234567890\n12345678901\n", ".jsonl": b'{}\n{"source": "a"}\n'}.items():
        path = tmp_path / f"long{suffix}"
        path.write_bytes(text)
        with pytest.raises(InputError, match=r"long\.\w+, line \d: the line is longer"):
            load_corpus(path, [("a", path)])


def test_what_is_too_much_to_be_held_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files_module, "LONGEST_WHOLE", 1 << 21)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n" * (3 << 20))
    with pytest.raises(InputError, match="too much to be held at once"):
        read_corpus(path)


@pytest.mark.parametrize(
    ("suffix", "make"),
    [
        (".sgm", lambda size: "<refset><doc>" + "<seg " * size),
        (".sgm", lambda size: "<refset><doc><" + " " * size),
        (".sgm", lambda size: f"<refset><doc><seg {'a' * size}>x</seg></doc></refset>"),
        (".sgm", lambda size: f"<refset><doc><seg>x{' ' * size}y</seg></doc></refset>"),
        (".csv", lambda size: ",".join(f"c{i}" for i in range(size // 40)) + ",reference\n"),
        (".xlf", lambda size: f"<xliff><file><trans-unit><source>x{' ' * size}y</source></trans-unit></file></xliff>"),
        (".json", lambda size: "[{" + ",".join(f'"n{i}": 1' for i in range(size // 10)) + ', "n0": 2}]'),
    ],
)
def test_reading_takes_linear_time(suffix: str, make: Callable[[int], str], tmp_path: Path) -> None:
    times = []
    for size in (50_000, 400_000):
        path = tmp_path / f"{size}{suffix}"
        path.write_text(make(size))
        times.append(min(seconds(lambda path=path: read_corpus(path)) for _ in range(2)))
    assert times[1] < 24 * times[0] + 0.2, "quadratic time would be 64-fold"


@pytest.mark.parametrize(
    "line",
    [lambda size: f'name = "{"x" * size}"', lambda size: "x" * size, lambda size: '"' + '\\"' * size + "\\"],
    ids=["text", "key", "text without end"],
)
def test_a_manifest_takes_linear_time(line: Callable[[int], str], tmp_path: Path) -> None:
    times = []
    for size in (5_000, 40_000):
        path = tmp_path / f"{size}.toml"
        path.write_text(f"[[testset]]\n{line(size)}\n")
        times.append(min(seconds(lambda path=path: read_manifest(path)) for _ in range(2)))
    assert times[1] < 24 * times[0] + 0.2, "quadratic time would be 64-fold"


def test_dots_in_paths_and_comments_of_a_manifest_are_no_depth(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    up = "../" * 12
    path.write_text(f'# {"." * 30}\n[[testset]]\nname = "a"\nreferences = ["{up}a"]\nsystems = {{ x = \'{up}b\' }}\n')
    (one,) = read_manifest(path)
    assert one.references == (tmp_path / f"{up}a",)


def test_white_space_with_line_ends_is_one_space() -> None:
    assert one_line(" \n a  b \r\n\t c\n\n\nd \n") == "a  b c d"


CRASHING_PARQUET = (
    "eNqdlEtoE0EYx2c2z0oONTjDLiwyB7ukKk26tU1SUnHaVFtNYxKKmuMmu9tWmm7Jbl+eRPDquSfxUEVBelIPQi96UooHTz2HehW8V3BmskkjFI"
    "sdws73/M9vZnZTopVhFEQ3UKWAwggAkHif/E0IhCDCHIMsOmuuFWPm5zek9fg10Uiudh0yv44AktHlqyiA+llnWB0DiVhvkRzxuzuiMQMAiTlx"
    "KIUuzUoAxZRREO5X5IDbrKMYjuOvEP+EmqdF/yXGaHOo2Et78RcAUeZYSytkxlhz+zjuB3K49+LHyz3OanZY48esfd0KGZqnIgablk0F4zuID6"
    "C2H9AOpRNkGJyO8r1wypc2nGm4Ai7I7M1PT7c4l3UCV5An5Win/FSyc+6W61mNcTYJvl2Iv0PtKKQ9D50op5yXlO5pKvJfp4yAgv0KaCry8d56"
    "El0pdihc20+p2ENPILO4uR9Aq755FEIeN5GkFGaCTcfxUJjBD0ji1gdAQeVJ7osj7g307MwP47iiKjmtJalnfHfwsz6EcSuC8kDbCan/fb14h/"
    "e/iiIdaN8i6pkvAX/kOgdRNAbw2yCOa1G8HbrAD0yO0Url7v1xt75oNQx5W0rykVmgbEzzR2ad+Ztl3xehO5S6dErMZXqlxPIbGzw+S2mnb45N"
    "k8Ip8gfl/VNVLn2Lu5PUr2ejIrS7+SneNVMcrY9Ulmvzq4+sB0xrbp5DVbtQ7XUmb/qdfl6k6o17jbKQzLtcryCkRVW1ux5bf3qBSfG53ObI+1"
    "JJsZ8yT4lQfeT2Q0onJoBcLDnLRtMlidUtb9FZGSTrVtNdclaIPjQ8lCKJ2trSsknSdjal18wR2zb1tG1ndHP4mp7OGKmsoWdHbVu304ZlZvVB"
    "JcdesfYP7LJPrcT+Gf8AUAk25Q=="
)
"""A file with damaged pages, at which polars 1 asks for 2^61 bytes and aborts its process."""


def test_parquet_that_polars_cannot_stand(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(zlib.decompress(base64.b64decode(CRASHING_PARQUET)))
    for read in (read_corpus, read_ratings):
        with pytest.raises(InputError, match="cannot be read as Parquet, so it may be damaged"):
            read(path)


def test_parquet_that_is_cut_short_or_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"reference": ["a"] * 50, "system:x": ["b"] * 50}).write_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(InputError, match="is a Parquet file that is cut short"):
        read_corpus(path)
    path.write_bytes(whole[:4] + bytes(len(whole) - 8) + whole[-4:])
    with pytest.raises(InputError, match=r"so it may be damaged: polars\.exceptions\.\w+"):
        read_corpus(path)


def test_a_repeated_segment_is_refused_in_every_reader(tmp_path: Path) -> None:
    unit = '<trans-unit id="1"><source>a</source><target>b</target></trans-unit>'
    seg = '<seg id="1">x</seg>'
    texts = {
        "a.tsv": "segment\treference\tsystem:s\n1\ta\tb\n2\ta\tb\n1\ta\tb\n",
        "a.csv": "id,reference,system:s\n1,a,b\n1,a,b\n",
        "a.jsonl": '{"segment": 1, "reference": "a"}\n{"segment": "1", "reference": "b"}\n',
        "a.json": '[{"segment": 1, "reference": "a"}, {"segment": 1, "reference": "b"}]',
        "a.xlf": f"<xliff><file original='d'><body>{unit}{unit}</body></file></xliff>",
        "a.xml": f'<dataset><doc id="d"><ref lang="de">{seg}{seg}</ref></doc></dataset>',
        "a.sgm": f'<refset><doc docid="d">{seg}{seg}</doc></refset>',
        "a.tmx": '<tmx><header srclang="en"/>' + '<tu tuid="1"><tuv lang="en"><seg>a</seg></tuv></tu>' * 2
        + '<tu><tuv lang="de"><seg>b</seg></tuv></tu></tmx>',
    }  # fmt: skip
    pl.DataFrame({"segment": [1, 1], "reference": ["a", "b"]}).write_parquet(tmp_path / "a.parquet")
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    for name in [*texts, "a.parquet"]:
        with pytest.raises(InputError, match=r"segment 1 .*twice"):
            read_corpus(tmp_path / name)


def test_a_segment_after_the_end_of_its_set(tmp_path: Path) -> None:
    (tmp_path / "a.sgm").write_text("<refset><doc>\n</refset><seg>x</seg></doc>")
    with pytest.raises(InputError, match="line 2: <seg> stands outside <doc>"):
        read_corpus(tmp_path / "a.sgm")


def test_segments_may_have_the_same_name_in_two_documents(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("document\tsegment\treference\tsystem:s\nd\t1\ta\tb\ne\t1\ta\tb\n")
    assert len(read_corpus(tmp_path / "a.tsv")) == 2


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.jsonl",
            '{"segment": ' + "9" * 5000 + ', "reference": "x"}\n',
            "line 1: there is a number with 5,000",
        ),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.jsonl", '{"a":' * 100_000, "line 1: the JSON is nested too deeply"),
        ("a.jsonl", '{"reference": "\\ud800"}\n', "line 1: a lone surrogate"),
    ],
)
def test_json_that_python_trips_over(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_corpus(tmp_path / name)


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 5000])
def test_toml_that_python_trips_over(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(InputError, match=r"a\.toml is not a manifest"):
        read_manifest(tmp_path / "a.toml")


RANKING = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("system2rank", "system2Rnk", r"line 1: there is system2Id, but no system2rank\. Did you mean .*system2Rnk"),
        ("judgeID", "judge", r"line 1: there is no column judgeid\. Did you mean judge\?"),
        ("segmentId", "segment", r"line 1: there is no column segmentid\. Did you mean segment\?"),
        ("trglang", "tgtlang", r"line 1: there is srclang, but no trglang\. Did you mean tgtlang"),
        ("srcIndex", "JUDGEID", "line 1: two columns are called judgeid, capital letters aside"),
    ],
)
def test_misspelt_headers_of_rankings(right: str, wrong: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{RANKING}cs,en,1,1,j,a,1,b,2,5\n".replace(right, wrong))
    with pytest.raises(InputError, match=message):
        read_ratings(path)


def test_capital_letters_in_headers_of_rankings(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{RANKING.upper()}cs,en,1,1,j,a,1,b,2,5\n")
    assert read_ratings(path).frame.select("system", "other_system", "value", "other_value").row(0) == ("a", "b", 1, 2)


def test_a_header_that_a_named_format_cannot_have(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("src,pos,neg\na,b,c\n")
    with pytest.raises(InputError, match=r"cannot be read as comet-pairs .* a column too few or too many"):
        read_ratings(path, format="comet-pairs")


@pytest.mark.parametrize("end", ["1e20", "-1e12"])
def test_times_that_no_clock_shows(end: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"u1,a,7,TGT,eng,deu,50,d1#a,False,-1e13,{end}\n")
    with pytest.raises(InputError, match=r"line 1, time: .* is not a time in seconds since 1970"):
        read_ratings(path)


def test_braces_in_names_are_quoted_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("rater\tsystem\tsegment\tprotocol\tvalue\nr\ta\t1\tda}\t10\n")
    with pytest.raises(InputError, match=r"there is no protocol 'da\}'"):
        read_ratings(path)


def test_rankings_without_systems(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("srclang,trglang,segmentId,judgeID,system,rankingID\ncs,en,1,j,a,5\n")
    with pytest.raises(InputError, match=r"line 1: there is no column system1Id\. Did you mean system"):
        read_ratings(path, format="wmt-ranking")


def test_messages_are_one_line() -> None:
    assert str(InputError("a\nb\u2028\x1b[2J")) == "a\\nb\\u2028\\x1b[2J"
    assert len(str(InputError("x" * 100_000))) < 3100


def parquet_bomb(path: Path, frame: pl.DataFrame) -> str:
    frame.write_parquet(path, compression="zstd", compression_level=19)
    assert path.stat().st_size < 1 << 18
    return str(path)


@pytest.mark.long
@pytest.mark.parametrize("column", ["text", "list", "struct"])
def test_a_table_that_says_one_text_without_end_is_refused(column: str, tmp_path: Path) -> None:
    texts = pl.select(reference=pl.repeat("x" * 2000, 200_000))
    forms = {
        "text": texts,
        "list": texts.select(pl.concat_list("reference").alias("references")),
        "struct": texts.select(pl.struct("reference").alias("references")),
    }
    path = parquet_bomb(tmp_path / "a.parquet", forms[column])
    for read in (read_corpus, read_ratings):
        with pytest.raises(InputError, match="that unpacks to more than 64 MiB"):
            read(path)


def test_a_table_that_takes_too_much_memory_is_refused(tmp_path: Path) -> None:
    frame = pl.select(reference=pl.repeat(1, 100_000_000, dtype=pl.Int64))
    path = parquet_bomb(tmp_path / "a.parquet", frame)
    with pytest.raises(InputError, match=r"a\.parquet .*(unpacks to|takes too much memory)"):
        read_corpus(path)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_whole_numbers_beyond_floats_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    row = f'{{"reference": "a", "hypothesis": "b", "segment": {"9" * 400}}}'
    path.write_text(f"[{row}]" if name == "a.json" else f"{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match="a number with 400 digits"):
        read_corpus(str(path))
