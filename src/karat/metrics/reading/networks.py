"""Reference networks: many translations in one line of text, such as ``[he|the man] [was|has been] shot``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from karat.corpus.references import References

OPEN, NEXT, CLOSE = -1, -2, -3
_STEPS = {"[": OPEN, "|": NEXT, "]": CLOSE}
_SYMBOL = re.compile(r"\\(?P<escaped>.?)|(?P<mark>[\[\]|])|(?P<text>[^\\\[\]|]+)", re.DOTALL)
_SPECIAL = re.compile(r"[\\\[\]|]")


class NetworkError(ValueError):
    """Text that is no network; `column` is where, counted from 1."""

    def __init__(self, column: int, problem: str) -> None:
        super().__init__(problem)
        self.column = column


def escape(text: str) -> str:
    r"""The network with this text as its only string.

    >>> print(escape("[sic] a|b"))
    \[sic\] a\|b
    """
    return _SPECIAL.sub(r"\\\g<0>", text)


def read_network(text: str) -> list[str | int]:
    r"""The pieces of text in a network, and the steps between them: OPEN, NEXT and CLOSE.

    >>> read_network("[he|] \\[sic\\]")
    [-1, 'he', -2, -3, ' [sic]']
    """
    steps: list[str | int] = []
    opened: list[int] = []
    for symbol in _SYMBOL.finditer(text):
        column = symbol.start() + 1
        mark = symbol["mark"]
        if mark is None:
            _add_text(steps, _literal(symbol, column))
            continue
        if mark == "[":
            opened.append(column)
        elif not opened:
            raise NetworkError(column, f"{mark!r} stands outside of brackets; write \\{mark} for the character itself")
        elif mark == "]":
            opened.pop()
        steps.append(_STEPS[mark])
    if opened:
        raise NetworkError(opened[-1], "'[' is never closed; write \\[ for the character itself")
    return steps


def _literal(symbol: re.Match[str], column: int) -> str:
    if symbol["escaped"] is None:
        return symbol["text"]
    if not _SPECIAL.fullmatch(symbol["escaped"]):
        raise NetworkError(
            column, "'\\' must stand before one of [ ] | and itself; write \\\\ for the character itself"
        )
    return symbol["escaped"]


def _add_text(steps: list[str | int], text: str) -> None:
    if steps and isinstance(steps[-1], str):
        steps[-1] += text
    else:
        steps.append(text)


@dataclass
class Networks:
    """The networks of all references: their pieces of text, and steps that name these by number."""

    pieces: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])

    @classmethod
    def of(cls, references: References) -> Networks:
        """Read every reference; one that is no network is refused with its place."""
        networks = cls()
        firsts = references.offsets.tolist()
        segment = 0
        for number, text in enumerate(references.column.to_list()):
            while number >= firsts[segment + 1]:
                segment += 1
            try:
                networks.add(read_network(text))
            except NetworkError as error:
                place = f"segment {segment + 1}, reference {number - firsts[segment] + 1}, column {error.column}"
                raise InputError(f"{place}: {error}") from error
        return networks

    def add(self, network: Iterable[str | int]) -> None:
        """Add one more."""
        for step in network:
            if isinstance(step, str):
                self.steps.append(len(self.pieces))
                self.pieces.append(step)
            else:
                self.steps.append(step)
        self.starts.append(len(self.steps))

    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Steps and starts as the core wants them."""
        return np.array(self.steps, dtype=np.int32), np.array(self.starts, dtype=np.int64)
