"""Compiled resources kept on disk: made once, never trusted, and never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from karat.resources import compiled as module
from karat.resources.compiled import ImageKind, cache_directory, compiled

KIND = ImageKind("squares", 3)
IMAGE = np.arange(5000, dtype=np.uint64) ** 2
HEADER = module._HEADER.size


class Maker:
    """Makes an image out of a file, and counts how often it had to."""

    def __init__(self, directory: Path) -> None:
        self.source = directory / "source"
        self.source.write_bytes(b"five thousand squares")
        self.calls = 0

    def image(self, kind: ImageKind = KIND) -> np.ndarray:
        return compiled(self.source, kind, self._make)

    def _make(self) -> np.ndarray:
        self.calls += 1
        return IMAGE.copy()


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path / "cache"))
    return Maker(tmp_path)


def kept_file() -> Path:
    (path,) = cache_directory().iterdir()
    return path


def test_an_image_is_made_once_and_then_read_from_disk(maker: Maker) -> None:
    for _ in range(3):
        assert np.array_equal(maker.image(), IMAGE)
    assert maker.calls == 1
    assert not maker.image().flags.writeable
    assert kept_file().suffix == ".bin"


def test_another_source_or_layout_has_an_image_of_its_own(maker: Maker) -> None:
    maker.image()
    maker.image(ImageKind("squares", 4))
    assert maker.calls == 2
    stat = maker.source.stat()
    maker.source.write_bytes(b"five thousand Squares")
    os.utime(maker.source, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # what changed is the content alone
    maker.image()
    assert maker.calls == 3
    assert len(list(cache_directory().iterdir())) == 3


def flipped(place: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        *(flipped(place) for place in (0, 8, 12, 16, 47, 48, 79, 80, HEADER, HEADER + 8 * 2500, -1)),
        *(lambda data, size=size: data[:size] for size in (0, 1, HEADER - 1, HEADER, HEADER + 8, -8, -1)),
        lambda data: data + bytes(8),
        lambda data: data + b"x",
    ],
    ids=[
        *(
            "magic",
            "byte-order",
            "layout",
            "source",
            "source-end",
            "hash",
            "hash-end",
            "size",
            "first",
            "middle",
            "last",
        ),
        *("empty", "one-byte", "half-header", "header", "one-number", "one-number-less", "one-byte-less"),
        *("one-number-more", "one-byte-more"),
    ],
)
def test_a_damaged_file_is_made_anew(maker: Maker, damage: Callable[[bytes], bytes]) -> None:
    maker.image()
    path = kept_file()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert np.array_equal(maker.image(), IMAGE)
    assert (maker.calls, path.read_bytes() == whole) == (2, True)


@pytest.mark.parametrize("where", ["file", "file/below"])
def test_where_nothing_can_be_kept_the_image_is_made_each_time(
    maker: Maker, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(module, "cache_directory", lambda: tmp_path / where)
    for calls in (1, 2):
        assert np.array_equal(maker.image(), IMAGE)
        assert maker.calls == calls


def test_a_directory_in_the_place_of_the_file_is_left_alone(maker: Maker) -> None:
    maker.image()
    path = kept_file()
    path.unlink()
    path.mkdir()
    assert np.array_equal(maker.image(), IMAGE)
    assert path.is_dir()
    assert [one.name for one in cache_directory().iterdir()] == [path.name]


def test_what_was_abandoned_is_removed_and_what_is_being_written_is_not(maker: Maker) -> None:
    cache_directory().mkdir()
    old, new = (cache_directory() / name for name in ("old.part", "new.part"))
    old.touch()
    new.touch()
    os.utime(old, (0, time.time() - 2 * 86400))
    maker.image()
    assert (old.exists(), new.exists()) == (False, True)


PROCESS = """
import sys
from pathlib import Path
import numpy as np
from karat.resources.compiled import ImageKind, compiled

print("ready", flush=True)
sys.stdin.readline()
image = compiled(Path(sys.argv[1]), ImageKind("squares", 3), lambda: np.arange(5000, dtype=np.uint64) ** 2)
print(int(image.sum()), flush=True)
"""


def test_several_processes_may_make_it_at_once(maker: Maker) -> None:
    command = [sys.executable, "-c", PROCESS, str(maker.source)]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [int(process.communicate()[0]) for process in processes] == [int(IMAGE.sum())] * 4
    assert np.array_equal(maker.image(), IMAGE)
    assert maker.calls == 0
    assert kept_file().suffix == ".bin"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "home/.cache/karat"),
        ("linux", {"XDG_CACHE_HOME": "/there"}, "/there/karat"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "home/.cache/karat"),
        ("darwin", {"XDG_CACHE_HOME": "/there"}, "home/Library/Caches/karat"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/karat/Cache"),
        ("win32", {}, "home/AppData/Local/karat/Cache"),
        ("linux", {"XDG_CACHE_HOME": "/there", "KARAT_CACHE": "/here"}, "/here"),
    ],
)
def test_the_directory_follows_the_platform_and_the_environment(
    platform: str, variables: dict[str, str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "KARAT_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": str(tmp_path / "home"), **variables}.items():
        monkeypatch.setenv(name, value)
    assert cache_directory() == tmp_path / expected
