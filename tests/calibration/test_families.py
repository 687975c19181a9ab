"""Families of comparisons with few units: the chance of any false claim is at most alpha after correction."""

from __future__ import annotations

import pytest
from tests.calibration.conftest import Measured
from tests.calibration.simulation import false_families, holds_its_level

from karat.significance import Options

BOOTSTRAP = Options(test="bootstrap", correction="holm")


def test_the_bootstrap_holds_its_level_over_a_family_roughly(measured: Measured) -> None:
    """A quick look with fixed seeds; one widening for all tails claimed something in 12 % of these."""
    assert measured(false_families(5, systems=11, families=300, options=BOOTSTRAP)) <= 0.09


@pytest.mark.slow
@pytest.mark.parametrize("systems", [2, 4, 11])
@pytest.mark.parametrize("units", [5, 10, 20, 50])
def test_the_bootstrap_holds_its_level_over_a_family(units: int, systems: int, measured: Measured) -> None:
    rate = measured(false_families(units, systems, families=2000, options=BOOTSTRAP))
    assert holds_its_level(rate, 2000), rate


@pytest.mark.slow
@pytest.mark.parametrize("units", [5, 10])
@pytest.mark.parametrize("test", ["randomization", "permutation", "wilcoxon"])
def test_all_flips_of_few_units_hold_their_level_over_a_family(test: str, units: int, measured: Measured) -> None:
    options = Options(test=test, interval_n=2)  # type: ignore[arg-type]
    rate = measured(false_families(units, systems=4, families=2000, options=options))
    assert holds_its_level(rate, 2000), rate
