"""Equal systems must seldom be called different by karat's own way of ranking judgements; WMT's ways are measured."""

from __future__ import annotations

import pytest
from tests.calibration.conftest import Measured
from tests.calibration.human_simulation import WAYS, false_claims

LEVEL = 0.05


def test_the_default_holds_its_level_roughly(measured: Measured) -> None:
    """A quick look with a fixed seed: at a true rate of 5 %, more than 14 % of 100 has a chance below 1 in 10,000."""
    assert measured(false_claims("default", systems=2, runs=100)) <= 0.14


@pytest.mark.slow
@pytest.mark.parametrize("way", ["default", "signed-rank"])
def test_documents_as_units_hold_the_level(way: str, measured: Measured) -> None:
    assert measured(false_claims(way, systems=2, runs=600)) <= LEVEL + 3 * (LEVEL * (1 - LEVEL) / 600) ** 0.5


@pytest.mark.slow
def test_many_equal_systems_are_not_called_different_more_often(measured: Measured) -> None:
    assert measured(false_claims("default", systems=6, runs=200)) <= LEVEL + 3 * (LEVEL * (1 - LEVEL) / 200) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("way", [way for way in WAYS if way.startswith("wmt") and way != "wmt21"])
def test_what_takes_segments_for_independent_does_not_hold_it(way: str, measured: Measured) -> None:
    assert measured(false_claims(way, systems=6, runs=100)) > 0.15
