"""Where resources lie, and what identifies their content."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from karat.errors import InputError

METEOR = "KARAT_METEOR"
MYTHES = "KARAT_MYTHES"
WORDNET = "KARAT_WORDNET"


def place(variable: str, default: str) -> Path:
    """The path that an environment variable names, else the usual one."""
    return Path(os.environ.get(variable) or default).expanduser()


def meteor_directory() -> Path | None:
    """Where METEOR 1.5 lies: as `KARAT_METEOR` says, else inside the package pycocoevalcap; None if nowhere."""
    if os.environ.get(METEOR):
        return place(METEOR, "")
    package = find_spec("pycocoevalcap")
    for location in (package.submodule_search_locations or ()) if package else ():
        if (Path(location) / "meteor").is_dir():
            return Path(location) / "meteor"
    return None


def meteor_jar() -> Path | None:
    """METEOR's jar, which holds its word lists; None where it is not installed."""
    directory = meteor_directory()
    if directory is None or directory.is_file():
        return directory
    return next(iter(sorted(directory.glob("meteor-*.jar"))), None)


def existing(path: Path, what: str) -> Path:
    """A path that the user gave; refused if nothing is there."""
    if not path.exists():
        raise InputError(f"there is no {what} at {path}")
    return path


def existing_file(path: Path, what: str) -> Path:
    """The same, refused if it is a directory."""
    if existing(path, what).is_dir():
        raise InputError(f"{path} is a directory, not a {what}: name the file")
    return path


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """What goes wrong in reading a file, in words that name it."""
    try:
        yield
    except UnicodeDecodeError as error:
        problem = f"byte 0x{error.object[error.start]:02X} is not valid {error.encoding}"
        raise InputError(f"{path} cannot be read: {problem}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def content_hash(*paths: Path) -> str:
    """A short hash of what the files hold, computed once for as long as they do not change."""
    return _content_hash(tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in paths))


@lru_cache(maxsize=64)
def _content_hash(files: tuple[tuple[Path, int, int], ...]) -> str:
    hasher = hashlib.blake2b(digest_size=4)
    for path, _, _ in files:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                hasher.update(block)
    return hasher.hexdigest()
