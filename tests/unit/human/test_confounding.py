"""Which variances of the mixed model judgements can tell."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.corpus.ratings import Scale
from karat.errors import InputError
from karat.human.plan import AnalysisPlan
from karat.human.scales.analysis import analyse_scale
from karat.human.scales.confounding import NAMES, told_apart
from karat.human.scales.judgements import Judgements
from karat.human.scales.mixed import mixed_model

Maker = Callable[..., Judgements]
SYSTEM, SEGMENT, RATER = (grid.ravel() for grid in np.mgrid[0:3, 0:8, 0:2])
DESIGNS = {
    "crossed": (SYSTEM, RATER, SEGMENT, {"rater": True, "segment": True, "residual": True}, ()),
    "one rater per system": (SYSTEM, SYSTEM, SEGMENT, {"rater": False, "segment": True, "residual": True}, ("rater",)),
    "one rater for two systems": (
        SYSTEM,
        np.minimum(SYSTEM, 1),
        SEGMENT,
        {"rater": False, "segment": True, "residual": True},
        ("rater",),
    ),
    "two raters per system": (
        SYSTEM,
        2 * SYSTEM + RATER,
        SEGMENT,
        {"rater": True, "segment": True, "residual": True},
        (),
    ),
    "one rater per segment": (SYSTEM, SEGMENT, SEGMENT, {"rater": False, "segment": False, "residual": True}, ()),
    "a segment per judgement": (
        SYSTEM,
        RATER,
        np.arange(len(SYSTEM)),
        {"rater": True, "segment": False, "residual": False},
        (),
    ),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_a_variance_is_told_where_nothing_imitates_it(design: str) -> None:
    system, rater, segment, variances, confounded = DESIGNS[design]
    told = told_apart(system, rater, segment)
    assert told.variances == variances
    assert told.one_with_systems == confounded


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 4)), min_size=4, max_size=14))
def test_it_is_what_the_covariance_matrices_say(judged: list[tuple[int, int, int]]) -> None:
    """The obvious way: the matrices themselves, and ranks of what is spanned."""
    system, rater, segment = (np.unique(codes, return_inverse=True)[1] for codes in np.array(judged).T)
    fixed = np.eye(system.max() + 1)[system]
    left = np.eye(len(system)) - fixed @ np.linalg.pinv(fixed)
    shared = [np.equal.outer(codes, codes).astype(float) for codes in (rater, segment, np.arange(len(system)))]
    flat = np.array([(left @ matrix @ left).ravel() for matrix in shared])
    full = np.linalg.matrix_rank(flat, tol=1e-6)
    expected = {
        name: bool(np.linalg.matrix_rank(np.delete(flat, i, axis=0), tol=1e-6) < full) for i, name in enumerate(NAMES)
    }
    assert dict(told_apart(system, rater, segment).variances) == expected


def test_a_model_does_not_make_up_what_it_cannot_know(make: Maker) -> None:
    value = np.random.default_rng(3).normal(50, 10, len(SYSTEM))
    model = mixed_model(make(SYSTEM, SEGMENT, SYSTEM, value))
    assert model.variances.rater is None
    assert model.errors is None
    for pair in combinations(range(3), 2):
        with pytest.raises(InputError, match="one rater only"):
            model.difference(*pair)


def test_the_unknown_is_called_unknown_in_words_and_null_in_json(make: Maker) -> None:
    value = np.random.default_rng(3).normal(50, 10, len(SYSTEM))
    plan = AnalysisPlan(model="always")
    found = analyse_scale(make(SYSTEM, SEGMENT, SYSTEM, value), Scale(), plan, protocol="da", criterion="overall")
    (note,) = (note for note in found.notes if note.code == "model")
    assert "raters unknown" in note.message
    assert found.variances is not None
    assert found.variances.rater is None
    assert {system.model_error for system in found.systems} == {None}
    assert found.systems[0].to_json()["model_error"] is None
