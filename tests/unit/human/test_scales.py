"""Values on a scale: standardised, averaged, ranked, modelled."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel

from karat.corpus.ratings import Scale
from karat.errors import InputError, SpecError
from karat.human.ordering import ordering
from karat.human.ordering.presets import PRESETS, preset, waves
from karat.human.plan import AnalysisPlan
from karat.human.scales.analysis import analyse_scale
from karat.human.scales.balance import balance
from karat.human.scales.judgements import BAD_REFERENCE, REPEAT, ItemMeans, Judgements
from karat.human.scales.mixed import mixed_model
from karat.human.scales.quality import leave_one_out, rater_quality
from karat.human.scales.standard import RaterScale, distribution, normalised

Maker = Callable[..., Judgements]


@pytest.fixture(scope="module")
def crossed(make: Maker) -> Judgements:
    """Three systems, 40 segments in 10 documents, two raters each; s2 is clearly worst."""
    rng = np.random.default_rng(11)
    system, segment, rater = (grid.ravel() for grid in np.mgrid[0:3, 0:40, 0:2])
    quality = np.array([80.0, 80.0, 55.0])[system] + rng.normal(0, 8, 40)[segment] + np.array([-6.0, 6.0])[rater]
    return make(system, segment, rater, quality + rng.normal(0, 5, len(system)), document=segment // 4)


def test_z_uses_all_rows_of_a_rater_and_n_minus_one() -> None:
    rater, value = np.array([0, 0, 0, 1, 1]), np.array([1.0, 2.0, 6.0, 4.0, 4.0])
    scale = RaterScale.of(rater, value, 2)
    z = scale.z(rater, value)
    assert z[:3] == pytest.approx((value[:3] - 3) / np.std(value[:3], ddof=1))
    assert z[3:].tolist() == [0, 0]
    assert scale.usable.tolist() == [True, False]


def test_a_constant_that_is_no_binary_fraction_has_no_z() -> None:
    rater, value = np.zeros(7, dtype=np.intp), np.full(7, 0.1)
    assert RaterScale.of(rater, value, 1).z(rater, value).tolist() == [0] * 7


def test_arpas_normalisation_and_the_distribution() -> None:
    assert normalised(4, 1, 5) == 0.75
    assert normalised(1, 0, 9, higher_is_better=False) == pytest.approx(8 / 9)
    assert distribution(np.array([1.0, 1.0, 5.0])) == {"1": 2, "5": 1}
    assert sum(distribution(np.arange(101.0), 0, 100).values()) == 101


def test_a_system_mean_is_the_mean_over_segments_of_the_mean_over_judgements(make: Maker) -> None:
    given = make(np.zeros(3), np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1.0, 3.0, 5.0]))
    assert ItemMeans.of(given).system_means().tolist() == [3.5]


def test_the_default_order_tests_documents_and_corrects(crossed: Judgements) -> None:
    found = ordering(crossed, AnalysisPlan(), higher_is_better=True)
    assert (found.unit, found.units) == ("document", 10)
    assert found.order.clusters == [1, 1, 2]
    assert found.order.ranges == [(1, 2), (1, 2), (3, 3)]
    assert "Holm" in found.method
    segments = ordering(crossed, AnalysisPlan(unit="segment"), higher_is_better=True)
    assert (segments.unit, segments.units) == ("segment", 40)


def test_a_system_judged_on_one_document_has_a_mean_but_no_interval(crossed: Judgements, make: Maker) -> None:
    extra = {
        name: np.append(getattr(crossed, name), value) for name, value in (("segment", 0), ("rater", 0), ("value", 9.0))
    }
    system, document = np.append(crossed.system, 3), np.append(crossed.document, 0)
    given = make(system, extra["segment"], extra["rater"], extra["value"], document=document)
    found = ordering(given, AnalysisPlan(), higher_is_better=True)
    assert found.order.scores[3] == 9
    assert found.estimates[3] is None
    assert found.order.ranges[3] == (1, 4)
    assert found.order.clusters[:3] == [1, 1, 2]


def test_documents_as_units_have_to_be_known(make: Maker) -> None:
    given = make(np.array([0, 1]), np.zeros(2), np.zeros(2), np.ones(2))
    with pytest.raises(InputError, match="--corpus"):
        ordering(given, AnalysisPlan(unit="document"), higher_is_better=True)


@pytest.mark.parametrize("test", ["signed-rank", "rank-sum"])
def test_other_tests_find_the_worst_system_too(crossed: Judgements, test: str) -> None:
    found = ordering(crossed, AnalysisPlan(test=test), higher_is_better=True)
    assert found.order.clusters == [1, 1, 2]
    upside_down = ordering(crossed, AnalysisPlan(test=test), higher_is_better=False)
    assert upside_down.order.clusters == [2, 2, 1]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_find_the_worst_system(crossed: Judgements, name: str) -> None:
    found = preset(name).order(crossed, seed=1)
    assert found.clusters[2] == max(found.clusters) == found.clusters[0] + 1
    assert found.beats[0, 2]
    assert not found.beats[2].any()


def test_wmt21_standardises_with_control_items_and_averages_repeats(make: Maker) -> None:
    control = np.array([0, REPEAT, BAD_REFERENCE, 0])
    given = make(np.array([0, 0, 0, 1]), np.zeros(4), np.zeros(4), np.array([8.0, 6.0, 1.0, 5.0]), control=control)
    z = (np.array([8.0, 6.0, 1.0, 5.0]) - 5) / np.std([8.0, 6.0, 1.0, 5.0], ddof=1)
    assert preset("wmt21").order(given, 0).scores == pytest.approx([(z[0] + z[1]) / 2, z[3]])
    assert preset("wmt23").order(given, 0).scores == pytest.approx([8, 5])


def test_wmt22_leaves_out_raters_without_variance(make: Maker) -> None:
    given = make(np.array([0, 1, 0, 1]), np.zeros(4), np.array([0, 0, 1, 1]), np.array([3.0, 1.0, 2.0, 2.0]))
    assert preset("wmt22").order(given, 0).scores == pytest.approx([2**-0.5, -(2**-0.5)])


def test_waves_are_the_first_and_second_judgement(make: Maker) -> None:
    given = make(np.zeros(3), np.array([1, 0, 1]), np.arange(3), np.array([4.0, 5.0, 6.0]))
    first, second = waves(given)
    assert first[:, 0].tolist() == [5, 4]
    assert np.isnan(second[0, 0])
    assert second[1, 0] == 6
    assert len(waves(make(np.zeros(2), np.arange(2), np.zeros(2), np.ones(2)))) == 1


def test_wmt26_takes_the_paired_or_the_independent_t_test(make: Maker) -> None:
    rng = np.random.default_rng(26)
    decided_by = set()
    for shift in (0.3, 0.6, 1.2, 2.5, 5.0):
        segment = np.concatenate([np.arange(30), np.arange(10, 50)])
        system = np.repeat([0, 1], [30, 40])
        value = rng.normal(0, 4, 50)[segment] + rng.normal(0, 2, 70) + shift * (system == 0)
        found = preset("wmt26").order(make(system, segment, np.zeros(70), value), seed=1)
        first, second = value[:30], value[30:]
        paired, independent = ttest_rel(first[10:], second[:20]).pvalue, ttest_ind(first, second).pvalue
        better, worse = (0, 1) if first.mean() > second.mean() else (1, 0)
        assert found.p[better, worse] == pytest.approx(min(paired, independent))
        assert bool(found.beats[better, worse]) == (paired < 0.05 or independent < 0.05)
        decided_by.add((bool(paired < 0.05), bool(independent < 0.05)))
    assert len(decided_by) > 2


def test_wmt26_says_nothing_where_neither_t_test_is_defined(make: Maker) -> None:
    found = preset("wmt26").order(make(np.array([0, 1]), np.zeros(2), np.zeros(2), np.array([2.0, 1.0])), seed=1)
    assert not found.beats.any()


def test_an_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(SpecError, match="wmt2"):
        preset("wmt20")


def test_the_mixed_model_equals_statsmodels(make: Maker) -> None:
    pandas = pytest.importorskip("pandas")
    formula = pytest.importorskip("statsmodels.formula.api")
    rng = np.random.default_rng(0)
    system, segment, rater = rng.integers(3, size=200), rng.integers(25, size=200), rng.integers(5, size=200)
    effects = np.array([50.0, 52.0, 53.0])[system] + rng.normal(0, 4, 5)[rater] + rng.normal(0, 3, 25)[segment]
    given = make(system, segment, rater, effects + rng.normal(0, 5, 200))
    found = mixed_model(given)
    frame = pandas.DataFrame({"y": given.value, "s": system.astype(str), "r": rater, "i": segment, "g": 1})
    parts = {"r": "0 + C(r)", "i": "0 + C(i)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = formula.mixedlm("y ~ 0 + s", frame, groups="g", vc_formula=parts).fit(reml=True)
    assert found.means == pytest.approx(other.fe_params.to_numpy(), abs=1e-3)
    assert found.log_likelihood == pytest.approx(other.llf, abs=1e-4)
    assert found.variances.residual == pytest.approx(other.scale, rel=1e-3)
    assert sorted([found.variances.rater, found.variances.segment]) == pytest.approx(sorted(other.vcomp), rel=1e-2)
    assert found.errors == pytest.approx(other.bse_fe.to_numpy(), rel=1e-2)


def test_the_mixed_model_takes_harsh_raters_out(make: Maker) -> None:
    """Two equal systems, of which the second met the harsh rater most of the time."""
    rng = np.random.default_rng(2)
    system, rater, segment = rng.integers(2, size=600), np.zeros(600), rng.integers(60, size=600)
    rater = (rng.random(600) < np.where(system == 1, 0.9, 0.1)).astype(np.intp)
    value = 70 - 20 * rater + rng.normal(0, 5, 60)[segment] + rng.normal(0, 5, 600)
    given = make(system, segment, rater, value)
    plain = ItemMeans.of(given).system_means()
    model = mixed_model(given)
    assert plain[0] - plain[1] > 10
    assert abs(model.means[0] - model.means[1]) < 2
    assert model.difference(0, 1)[2] > 0.05
    state = balance(given)
    assert not state.balanced
    assert state.shift > 0.3


def test_the_mixed_model_passes_over_systems_that_have_control_items_only(make: Maker) -> None:
    rng = np.random.default_rng(5)
    system, segment, rater = rng.integers(3, size=300), rng.integers(20, size=300), rng.integers(4, size=300)
    value = 60 + 5 * system + rng.normal(0, 5, 300)
    controlled = make(system, segment, rater, value, control=np.where(system == 1, BAD_REFERENCE, 0))
    kept = system != 1
    alone = make(system[kept] // 2, segment[kept], rater[kept], value[kept])
    scale, settings = Scale(minimum=0, maximum=100), AnalysisPlan(model="always", n=1000)
    first, second = (
        analyse_scale(given, scale, settings, protocol="da", criterion="overall") for given in (controlled, alone)
    )
    assert [one.system for one in first.systems] == ["s2", "s0"]
    assert [one.model for one in first.systems] == pytest.approx([one.model for one in second.systems])
    assert [one.model_error for one in first.systems] == pytest.approx([one.model_error for one in second.systems])


def test_a_balanced_design_is_balanced(crossed: Judgements) -> None:
    state = balance(crossed)
    assert (state.coverage, state.shift) == (1, 0)
    assert state.balanced


def test_flags_of_raters(make: Maker) -> None:
    rng = np.random.default_rng(7)
    system, segment, rater = (grid.ravel() for grid in np.mgrid[0:2, 0:40, 0:4])
    quality = rng.normal(60, 15, (2, 40))[system, segment]
    value = quality + rng.normal(0, 5, len(system))
    value = np.where(rater == 1, 50.0, np.where(rater == 2, rng.uniform(0, 100, len(system)), value))
    seconds = np.where(rater == 3, 0.5, 20.0)
    found = {one.rater: one for one in rater_quality(make(system, segment, rater, value, seconds=seconds))}
    assert found["r0"].flags == ()
    assert "straight-lining" in found["r1"].flags
    assert "disagrees" in found["r2"].flags
    assert found["r3"].flags == ("too-fast",)


def test_damaged_outputs_must_be_marked_down(make: Maker) -> None:
    rng = np.random.default_rng(1)
    segment, rater = np.tile(np.arange(20), 4), np.repeat([0, 0, 1, 1], 20)
    control = np.tile(np.repeat([0, BAD_REFERENCE], 20), 2)
    value = rng.normal(70, 5, 80) - 30 * ((control > 0) & (rater == 0))
    careful, careless = rater_quality(make(np.zeros(80), segment, rater, value, control=control))
    assert careful.bad_reference_p is not None
    assert careful.bad_reference_p < 0.001
    assert "bad-reference" not in careful.flags
    assert "bad-reference" in careless.flags


def test_leave_one_out_leaves_the_rater_out(make: Maker) -> None:
    segment, rater = np.tile(np.arange(4), 3), np.repeat([0, 1, 2], 4)
    value = np.array([1.0, 2, 3, 4, 1, 2, 3, 5, 4, 3, 2, 1])
    found = leave_one_out(make(np.zeros(12), segment, rater, value))
    expected = np.corrcoef(value[8:], (value[:4] + value[4:8]) / 2)[0, 1]
    assert found[2] == (pytest.approx(expected), 4)


def test_an_analysis_shows_both_results(crossed: Judgements, make: Maker) -> None:
    seconds = np.where(crossed.rater == 1, 0.4, 30.0)
    timed = make(
        crossed.system, crossed.segment, crossed.rater, crossed.value, document=crossed.document, seconds=seconds
    )
    scale = Scale(minimum=0, maximum=100)
    found = analyse_scale(timed, scale, AnalysisPlan(filtered=("too-fast",)), protocol="da", criterion="overall")
    assert found.left_out == ("r1",)
    assert found.systems[-1].system == "s2"
    assert {one.n for one in found.systems} == {80}
    assert {one.n for one in found.without} == {40}
    first = found.systems[0]
    assert first.interval is not None
    assert first.interval.low < first.score < first.interval.high
    assert first.normalised == pytest.approx(first.score / 100)
    assert set(first.by_document) == {f"d{i}" for i in range(10)}
    assert {one.measure for one in found.agreement} == {"krippendorff ordinal", "krippendorff interval"}


def test_settings_refuse_what_makes_no_sense() -> None:
    with pytest.raises(InputError, match="at least 1000"):
        AnalysisPlan(resamples=100)
    with pytest.raises(SpecError, match="too-fast"):
        AnalysisPlan(filtered=("too-fat",))
    with pytest.raises(SpecError, match="signed-rank"):
        AnalysisPlan(test="signed-ranks")  # type: ignore[arg-type]
