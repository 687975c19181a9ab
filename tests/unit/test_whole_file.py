"""Files that appear when they are complete, whatever stands under their name."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from karat.errors import InputError, OutputError
from karat.whole_file import make_directory, whole_file, write_whole_file


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    target.write_bytes(b"old")
    target.chmod(0o640)
    write_whole_file(target, b"new")
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["result.json"]  # noqa: PTH208 - hidden files too


def test_a_new_file_has_the_permissions_that_the_user_gives_to_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole_file(tmp_path / "result.json", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "result.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "result.json"
    target.write_bytes(b"old")
    with pytest.raises(error), whole_file(target) as stream:
        stream.write(b"half")
        raise error
    assert target.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_nothing_is_seen_under_the_name_before_the_end(tmp_path: Path) -> None:
    with whole_file(tmp_path / "result.json") as stream:
        stream.write(b"half")
        assert not (tmp_path / "result.json").exists()


def test_a_link_stays_and_what_it_names_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "real.json").write_bytes(b"old")
    link = tmp_path / "link.json"
    link.symlink_to("there/real.json")
    write_whole_file(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "there" / "real.json").read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "there"]


def test_a_link_to_nothing_yet_makes_the_file_that_it_names(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to("real.json")
    write_whole_file(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real.json").read_bytes() == b"new"


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole_file(pipe, b"new")
    reader.join(timeout=10)
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


@pytest.mark.parametrize("linked", [False, True])
def test_a_device_is_written_to_and_stays(tmp_path: Path, linked: bool) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.open("wb").close()
    except OSError:
        pytest.skip("devices can be made by root alone")
    if linked:
        (tmp_path / "link").symlink_to(device)
    write_whole_file(tmp_path / "link" if linked else device, b"new")
    assert stat.S_ISCHR(device.lstat().st_mode)


def test_a_file_planted_under_a_name_that_could_be_guessed_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    (tmp_path / "result.json.partial").symlink_to(precious)
    write_whole_file(tmp_path / "result.json", b"new")
    assert precious.read_bytes() == b"precious"
    assert (tmp_path / "result.json").read_bytes() == b"new"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (".", "cannot write .: it is a directory"),
        ("inner", "cannot write inner: it is a directory"),
        ("new/", "cannot write new/: it is a directory"),
        ("", "without a name"),
        ("no/such/file", "cannot write no/such/file: No such file"),
        ("loop", "cannot write loop: Too many levels"),
        ("n" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_a_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("inner").mkdir()
    Path("loop").symlink_to("loop")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=message), whole_file(name):
        pass
    assert sorted(tmp_path.iterdir()) == before


def test_a_directory_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot write .*file"):
        make_directory(tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    link = tmp_path / "result.json"
    link.symlink_to("/dev/full")
    with pytest.raises(OutputError, match=r"cannot write .*result\.json: No space left"):
        write_whole_file(link, b"new")
