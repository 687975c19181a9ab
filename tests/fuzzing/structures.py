"""Damage done inside the structure of good files: to values, keys, cells, lines, and to the files of a directory."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.fuzzing.mutations import NASTY, NUMBERS, mutated

Files = dict[str, bytes]
Tree = Mapping[str, bytes]

ODD_VALUES: tuple[Any, ...] = (
    "", " ", ".", "..", "/", "/dev/null/x", "~", "x" * 5000, "a\nb", "a\tb", "a\u202eb", "a\x00b", "\u00e9", "None",
    "-", "-1", 0, -1, 10**18, 1.5, True, False, [], {}, [[]], [""], ["ref.de", 1], {"": ""}, {"x": "a.de"}, {"x": 1},
    [{}], ["a.de"] * 300,
)  # fmt: skip
"""What may stand where a value of a document stood."""


def damaged_document(rng: random.Random, document: Any, words: tuple[str, ...]) -> Any:
    """A copy of nested tables and lists in which one to four values or keys are others; `words` fit the format."""
    damaged = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 2, 4))):
        places = list(_places(damaged))
        if places:
            _damage_place(rng, *rng.choice(places), words)
    return damaged


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys or positions."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


def _damage_place(rng: random.Random, container: Any, key: Any, words: tuple[str, ...]) -> None:
    way = rng.randrange(6)
    if way == 0:
        del container[key]
    elif way == 1 and isinstance(container, dict):
        container[rng.choice((*words, f"{key} ", str(key).upper(), "", "\u00e9"))] = container.pop(key)
    elif way == 2 and isinstance(container, list):
        container.insert(key, copy.deepcopy(rng.choice(container)))
    elif way == 3:
        container[key] = rng.choice(([container[key]], {"x": container[key]}, [container[key]] * 2))
    elif way == 4:
        container[key] = rng.choice(words)
    else:
        container[key] = copy.deepcopy(rng.choice(ODD_VALUES))


def as_toml(document: Mapping[str, Any]) -> bytes:
    """A document in TOML; lists of tables have headings of their own."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            for table in value:
                lines += [f"[[{json.dumps(key)}]]", *(_pair(name, one) for name, one in table.items())]
        else:
            lines.insert(0, _pair(key, value))
    return "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")


def _pair(key: str, value: Any) -> str:
    return f"{json.dumps(key)} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(_pair(key, one) for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return json.dumps(value)


def damaged_cells(rng: random.Random, data: bytes, separator: bytes = b"\t") -> bytes:
    """Lines and cells that are lost, repeated, moved and filled with something else; the rest stays a table."""
    rows = [line.split(separator) for line in data.removesuffix(b"\n").split(b"\n")]
    for _ in range(rng.choice((1, 1, 2, 4))):
        row = rng.randrange(len(rows))
        cell = rng.randrange(len(rows[row])) if rows[row] else 0
        other = rng.choice(rows)
        way = rng.randrange(8)
        if way == 0 and len(rows) > 1:
            del rows[row]
        elif way == 1:
            rows.insert(rng.randrange(len(rows) + 1), list(rows[row]))
        elif way == 2:
            rows[row], rows[rows.index(other)] = other, rows[row]
        elif way == 3:
            rows[row].insert(cell, rng.choice(NASTY))
        elif way == 4:
            del rows[row][cell : cell + 1]
        elif way == 5 and other:
            rows[row][cell : cell + 1] = [rng.choice(other)]
        else:
            rows[row][cell : cell + 1] = [rng.choice(NUMBERS)]
    return b"\n".join(separator.join(row) for row in rows) + rng.choice((b"\n", b"\n", b""))


def damaged_tree(rng: random.Random, tree: Tree) -> Files:
    """Files of which one to three have other contents or another name, are lost, or stand there twice."""
    files = dict(tree)
    for _ in range(rng.choice((1, 1, 2, 3))):
        if not files:
            break
        rng.choice(WAYS)(rng, files)
    return files


def _damage_bytes(rng: random.Random, files: Files) -> None:
    name = rng.choice(sorted(files))
    files[name] = mutated(rng, [files[name]])


def _damage_cells(rng: random.Random, files: Files) -> None:
    name = rng.choice(sorted(files))
    files[name] = damaged_cells(rng, files[name])


def _lose_file(rng: random.Random, files: Files) -> None:
    del files[rng.choice(sorted(files))]


def _swap_contents(rng: random.Random, files: Files) -> None:
    first, second = rng.choice(sorted(files)), rng.choice(sorted(files))
    files[first], files[second] = files[second], files[first]


def _rename_file(rng: random.Random, files: Files) -> None:
    name = rng.choice(sorted(files))
    files[_other_name(rng, name, files)] = files.pop(name)


def _repeat_file(rng: random.Random, files: Files) -> None:
    name = rng.choice(sorted(files))
    files[_other_name(rng, name, files)] = files[name]


def _other_name(rng: random.Random, name: str, files: Files) -> str:
    """The name with one of its parts, between dots and hyphens, in place of another, or with an odd one."""
    folder, _, plain = name.rpartition("/")
    parts = plain.split(".")
    place = rng.randrange(len(parts))
    pool = [part for one in sorted(files) for part in one.rpartition("/")[2].split(".")]
    parts[place] = rng.choice((*pool, "", "x" * 60, "a b", "-", "\u00e9", "refB", "chrF-all", "src"))
    return f"{folder}/{'.'.join(parts) or 'x'}".removeprefix("/")


Way = Callable[[random.Random, Files], None]
WAYS: tuple[Way, ...] = (
    _damage_bytes, _damage_bytes, _damage_cells, _damage_cells, _damage_cells, _lose_file, _swap_contents, _rename_file,
    _repeat_file,
)  # fmt: skip
