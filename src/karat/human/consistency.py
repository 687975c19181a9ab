"""Whether raters agree with themselves: on repeated items, and on identical strings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.human.agreement import NOTHING, Agreement
from karat.human.alpha import Scale, krippendorff
from karat.human.pairs import crossed, pairs_within

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.significance import Resampling

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]


def intra_rater(
    raters: Codes, items: Codes, values: Floats, scale: Scale, resampling: Resampling | None = None
) -> tuple[Agreement, Agreement]:
    """Agreement of raters with themselves: percent, and Krippendorff's alpha over what one rater judged repeatedly."""
    own = crossed(raters, items)
    share = same_share(own, values, "percent, same rater")
    alpha = krippendorff(own, values, scale, resampling=resampling)
    return share, replace(alpha, measure=f"{alpha.measure}, same rater")


def identical_strings(raters: Codes, items: Codes, texts: Codes, values: Floats) -> Agreement:
    """How often one rater gave the same value to identical strings that different systems produced for an item.

    `items` are source segments and `texts` the strings, both as codes. Whatever differs here is noise of the rater.
    """
    return same_share(crossed(raters, items, texts), values, "identical strings")


def same_share(groups: Codes, values: Floats, measure: str) -> Agreement:
    """The share of pairs of judgements within groups that have the same value, and how far apart they are."""
    first, second = pairs_within(groups)
    if len(first) == 0:
        return Agreement(measure, None, 0, "pairs", note=NOTHING)
    gaps = np.abs(values[first] - values[second])
    share = float((gaps == 0).mean())
    details = {"mean_difference": float(gaps.mean())}
    return Agreement(measure, share, len(first), "pairs", observed=share, details=details)
