"""Damage done to a good file: bytes changed, lost, moved and repeated, and pieces that readers have tripped over."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

NASTY = (
    b"\0", b"\r", b"\n", b"\t", b",", b";", b'"', b"'", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9", b"\xed\xa0\x80",
    b"\xc2\x85", b"\xe2\x80\xa8", b"nan", b"-inf", b"1e999", b"-1", b"9" * 5000, b"0x1F", b"1_000", b"[" * 3000,
    b"{" * 50, b'{"a":' * 2000, b"]", b"}", b"null", b"true", b"\\ud800", b"\\u0000", b"<seg ", b"<seg id=1>",
    b"</seg>", b"<doc>", b"<!ENTITY a 'b'>", b"&a;", b"&#0;", b"&#xD800;", b"<a>" * 300, b"<", b">", b"&",
    b" " * 5000, b"a=" * 2000, b"x" * 20_000, b"\t" * 2000, b"::", b"=", b"|", b"#", b"PAR1", b"\x1f\x8b\x08\x00",
    b"BZh91AY&SY", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd",
)  # fmt: skip
"""What stands for nothing in some format, or for too much."""

NUMBERS = tuple(
    text.encode()
    for text in (
        "-1", "0", "-0", "0.0", "1e308", "-1e308", "1e999", "5e-324", "nan", "inf", "-inf", "9" * 25, "9" * 400,
        "9" * 5000, "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "1.5", "0x1F", "٣",
         "1_000", "true", "null", "", "[]", "{}", '"1"', "None",
    )
)  # fmt: skip
"""What may stand where a number stood."""
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_SEPARATOR = re.compile(rb"[\t,;\n\r:{}\[\]<>= ]")

Mutation = Callable[[random.Random, bytes], bytes]


def _part(rng: random.Random, data: bytes, longest: int = 64) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.randint(1, longest))


def _change(rng: random.Random, data: bytes) -> bytes:
    start, end = _part(rng, data, 1)
    return data[:start] + bytes([rng.randrange(256)]) + data[end:]


def _flip(rng: random.Random, data: bytes) -> bytes:
    start, end = _part(rng, data, 1)
    return data[:start] + bytes(byte ^ (1 << rng.randrange(8)) for byte in data[start:end]) + data[end:]


def _lose(rng: random.Random, data: bytes) -> bytes:
    start, end = _part(rng, data)
    return data[:start] + data[end:]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    start, end = _part(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 2, 100)) + data[end:]


def _move(rng: random.Random, data: bytes) -> bytes:
    start, end = _part(rng, data)
    rest, to = data[:start] + data[end:], rng.randrange(len(data) + 1)
    return rest[:to] + data[start:end] + rest[to:]


def _add_nasty(rng: random.Random, data: bytes) -> bytes:
    start, end = _part(rng, data, 8)
    return data[:start] + rng.choice(NASTY) + data[rng.choice((start, end)) :]


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _lose_line(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def _repeat_line(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return b"\n".join(lines)


def _renumber(rng: random.Random, data: bytes) -> bytes:
    """Another number, of those that columns cannot hold."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    start, end = rng.choice(found).span()
    return data[:start] + rng.choice(NUMBERS) + data[end:]


def _swap_cells(rng: random.Random, data: bytes) -> bytes:
    """What stands between two separators, in the place of what stands between two others."""
    places = [match.end() for match in _SEPARATOR.finditer(data)]
    if len(places) < 4:
        return data
    (start, end), (other, other_end) = (
        (places[number], places[number + 1] - 1) for number in rng.choices(range(len(places) - 1), k=2)
    )
    return data[:start] + data[other:other_end] + data[end:]


MUTATIONS: tuple[Mutation, ...] = (
    _change, _change, _flip, _flip, _lose, _repeat, _move, _add_nasty, _add_nasty, _renumber, _renumber,
    _swap_cells, _swap_cells, _cut, _lose_line, _repeat_line,
)  # fmt: skip


def mutated(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """One of the files with one to six damages, or the start of one with the end of another."""
    data = rng.choice(seeds)
    if rng.random() < 0.05:
        other = rng.choice(seeds)
        data = data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = rng.choice(MUTATIONS)(rng, data)
    return data
