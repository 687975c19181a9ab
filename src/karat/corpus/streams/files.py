"""Which files a path names: one, or all that fit a pattern."""

from __future__ import annotations

import glob
import os

from karat.corpus.files import InputFile
from karat.errors import InputError

_SIGNS = "*?["


def is_pattern(path: str) -> bool:
    """Whether a path stands for several files: it has signs of a pattern, and is no file as it stands."""
    return any(sign in path for sign in _SIGNS) and not os.path.lexists(path)


def files_of(path: str) -> list[InputFile]:
    """The files that a path or a pattern names, in the order of their names."""
    if not is_pattern(path):
        return [InputFile.of(path)]
    file = InputFile.of(path)
    names = _remote(file) if file.is_remote else sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - a pattern may be absolute
    names = [name for name in names if not os.path.isdir(name)]  # noqa: PTH112 - names may be those of an object store
    if not names:
        raise InputError(f"no file fits {path}: look for a slip in the name, and put the pattern in quotes")
    return [InputFile.of(name) for name in names]


def _remote(file: InputFile) -> list[str]:
    """What an object store has of a pattern; polars lists it."""
    from karat.corpus.streams.decoders import decoded

    request = {"path": file.given, "kind": "list"}
    (frame,) = decoded(request, file.name)
    return sorted(frame["path"].to_list())


def names_below(files: list[InputFile]) -> dict[InputFile, str]:
    """A name for each file that does not depend on where all of them are: its path below their common directory."""
    paths = {file: file.given if file.is_remote else os.path.abspath(file.given) for file in files}  # noqa: PTH100
    directories = [path.replace(os.sep, "/").split("/")[:-1] for path in paths.values()]
    common = 0
    while all(len(names) > common and names[common] == directories[0][common] for names in directories):
        common += 1
    return {file: "/".join(path.replace(os.sep, "/").split("/")[common:]) for file, path in paths.items()}
