"""Lower case, exactly as `str.lower` has it, for whole columns."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from karat.kernels import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FINAL_SIGMA, _DOTTED_I = 0x3A3, 0x130
_COVERED = 0x20000
_NONE = np.uint32(0xFFFFFFFF)


@cache
def _table() -> NDArray[np.uint32]:
    """The lower case of every code point of the first two planes, as this Python has it.

    None for those that `str.lower` treats by their neighbours or makes two of: strings that have them are its own.
    """
    points = np.arange(_COVERED, dtype=np.uint32)
    alone = (points < 0xD800) | (points > 0xDFFF)
    alone[[_FINAL_SIGMA, _DOTTED_I]] = False
    text = points[alone].tobytes().decode("utf-32-le").lower().encode("utf-32-le")
    table = np.full(_COVERED, _NONE)
    if len(text) == 4 * np.count_nonzero(alone):  # else another one has become two
        table[alone] = np.frombuffer(text, dtype="<u4")
    return table


def lowered(text: Text) -> Text:
    """The strings of a column in lower case."""
    result, left_out = text.lowered(_table())
    if not left_out:
        return result
    lines = result.to_list()
    for index in left_out:
        lines[index] = lines[index].lower()
    return Text(lines)
