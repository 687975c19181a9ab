"""The edits of TER-Plus."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from karat import _native
from karat.errors import InputError
from karat.kernels.text import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat._native import WordKnowledge
    from karat.kernels.meteor import NumberedText


class TerpCosts(NamedTuple):
    """What each edit costs; `phrase` has the four numbers of the formula for paraphrases."""

    match: float
    deletion: float
    insertion: float
    substitution: float
    stem: float
    synonym: float
    shift: float
    phrase: tuple[float, float, float, float]


def terp_rows(
    knowledge: WordKnowledge,
    hypotheses: NumberedText,
    references: NumberedText,
    offsets: NDArray[np.int64],
    costs: TerpCosts,
    *,
    beam: float,
    shift_size: int,
    shift_distance: int,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """The least cost of edits over the references of each segment, and the mean length of those references."""
    numbers = [*costs[:-1], *costs.phrase]
    try:
        return _native.terp_rows(
            knowledge,
            *hypotheses,
            *references,
            offsets,
            numbers,
            beam,
            shift_size,
            shift_distance,
            thread_count(threads),
        )
    except ValueError as error:
        raise InputError(str(error)) from error
