"""The formula of METEOR as published in 2005."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.metrics.framework.arithmetic import ratio

if TYPE_CHECKING:
    from karat.metrics.framework.arithmetic import Floats


def score_of_2005(hypothesis: Floats, reference: Floats, matches: Floats, chunks: Floats) -> Floats:
    """F with recall nine times as heavy as precision, less the penalty for chunks, from 0 to 100."""
    # 10PR / (R + 9P), multiplied through by the lengths
    mean = ratio(10 * matches, hypothesis + 9 * reference)
    return 100 * mean * (1 - 0.5 * ratio(chunks, matches) ** 3)
