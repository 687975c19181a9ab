"""All measures of agreement that make sense for values on a scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from karat.human.agreement import Agreement
from karat.human.alpha import Scale, alphas
from karat.human.consistency import identical_strings, intra_rater, same_share
from karat.human.kappa import WEIGHTS, answer_counts, cohen_of_pairs, fleiss
from karat.human.pairs import crossed
from karat.human.two_of_three import two_of_three

if TYPE_CHECKING:
    from karat.human.judgements import Judgements
    from karat.significance import Resampling
    from karat.significance.blocks import Progress

MOST_ANSWERS = 11
"""Up to so many different whole values count as answers that can be the same; beyond, only distances make sense."""


def scale_agreement(
    given: Judgements, points: int | None, resampling: Resampling | None, progress: Progress | None = None
) -> list[Agreement]:
    """Between raters on the same item, of raters with themselves, and of raters on identical strings."""
    used = given.ordinary
    if len(used) == 0:
        return []
    kinds, answers = np.unique(used.value, return_inverse=True)
    discrete = len(kinds) <= MOST_ANSWERS and bool((used.value == np.rint(used.value)).all())
    scales: tuple[Scale, ...] = ("nominal", "ordinal", "interval") if discrete else ("ordinal", "interval")
    clusters = used.document if used.segment_document is not None else None
    found: list[Agreement] = []
    if discrete:
        found += _answers(used, answers.astype(np.intp), points)
    found += alphas(used.item, used.value, scales, clusters=clusters, resampling=resampling, progress=progress)
    repeated = given.scored
    found += intra_rater(
        repeated.rater, repeated.item, repeated.value, "ordinal" if discrete else "interval", resampling
    )
    if (used.text >= 0).all():
        found.append(identical_strings(used.rater, used.segment, used.text, used.value))
    return [one for one in found if one.n]


def _answers(used: Judgements, answers: np.ndarray, points: int | None) -> list[Agreement]:
    """Measures for answers that are the same or not: percent, Cohen, Fleiss, two of three."""
    _, item = np.unique(used.item, return_inverse=True)
    _, at = np.unique(crossed(used.rater, used.item), return_index=True)
    item, answer, rater = item[at].astype(np.intp), answers[at], used.rater[at]
    found = [same_share(item, used.value[at], "percent")]
    found += [cohen_of_pairs(rater, item, answer, weights) for weights in WEIGHTS]
    found.append(fleiss(answer_counts(item, answer)))
    order = np.argsort(item, kind="stable")
    _, starts, counts = np.unique(item[order], return_index=True, return_counts=True)
    three = starts[counts == 3]
    if points and len(three):
        found += two_of_three(answer[order][three[:, np.newaxis] + np.arange(3)], points)
    return found
