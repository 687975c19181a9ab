"""What systems and references in files are called."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from karat.corpus.files import FilePath, InputFile
from karat.errors import InputError


def system_arguments(arguments: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The names and paths of systems given as ``path`` or ``name=path``.

    By itself, a path is named by its stem, or by the file's name where that names another one, too; one without a
    name of its own (process substitution) by its place. A path that exists as it stands is a path, whatever signs it
    contains.

    >>> system_arguments(["ours=out/run3.de", "out/online-a.de.gz", "/dev/fd/63"])
    (('ours', 'out/run3.de'), ('online-a', 'out/online-a.de.gz'), ('system3', '/dev/fd/63'))
    >>> system_arguments(["sys.opt0", "sys.opt1", "a/other.txt"])
    (('sys.opt0', 'sys.opt0'), ('sys.opt1', 'sys.opt1'), ('other', 'a/other.txt'))
    >>> system_arguments(["sys.opt0", "sys.opt0.txt"])
    (('sys.opt0', 'sys.opt0'), ('sys.opt0.txt', 'sys.opt0.txt'))
    """
    given = [_split_argument(argument) for argument in arguments]
    short = [name or _short_name(InputFile(path), number) for number, (name, path) in enumerate(given, 1)]
    long = [name or _long_name(InputFile(path), number) for number, (name, path) in enumerate(given, 1)]
    taken = Counter(name for both in zip(short, long, strict=True) for name in set(both))
    return tuple(
        (longer if max(taken[name], taken[longer]) > 1 and long.count(longer) == 1 else name, path)
        for name, longer, (_, path) in zip(short, long, given, strict=True)
    )


def _split_argument(argument: str) -> tuple[str, str]:
    """The name, if there is one, and the path."""
    name, equals, path = argument.partition("=")
    is_path = os.path.exists(argument)  # noqa: PTH110 - Path raises for a long name
    return (name, path) if equals and name and path and not is_path else ("", argument)


def _short_name(file: InputFile, number: int) -> str:
    return f"system{number}" if file.is_nameless and not file.is_stdin else file.stem


def _long_name(file: InputFile, number: int) -> str:
    return _short_name(file, number) if file.is_nameless else file.bare_name


def refuse_repeated_systems(systems: Sequence[tuple[str, InputFile]]) -> None:
    """Every system needs a name of its own."""
    seen: dict[str, InputFile] = {}
    for name, file in systems:
        if name in seen:
            raise InputError(
                f"two systems are named {name!r} ({seen[name].name} and {file.name}): name them, as in NAME=PATH"
            )
        seen[name] = file


def reference_names(files: Sequence[InputFile]) -> list[str]:
    """Short names that tell the files apart: their stems if these differ, else file names, else paths."""
    for names in ([f.stem for f in files], [f.path.name for f in files], [f.name for f in files]):
        if len(set(names)) == len(names):
            return names
    repeated = next(file.name for i, file in enumerate(files) if file in files[:i])
    raise InputError(f"the reference {repeated} is given twice")


def listed(paths: FilePath | Sequence[FilePath]) -> Sequence[FilePath]:
    """Paths as a list, also if there is only one."""
    return paths if isinstance(paths, list | tuple) else [paths]  # type: ignore[list-item]  # checked where it is opened
