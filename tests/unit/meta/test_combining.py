"""How combinations are learnt: against scikit-learn, by hand, and without a look at what is held out."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError, MissingExtraError
from karat.meta.combining import JudgedFeatures, divided, held_out_predictions, learn, learners
from karat.metrics.framework.combination import METHODS, CombinationModel

METRICS = (("chrf", True), ("ter", False))


def judged(systems: int = 4, segments: int = 30, noise: float = 0.3, seed: int = 1) -> JudgedFeatures:
    """People who like the first metric twice as much as they dislike the second; ten documents."""
    rng = np.random.default_rng(seed)
    tables = [rng.normal(50, 10, (systems, segments)), rng.normal(60, 30, (systems, segments))]
    gold = 0.2 * tables[0] - 0.1 * tables[1] + rng.normal(0, noise, (systems, segments))
    return JudgedFeatures.of(METRICS, tables, gold, np.arange(segments) // 3)


def standardised(columns: np.ndarray) -> np.ndarray:
    return (columns - columns.mean(axis=0)) / columns.std(axis=0)


def test_ridge_is_that_of_scikit_learn() -> None:
    from sklearn.linear_model import Ridge

    known = judged()
    scaled = standardised(known.scores)
    expected = Ridge(alpha=0.1 * len(known)).fit(scaled, known.gold)
    model = learners.ridge(known, 0.1)
    assert [feature.weight for feature in model.features] == pytest.approx(expected.coef_)
    assert model.predict(known.columns) == pytest.approx(expected.predict(scaled))


def test_support_vectors_predict_as_scikit_learn_does() -> None:
    from sklearn.svm import SVR

    known = judged()
    scaled = standardised(known.scores)
    gold = (known.gold - known.gold.mean()) / known.gold.std()
    expected = SVR(gamma=0.5, C=1.0, epsilon=learners.TOLERANCE).fit(scaled, gold).predict(scaled)
    found = learners.support_vectors(known, 1.0).predict(known.columns)
    assert found == pytest.approx(known.gold.mean() + known.gold.std() * expected)


def test_ranking_is_logistic_regression_of_differences() -> None:
    from sklearn.linear_model import LogisticRegression

    known = judged(noise=3)
    better, worse = known.preferences()
    scaled = standardised(known.scores)
    differences = scaled[better] - scaled[worse]
    both = np.concatenate([differences, -differences])
    classes = np.repeat([1, 0], len(differences))
    fitted = LogisticRegression(C=1 / (4 * len(differences) * 0.01), fit_intercept=False, tol=1e-10).fit(both, classes)
    model = learners.ranking(known, 0.01)
    assert [feature.weight for feature in model.features] == pytest.approx(fitted.coef_[0], rel=1e-3)


def test_uniform_divides_by_the_highest_score() -> None:
    known = JudgedFeatures.of(
        METRICS, [np.array([[20.0, 80.0]]), np.array([[50.0, 25.0]])], np.array([[1.0, 2.0]]), np.array([0, 1])
    )
    assert learn("uniform", known, 0).predict(known.columns) == pytest.approx([100 * (1 / 4 + 0) / 2, 75])
    with pytest.raises(InputError, match="chrf has no score above 0"):
        learn("uniform", JudgedFeatures.of(METRICS, [np.zeros((1, 2))] * 2, np.ones((1, 2)), np.array([0, 1])), 0)


def test_preferences_are_pairs_of_one_segment_that_people_told_apart() -> None:
    gold = np.array([[1.0, 5.0, np.nan], [2.0, 5.0, 1.0], [0.0, np.nan, 3.0]])
    known = JudgedFeatures.of(METRICS, [gold, gold], gold, np.arange(3))
    better, worse = known.preferences()
    pairs = {(known.gold[one], known.gold[other]) for one, other in zip(better, worse, strict=True)}
    assert pairs == {(2, 1), (1, 0), (2, 0), (3, 1)}
    assert (known.segments[better] == known.segments[worse]).all()


@pytest.mark.parametrize("method", METHODS)
def test_what_people_like_is_found(method: str) -> None:
    known, unseen = judged(), judged(seed=2)
    model = learn(method, known, seed=0)  # type: ignore[arg-type]
    assert model.method == method
    least = 0.6 if method == "uniform" else 0.95
    assert np.corrcoef(model.predict(unseen.columns), unseen.gold)[0, 1] > least
    assert learn(method, known, seed=0) == model  # type: ignore[arg-type]


def test_a_metric_that_never_varies_has_no_weight() -> None:
    known = judged()
    flat = JudgedFeatures(
        ("chrf", "flat"),
        (True, True),
        np.stack([known.scores[:, 0], np.full(len(known), 7.0)], axis=1),
        known.gold,
        known.systems,
        known.segments,
        known.groups,
    )
    assert learners.ridge(flat, 0.1).features[1].weight == 0


@given(st.lists(st.integers(0, 12), min_size=40, max_size=80), st.integers(2, 4), st.integers(0, 5))
def test_folds_keep_groups_together(groups: list[int], count: int, seed: int) -> None:
    labels = np.array([*groups, *range(13)])
    folds = divided(labels, count, seed)
    assert set(folds.tolist()) == set(range(count))
    assert all(len(set(folds[labels == group].tolist())) == 1 for group in set(labels.tolist()))
    assert np.array_equal(folds, divided(labels, count, seed))
    largest = np.bincount(labels).max()
    assert np.ptp(np.bincount(folds)) <= largest


def test_too_few_groups_are_refused() -> None:
    with pytest.raises(InputError, match="2 judged documents or segments cannot be divided into 3 folds"):
        divided(np.array([0, 0, 1]), 3, 0)


def test_no_model_sees_what_it_predicts() -> None:
    known = judged()
    folds = divided(known.groups, 5, 0)
    seen: list[set[int]] = []

    def remember(part: JudgedFeatures) -> CombinationModel:
        seen.append(set(part.groups.tolist()))
        return learners.ridge(part, 1.0)

    held_out_predictions(known, folds, remember)
    for fold, groups in enumerate(seen):
        assert groups.isdisjoint(known.groups[folds == fold].tolist())
        assert groups | set(known.groups[folds == fold].tolist()) == set(range(10))


def test_chance_is_not_learnt() -> None:
    """Judgements that are noise are fitted, and not predicted."""
    known = judged(segments=60, noise=1e6)
    folds = divided(known.groups, 5, 0)
    predicted = held_out_predictions(known, folds, lambda part: learners.support_vectors(part, 10.0))
    fitted = learners.support_vectors(known, 10.0).predict(known.columns)
    assert np.corrcoef(fitted, known.gold)[0, 1] > 0.3
    assert abs(np.corrcoef(predicted, known.gold)[0, 1]) < 0.2


def test_many_outputs_are_drawn_from_for_support_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "MOST_FOR_VECTORS", 40)
    assert 0 < len(learn("svr", judged(), seed=0).vectors) <= 40


@pytest.mark.parametrize(
    ("method", "gold", "reason"),
    [
        ("ridge", np.ones((2, 6)), "the judgements are all equal"),
        ("ranking", np.array([np.arange(6.0), np.full(6, np.nan)]), "several outputs of one segment"),
    ],
)
def test_judgements_without_a_lesson_are_refused(method: str, gold: np.ndarray, reason: str) -> None:
    tables = [np.arange(12.0).reshape(2, 6) + shift for shift in range(2)]
    with pytest.raises(InputError, match=reason):
        learn(method, JudgedFeatures.of(METRICS, tables, gold, np.arange(6)), 0)  # type: ignore[arg-type]


def test_support_vectors_name_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[combine\]'"):
        learn("svr", judged(), 0)
