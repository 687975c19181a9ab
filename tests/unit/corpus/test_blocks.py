from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.corpus import is_streamable, load_corpus, stream_blocks
from karat.errors import InputError


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    reference, system, source = tmp_path / "ref.txt", tmp_path / "sys.txt.gz", tmp_path / "src.txt"
    reference.write_text("".join(f"r{i}\n" for i in range(25)))
    system.write_bytes(gzip.compress("".join(f"s{i}\r\n" for i in range(25)).encode()))
    source.write_text("\n".join(f"q{i}" for i in range(25)))
    return reference, system, source


@pytest.mark.parametrize("size", [1, 7, 24, 25, 26, 1000])
def test_blocks_are_the_corpus_in_pieces(files: tuple[Path, Path, Path], size: int) -> None:
    reference, system, source = files
    whole = load_corpus([reference], [("s", system)], source)
    blocks = list(stream_blocks([reference], [("s", system)], source, block_segments=size))
    assert [text for block in blocks for text in block.systems["s"].to_list()] == whole.systems["s"].to_list()
    for block in blocks:
        start = block.first_segment - 1
        assert block.content_hash == whole.slice(start, start + len(block)).content_hash
    assert sum(map(len, blocks)) == 25
    assert max(map(len, blocks)) <= size


@settings(max_examples=30)
@given(
    lines=st.lists(
        st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n\r"), max_size=5), min_size=1
    ),
    size=st.integers(1, 5),
    chunk=st.integers(1, 9),
)
def test_any_text_in_any_chunks(
    lines: list[str], size: int, chunk: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("blocks") / "a.txt"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.corpus.linefile.CHUNK", chunk)
        patch.setattr("karat.corpus.linefile._START", 4)
        blocks = list(stream_blocks([path], [], block_segments=size))
    assert [text for block in blocks for text in block.references["a"].to_list()] == lines


def test_a_late_mismatch_is_found_with_the_same_words(files: tuple[Path, Path, Path]) -> None:
    reference, system, _ = files
    system.write_bytes(gzip.compress(b"x\n" * 22))
    with pytest.raises(InputError) as whole:
        load_corpus([reference], [("s", system)])
    blocks = stream_blocks([reference], [("s", system)], block_segments=10)
    assert [len(next(blocks)), len(next(blocks))] == [10, 10]
    with pytest.raises(InputError, match=r"sys\.txt\.gz ends after line 22, but .*ref\.txt has 25 lines") as late:
        next(blocks)
    assert str(late.value) == str(whole.value)


def test_a_mismatch_at_the_end_of_a_block(files: tuple[Path, Path, Path]) -> None:
    reference, system, _ = files
    system.write_bytes(gzip.compress(b"x\n" * 26))
    with pytest.raises(InputError, match=r"ref\.txt ends after line 25, but .*sys\.txt\.gz has 26 lines"):
        list(stream_blocks([reference], [("s", system)], block_segments=5))


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a\n" * 9 + b"\xff\n")
    (tmp_path / "empty.txt").write_bytes(b"")
    with pytest.raises(InputError, match=r"a\.txt, line 10: byte 0xFF at offset 18"):
        list(stream_blocks([tmp_path / "a.txt"], [], block_segments=4))
    with pytest.raises(InputError, match=r"empty\.txt is empty"):
        list(stream_blocks([tmp_path / "empty.txt"], []))
    with pytest.raises(InputError, match="at least one segment"):
        list(stream_blocks([tmp_path / "a.txt"], [], block_segments=0))
    with pytest.raises(InputError, match="no files"):
        list(stream_blocks([], []))


def test_what_can_be_streamed() -> None:
    assert is_streamable("a.de.gz")
    assert is_streamable("-")
    assert is_streamable("a.tsv", format="text")
    assert not is_streamable("a.jsonl")


def test_blocks_tell_which_part_ends_with_them(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("one line\n" * 10, encoding="utf-8")
    shares = [block.share_read for block in stream_blocks(path, [("a", path)], block_segments=4)]
    assert shares == [0.4, 0.8, 1.0]
    packed = tmp_path / "text.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert [block.share_read for block in stream_blocks(packed, [("a", packed)], block_segments=8)] == [None, None]
