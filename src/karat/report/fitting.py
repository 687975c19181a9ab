"""Which columns of a table stand side by side on a narrow terminal, and how wide each of them is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.quick_dataclasses import dataclass

GAP = 3
"""The signs between two columns."""


@dataclass(frozen=True)
class ColumnSize:
    """How wide a column is at its best, and at least: its longest word, or its longest number."""

    full: int
    least: int
    number: bool


@dataclass(frozen=True)
class Strip:
    """Columns that stand side by side, each with its width."""

    columns: tuple[int, ...]
    widths: tuple[int, ...]

    @property
    def width(self) -> int:
        """The width of all of them."""
        return _width(self.widths)


def fit(sizes: Sequence[ColumnSize], width: int) -> list[Strip]:
    """The columns from left to right, in as many strips as the width asks for.

    Text and headings are folded at spaces first; where that is not enough, what does not fit goes below, after the
    leading columns of text, which tell what a row is about and stand in every strip. No word or number is broken: a
    strip with one that is longer than the width is wider than it.
    """
    everything = tuple(range(len(sizes)))
    if _width([size.full for size in sizes]) <= width:
        return [Strip(everything, tuple(size.full for size in sizes))]
    keys = _keys(sizes, width)
    strips = list(_strips(sizes, keys, width))
    return [Strip(columns, tuple(_widened([sizes[i] for i in columns], width))) for columns in strips]


def _keys(sizes: Sequence[ColumnSize], width: int) -> tuple[int, ...]:
    """The leading columns of text, which tell what a row is about: two, and more as they leave half of the width."""
    keys = [0]
    for i in range(1, len(sizes) - 1):
        is_wide = _width([sizes[key].least for key in (*keys, i)]) > width / 2
        if sizes[i].number or (is_wide and len(keys) > 1):
            break
        keys.append(i)
    return tuple(keys)


def _strips(sizes: Sequence[ColumnSize], keys: tuple[int, ...], width: int) -> Iterator[tuple[int, ...]]:
    strip = list(keys)
    for i in range(len(keys), len(sizes)):
        if len(strip) > len(keys) and _width([sizes[column].least for column in (*strip, i)]) > width:
            yield tuple(strip)
            strip = list(keys)
        strip.append(i)
    yield tuple(strip)


def _widened(sizes: Sequence[ColumnSize], width: int) -> list[int]:
    """The least widths, and what room is left given to columns that can be whole with little of it first."""
    widths = [size.least for size in sizes]
    room = max(0, width - _width(widths))
    for i in sorted(range(len(sizes)), key=lambda i: sizes[i].full - sizes[i].least):
        given = min(room, sizes[i].full - sizes[i].least)
        widths[i] += given
        room -= given
    return widths


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)
