"""Folds: every judged output is predicted by a model that saw nothing of its document."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.combining.judged import JudgedFeatures
    from karat.metrics.framework.combination import CombinationModel

    Floats = NDArray[np.float64]
    Labels = NDArray[np.intp]


def divided(groups: Labels, count: int, seed: int) -> Labels:
    """The fold of every output: groups are drawn in random order, each into the fold that is smallest by then."""
    kinds, places, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if len(kinds) < count:
        raise InputError(
            f"{len(kinds)} judged documents or segments cannot be divided into {count} folds: ask for fewer"
        )
    fold_of, filled = np.zeros(len(kinds), dtype=np.intp), np.zeros(count)
    for group in np.random.default_rng(seed).permutation(len(kinds)):
        fold_of[group] = filled.argmin()
        filled[fold_of[group]] += sizes[group]
    folds: Labels = fold_of[places]
    return folds


def held_out_predictions(
    judged: JudgedFeatures,
    folds: Labels,
    learn: Callable[[JudgedFeatures], CombinationModel],
    listener: Callable[[int, int], None] = lambda _done, _total: None,
) -> Floats:
    """What the model learnt on the other folds says of each output; `listener` hears how many folds of all are done."""
    predictions = np.empty(len(judged))
    count = int(folds.max()) + 1
    for fold in range(count):
        held = folds == fold
        predictions[held] = learn(judged.taken(~held)).predict(judged.taken(held).columns)
        listener(fold + 1, count)
    return predictions
