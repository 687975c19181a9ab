"""How combinations are learnt: weighed alike, by ridge regression, by support vectors, or from pairs of outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError, MissingExtraError
from karat.meta.combining.folds import divided, held_out_predictions
from karat.metrics.framework.combination import CombinationModel, CombinedFeature, Method, SupportVector

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.meta.combining.judged import JudgedFeatures

    Floats = NDArray[np.float64]
    Learner = Callable[[JudgedFeatures, float], CombinationModel]

PENALTIES = (10.0, 1.0, 0.1, 0.01, 0.001)
COSTS = (0.1, 1.0, 10.0)
"""Of support vector regression, from the most regular model on."""
TOLERANCE = 0.1
"""Errors below this, in standard deviations of the judgements, cost nothing in support vector regression."""
MOST_FOR_VECTORS = 2_000
"""Support vector regression takes time with the square of outputs: of more than these, so many are drawn."""
INNER_FOLDS = 3


def learn(method: Method, judged: JudgedFeatures, seed: int) -> CombinationModel:
    """The model that a method makes of what was judged; settings are chosen on folds within it."""
    if method == "uniform":
        return uniform(judged)
    if np.ptp(judged.gold) == 0:
        raise InputError("the judgements are all equal: there is nothing to learn from them")
    if method == "ridge":
        return _with_best(ridge, PENALTIES, judged, _squared_error, seed)
    if method == "ranking":
        return _with_best(ranking, PENALTIES, judged, _misranked, seed)
    if len(judged) > MOST_FOR_VECTORS:
        judged = judged.taken(np.random.default_rng(seed).choice(len(judged), MOST_FOR_VECTORS, replace=False))
    return _with_best(support_vectors, COSTS, judged, _squared_error, seed)


def uniform(judged: JudgedFeatures) -> CombinationModel:
    """Every metric divided by its highest score, or what is missing to that where lower is better, weighed alike."""
    features = []
    for name, higher, column in zip(judged.metrics, judged.higher_is_better, judged.columns, strict=True):
        highest = float(column.max())
        if highest <= 0:
            raise InputError(f"{name} has no score above 0, and uniform combinations divide by the highest one")
        centre, spread = (0.0, highest) if higher else (highest, -highest)
        features.append(CombinedFeature(name, centre, spread, 100 / len(judged.metrics)))
    return CombinationModel(method="uniform", features=tuple(features))


def ridge(judged: JudgedFeatures, penalty: float) -> CombinationModel:
    """Least squares with a penalty on squares of the weights of scaled features."""
    features, scaled = _standardised(judged)
    centred = judged.gold - judged.gold.mean()
    moments = scaled.T @ scaled / len(judged) + penalty * np.eye(len(features))
    weights = np.linalg.solve(moments, scaled.T @ centred / len(judged))
    return CombinationModel(method="ridge", features=_weighed(features, weights), intercept=float(judged.gold.mean()))


def ranking(judged: JudgedFeatures, penalty: float) -> CombinationModel:
    """Weights by which the output that people preferred has the higher score: logistic loss of the difference."""
    from scipy.optimize import minimize

    features, scaled = _standardised(judged)
    better, worse = judged.preferences()
    if len(better) == 0:
        raise InputError("ranking learns from judgements of several outputs of one segment, and there are none")
    differences = scaled[better] - scaled[worse]

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = differences @ weights
        # The slope of the loss is minus the logistic function of the margin turned round.
        slopes = -np.exp(-np.logaddexp(0, margins)) / len(margins)
        value = np.logaddexp(0, -margins).mean() + penalty * weights @ weights
        return float(value), differences.T @ slopes + 2 * penalty * weights

    weights = minimize(loss, np.zeros(len(features)), jac=True, method="L-BFGS-B").x
    return CombinationModel(method="ranking", features=_weighed(features, weights))


def support_vectors(judged: JudgedFeatures, cost: float) -> CombinationModel:
    """Support vector regression with a Gaussian kernel, by scikit-learn."""
    try:
        from sklearn.svm import SVR
    except ImportError as error:
        raise MissingExtraError("--method svr", "combine") from error
    features, scaled = _standardised(judged)
    mean, deviation = float(judged.gold.mean()), float(judged.gold.std())
    gamma = 1 / len(features)
    fitted = SVR(kernel="rbf", gamma=gamma, C=cost, epsilon=TOLERANCE).fit(scaled, (judged.gold - mean) / deviation)
    vectors = zip(fitted.dual_coef_[0].tolist(), fitted.support_vectors_.tolist(), strict=True)
    return CombinationModel(
        method="svr",
        features=tuple(features),
        intercept=mean + deviation * float(fitted.intercept_[0]),
        gamma=gamma,
        vectors=tuple(SupportVector(deviation * weight, tuple(at)) for weight, at in vectors),
    )


def _standardised(judged: JudgedFeatures) -> tuple[list[CombinedFeature], Floats]:
    """Features with their means and deviations, and the scores on their scale; what never varies stays 0."""
    deviations = judged.scores.std(axis=0)
    deviations[np.ptp(judged.scores, axis=0) == 0] = 1.0
    scales = zip(judged.metrics, judged.scores.mean(axis=0).tolist(), deviations.tolist(), strict=True)
    features = [CombinedFeature(name, centre, spread) for name, centre, spread in scales]
    columns = [feature.scaled(column) for feature, column in zip(features, judged.columns, strict=True)]
    return features, np.stack(columns, axis=1)


def _weighed(features: Sequence[CombinedFeature], weights: Floats) -> tuple[CombinedFeature, ...]:
    pairs = zip(features, weights.tolist(), strict=True)
    return tuple(replace(feature, weight=weight) for feature, weight in pairs)


def _with_best(
    learner: Learner,
    settings: Sequence[float],
    judged: JudgedFeatures,
    loss: Callable[[JudgedFeatures, Floats], float],
    seed: int,
) -> CombinationModel:
    """The model by the setting with the least loss on inner folds, the more regular one of equals."""
    count = min(INNER_FOLDS, len(np.unique(judged.groups)))
    if count < 2:
        raise InputError("there are too few judged documents or segments to choose settings on: give more judgements")
    folds = divided(judged.groups, count, seed)

    def on_unseen(setting: float) -> float:
        return loss(judged, held_out_predictions(judged, folds, lambda part: learner(part, setting)))

    return learner(judged, min(settings, key=on_unseen))


def _squared_error(judged: JudgedFeatures, predicted: Floats) -> float:
    return float(((judged.gold - predicted) ** 2).mean())


def _misranked(judged: JudgedFeatures, predicted: Floats) -> float:
    better, worse = judged.preferences()
    return float((predicted[better] <= predicted[worse]).mean()) if len(better) else 0.0
