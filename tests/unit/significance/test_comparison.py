"""Comparisons of many systems: what they report, share and refuse."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from tests.oracles.significance import ratio_rows

from karat.errors import InputError, SpecError
from karat.identity import Identity, ReferenceMark, Signature
from karat.rows import Rows
from karat.significance import TESTS, Comparison, Options, compare, compare_all, compare_pair
from karat.significance.paired import TestName

Table = dict[str, Rows]


def ratings(systems: int = 4, units: int = 60, *, spec: str = "rating", seed: int = 0, up: bool = True) -> Table:
    rng = np.random.default_rng(seed)
    base = rng.normal(50, 10, units)
    return {
        f"s{i}": Rows.from_scores(base + rng.normal(i, 4, units), spec=spec, higher_is_better=up)
        for i in range(systems)
    }


def ratios(systems: int = 4, units: int = 60) -> Table:
    rng = np.random.default_rng(8)
    counts = ((int(m), 40) for m in rng.integers(5, 30, systems * units))
    return {f"s{i}": ratio_rows([next(counts) for _ in range(units)]) for i in range(systems)}


def test_pairs_of_many_equal_pairs_alone() -> None:
    tables = [ratings(), ratios()]
    together = compare_all(tables, Options(n=800, correction="none"))
    assert len(together) == 12
    for one in together:
        table = tables[0] if one.metric == "rating" else tables[1]
        alone = compare_pair(table[one.baseline], table[one.system], Options(n=800, correction="none"))
        bounds = replace(one.interval, low=pytest.approx(alone.interval.low), high=pytest.approx(alone.interval.high))
        named = replace(alone, baseline=one.baseline, system=one.system, family=6, interval=one.interval)
        assert (named, alone.interval) == (one, bounds)


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "permutation", "wilcoxon", "moses"])
def test_threads_and_order_of_tables_change_nothing(test: str) -> None:
    tables = [ratings(units=3000), ratios(units=3000)]
    options = Options(test=test, n=1500, interval="bca")
    one, three = (compare_all(tables, options, threads=threads) for threads in (1, 3))
    assert one == three
    assert set(compare_all(tables[::-1], options)) == set(one)


def test_the_baseline_meets_every_other_system() -> None:
    found = compare([ratings()], Options(n=99), baseline="s2")
    assert [(one.baseline, one.system) for one in found] == [("s2", "s0"), ("s2", "s1"), ("s2", "s3")]
    assert compare([ratings()], Options(n=99))[0].baseline == "s0"
    with pytest.raises(InputError, match="no system 'sx'; there is: s0, s1"):
        compare([ratings()], baseline="sx")


def test_what_a_comparison_reports() -> None:
    table = ratings(2, 100)
    one = compare([table], Options(n=999, unit="segment"))[0]
    scores = [rows.unit_scores() for rows in table.values()]
    delta = scores[1] - scores[0]
    assert (one.baseline_score, one.score) == pytest.approx((scores[0].mean(), scores[1].mean()))
    assert one.difference == pytest.approx(delta.mean())
    assert one.effect_size == pytest.approx(delta.mean() / delta.std(ddof=1))
    assert one.interval.low < one.difference < one.interval.high
    assert (one.unit, one.units, one.n, one.interval_n, one.seed) == ("segment", 100, 999, 1000, 12345)
    assert one.better == "s1"
    record = one.to_json()
    assert record["interval"] == [one.interval.low, one.interval.high]
    wanted = "metric baseline system baseline_score score difference interval p p_adjusted wins losses ties test unit"
    assert set(wanted.split()) | {"n", "seed", "signature"} <= set(record)


def test_lower_is_better_turns_wins_and_not_the_difference() -> None:
    up, down = (compare_all([ratings(2, up=up)], Options(n=200))[0] for up in (True, False))
    assert up.difference == down.difference
    assert (up.wins, up.losses) == (down.losses, down.wins)
    assert (up.better, down.better) == ("s1", "s0")


def test_the_family_is_all_comparisons_of_one_metric() -> None:
    found = compare_all([ratings(), ratios()], Options(n=2000))
    for metric in ("rating", "ratio"):
        family = [one for one in found if one.metric == metric]
        assert {one.family for one in family} == {6}
        smallest = min(family, key=lambda one: one.p)
        assert smallest.p_adjusted == pytest.approx(min(1, 6 * smallest.p))


def test_n_is_raised_where_it_could_never_reach_the_level() -> None:
    table = ratings(14, 40)
    raised = compare_all([table], Options(n=1000))[0]
    assert raised.n == 1819
    assert any("raised from 1,000 to 1,819" in warning for warning in raised.warnings)
    kept = compare_all([table], Options(n=1000, correction="none"))[0]
    assert (kept.n, kept.warnings) == (1000, ())
    assert compare_all([table], Options(n=1000, correction="bh"))[0].warnings[0].startswith("n was raised")
    resampled = compare_all([table], Options(test="bootstrap", n=1000))[0]
    assert (resampled.n, resampled.interval_n) == (1819, 1819)


def test_few_units_warn() -> None:
    few = compare_all([ratings(2, 5)], Options(n=100))[0]
    assert "only 5 segments" in few.warnings[0]
    assert few.warnings[1] == (
        "no difference can be shown: "
        "5 segments cannot give a p below 0.0625, and alpha is 0.05; take 6 segments or more"
    )
    assert compare_all([ratings(2, 30)], Options(n=100))[0].warnings == ()


def test_documents_are_units_like_any_other() -> None:
    labels = [str(i // 6) for i in range(240)]
    table = {name: rows.grouped(labels) for name, rows in ratings(2, 240).items()}
    one = compare([table], Options(n=500, unit="document"))[0]
    assert (one.unit, one.units) == ("document", 40)
    assert one.difference == pytest.approx(compare([ratings(2, 240)], Options(n=50))[0].difference)


def test_a_constant_difference_has_no_effect_size() -> None:
    first = Rows.from_scores([1.0, 2.0, 3.0] * 20, spec="x")
    second = Rows.from_scores([2.0, 3.0, 4.0] * 20, spec="x")
    one = compare_pair(first, second, Options(n=100))
    assert one.effect_size is None
    assert (one.interval.low, one.interval.high) == pytest.approx((1.0, 1.0))


def test_progress_reaches_its_end() -> None:
    seen: list[tuple[int, int]] = []
    compare_all([ratings(2, 3000)], Options(n=2000), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == len(seen)


def measured(spec: str = "m", references: str = "aaaa", **details: str) -> Identity:
    signature = Signature(spec, ReferenceMark("1", references), tuple(details.items()))
    return Identity(metric=spec, spec=spec, display_name=spec, signature=signature)


def pair(**changes: object) -> tuple[Rows, Rows]:
    first = Rows(np.ones((3, 1)), ("x",), lambda sums: sums[..., 0], measured(), units=tuple("abc"))
    return first, replace(first, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": np.ones((4, 1)), "units": None}, "has 3 units and 'system' has 4"),
        ({"units": ("a", "c", "b")}, "unit 2 is 'b' for 'baseline' and 'c' for 'system'"),
        ({"identity": measured(references="bbbb")}, "hash aaaa and 'system' with bbbb"),
        ({"identity": measured(context="cccc")}, "context None and 'system' with cccc"),
        ({"identity": measured("other")}, "use one metric"),
        ({"values": np.full((3, 1), np.inf)}, "not finite"),
    ],
)
def test_rows_that_cannot_be_compared_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare_pair(*pair(**changes))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"test": "randomisation"}, SpecError, "Did you mean randomization"),
        ({"test": "xyz"}, SpecError, "There is: bootstrap, moses"),
        ({"correction": "bonferroni"}, SpecError, "no correction"),
        ({"n": 0}, InputError, "at least 1"),
        ({"alpha": 0}, InputError, "between 0 and 1"),
        ({"interval": "normal"}, SpecError, "no interval"),
    ],
)
def test_bad_options_are_refused(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Options(**arguments)  # type: ignore[arg-type]


def test_one_system_and_none_are_refused() -> None:
    with pytest.raises(InputError, match="one system only"):
        compare([ratings(1)])
    with pytest.raises(InputError, match="at least one"):
        compare([{}])


def test_the_library_loads_scipy_only_when_needed() -> None:
    code = (
        "import sys; from karat.rows import Rows; from karat.significance import *\n"
        "rows = [Rows.from_scores([float(i * k % 7) for i in range(99)], spec='x') for k in (1, 2)]\n"
        "[compare_pair(*rows, Options(test=t)) for t in ('randomization', 'bootstrap', 'permutation', 'moses')]\n"
        "bootstrap(rows[0], Resampling(method='bca')); non_inferiority(*rows, 1.0)\n"
        "print('scipy' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False"]


def test_results_can_be_compared_and_hashed() -> None:
    first, again = (compare_all([ratings(2)], Options(n=50)) for _ in range(2))
    assert isinstance(first[0], Comparison)
    assert set(first) == set(again)


@pytest.mark.parametrize("test", TESTS)
def test_systems_that_are_alike_everywhere_differ_significantly_under_no_test(test: TestName) -> None:
    """Not even where the test's own p is small for them, as that of Moses' bootstrap is."""
    systems = {name: Rows.from_scores([1.0, 4.0, 2.0, 8.0] * 10, spec="x") for name in "ab"}
    (pair,) = compare([systems], Options(test=test, n=200))
    assert pair.identical
    assert (pair.better, pair.winner, pair.significant) == (None, None, False)
    assert pair.to_json()["significant"] is False
