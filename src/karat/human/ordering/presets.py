"""How WMT ranked systems by people's values, year by year: kept to reproduce its tables, each with what is wrong in it.

Every preset tells who significantly beats whom, one pair at a time and without a correction for many pairs; ranks and
clusters follow. The values are those of `Judgements`, the order is that of the means over segments.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.errors import InputError, SpecError, did_you_mean
from karat.human.ordering.order import Order
from karat.human.ordering.rank_ranges import (
    Ranges,
    clusters_from_counts,
    clusters_from_ranges,
    clusters_from_wins,
    ranges_from_neighbours,
    ranges_from_wins,
)
from karat.human.scales.judgements import ItemMeans, Judgements
from karat.human.scales.standard import RaterScale
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

PresetName = Literal["wmt21", "wmt22", "wmt23", "wmt25", "wmt26"]
ALPHA = 0.05


@dataclass(frozen=True)
class Preset:
    """One year's way: what rows count, their values, who beats whom, and how ranks and clusters follow from that.

    `matched` says that two systems are compared on the segments that both have.
    """

    name: PresetName
    says: str
    known_fault: str
    standardised: bool
    matched: bool
    counted: Callable[[Judgements], Judgements]
    values: Callable[[Judgements], Judgements]
    compare: Callable[[Judgements, Floats, int], tuple[Floats, Bools]]
    ranges: Callable[[Bools], Ranges]
    clusters: Callable[[Bools, Ranges], list[int]]

    def order(self, given: Judgements, seed: int) -> Order:
        """Rank the systems of judgements on a scale where higher is better."""
        used = self.values(given)
        scores = ItemMeans.of(used).system_means()
        judged = np.flatnonzero(np.isfinite(scores))
        order = judged[np.argsort(-scores[judged], kind="stable")]
        p, beats = self.compare(used, scores, seed)
        ordered = beats[np.ix_(order, order)]
        ranges = self.ranges(ordered)
        clusters = self.clusters(ordered, ranges)
        size = len(scores)
        placed, grouped = [(size, size)] * size, [max(clusters, default=0) + 1] * size
        for place, system in enumerate(order):
            placed[system], grouped[system] = ranges[place], clusters[place]
        return Order(scores, p, beats, placed, grouped)


def preset(name: str) -> Preset:
    """The preset of that name."""
    if name not in PRESETS:
        raise SpecError(f"there is no preset {name!r}.{did_you_mean(name, PRESETS)}")
    return PRESETS[name]


def _z_of_all_rows(given: Judgements) -> Judgements:
    return given.z_values().scored


def _rows_of_usable_raters(given: Judgements) -> Judgements:
    used = given.ordinary
    scale = RaterScale.of(used.rater, used.value, len(used.raters))
    kept = used.taken(scale.usable[used.rater])
    if len(kept) == 0:
        raise InputError("no rater's values vary, so that nothing is left to make z of: take a preset by raw values")
    return kept


def _z_of_ordinary_rows(given: Judgements) -> Judgements:
    return _rows_of_usable_raters(given).z_values()


def _raw(given: Judgements) -> Judgements:
    return given.ordinary


def _each_pair(scores: Floats, p_of: Callable[[int, int], float], alpha: float) -> tuple[Floats, Bools]:
    """p and significance of every pair in which the first system has the higher score."""
    size = len(scores)
    p, beats = np.full((size, size), np.nan), np.zeros((size, size), dtype=bool)
    for better in range(size):
        for worse in range(size):
            if scores[better] > scores[worse]:
                p[better, worse] = p_of(better, worse)
                beats[better, worse] = p[better, worse] < alpha
    return p, beats


def _rank_sum(given: Judgements, scores: Floats, seed: int, *, matched: bool) -> tuple[Floats, Bools]:  # noqa: ARG001
    """One-sided rank-sum tests of segment means: of all that a system has, or of segments that both systems have."""
    from scipy.stats import mannwhitneyu

    items = ItemMeans.of(given)

    def p_of(better: int, worse: int) -> float:
        both = items.present[:, better] & items.present[:, worse]
        left = items.rounded[both if matched else items.present[:, better], better]
        right = items.rounded[both if matched else items.present[:, worse], worse]
        if len(left) == 0 or len(right) == 0:
            return float("nan")
        method = "auto" if matched else "asymptotic"
        return float(mannwhitneyu(left, right, alternative="greater", method=method).pvalue)

    return _each_pair(scores, p_of, ALPHA)


def _all_rank_sum(given: Judgements, scores: Floats, seed: int) -> tuple[Floats, Bools]:
    return _rank_sum(given, scores, seed, matched=False)


def _matched_rank_sum(given: Judgements, scores: Floats, seed: int) -> tuple[Floats, Bools]:
    return _rank_sum(given, scores, seed, matched=True)


def waves(given: Judgements) -> list[Floats]:
    """The first and the second judgement of each item as tables of segments by systems, NaN where there is none.

    A single table where nothing was judged twice.
    """
    order = np.argsort(given.item, kind="stable")
    item = given.item[order]
    starts = np.r_[True, item[1:] != item[:-1]]
    turn = np.arange(len(item)) - np.maximum.accumulate(np.where(starts, np.arange(len(item)), 0))
    tables = []
    for number in range(2):
        table = np.full(len(given.segments) * len(given.systems), np.nan)
        table[item[turn == number]] = given.value[order][turn == number]
        tables.append(table.reshape(len(given.segments), len(given.systems)))
    return tables if np.isfinite(tables[1]).any() else tables[:1]


def _crossed_signed_rank(given: Judgements, scores: Floats, seed: int) -> tuple[Floats, Bools]:  # noqa: ARG001
    """One-sided signed-rank tests at 0.025, each wave of one system against both waves of the other."""
    from scipy.stats import wilcoxon

    tables = waves(given)

    def p_of(better: int, worse: int) -> float:
        gaps = np.concatenate([left[:, better] - right[:, worse] for left in tables for right in tables])
        gaps = gaps[np.isfinite(gaps)]
        if len(gaps) == 0:
            return float("nan")
        if not gaps.any():
            return 1.0
        return float(wilcoxon(gaps, alternative="greater").pvalue)

    return _each_pair(scores, p_of, ALPHA / 2)


def _either_t_test(given: Judgements, scores: Floats, seed: int) -> tuple[Floats, Bools]:  # noqa: ARG001
    """The smaller p of two two-sided t-tests: paired on shared segments, and independent on all segments."""
    items = ItemMeans.of(given)

    def p_of(better: int, worse: int) -> float:
        both = items.present[:, better] & items.present[:, worse]
        paired = (items.mean[both, better], items.mean[both, worse])
        independent = (items.mean[items.present[:, system], system] for system in (better, worse))
        return min(_t_test("ttest_rel", *paired), _t_test("ttest_ind", *independent))

    return _each_pair(scores, p_of, ALPHA)


def _t_test(name: Literal["ttest_rel", "ttest_ind"], first: Floats, second: Floats) -> float:
    """The two-sided p of a t-test; 1 where it is not defined."""
    from scipy import stats

    with warnings.catch_warnings():
        # Few or constant values make scipy warn; its p is then NaN, or 0 for a constant difference, as in WMT's script.
        warnings.simplefilter("ignore", RuntimeWarning)
        p = float(getattr(stats, name)(first, second).pvalue)
    return p if np.isfinite(p) else 1.0


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="wmt21",
            says="z by rater over all rows, control items included; mean by segment, repeats included; rank-sum test, "
            "unpaired by definition, of all segments of each system, one-sided, p < 0.05",
            known_fault="the same segments of two systems are taken for independent samples, and pairs are many",
            standardised=True,
            matched=False,
            counted=lambda given: given.scored,
            values=_z_of_all_rows,
            compare=_all_rank_sum,
            ranges=ranges_from_wins,
            clusters=lambda beats, _: clusters_from_wins(beats),
        ),
        Preset(
            name="wmt22",
            says="z by rater over ordinary rows, raters without variance left out; rank-sum test, unpaired by "
            "definition, of the segments that both systems have, one-sided, p < 0.05; clusters by counted wins",
            known_fault="a test for independent samples on matched ones, and no correction for many pairs",
            standardised=True,
            matched=True,
            counted=_rows_of_usable_raters,
            values=_z_of_ordinary_rows,
            compare=_matched_rank_sum,
            ranges=ranges_from_wins,
            clusters=lambda beats, _: clusters_from_counts(beats),
        ),
        Preset(
            name="wmt23",
            says="raw values; otherwise as wmt22",
            known_fault="as wmt22; and harsh raters count in full against the systems they met",
            standardised=False,
            matched=True,
            counted=_raw,
            values=_raw,
            compare=_matched_rank_sum,
            ranges=ranges_from_wins,
            clusters=lambda beats, _: clusters_from_counts(beats),
        ),
        Preset(
            name="wmt25",
            says="raw values; signed-rank test, one-sided, p < 0.025, each of two judgements of a segment against both "
            "of the other system; ranks up to the nearest significant neighbour",
            known_fault="crossing the two judgements doubles n with pairs that are not independent",
            standardised=False,
            matched=True,
            counted=_raw,
            values=_raw,
            compare=_crossed_signed_rank,
            ranges=ranges_from_neighbours,
            clusters=lambda _, ranges: clusters_from_ranges(ranges),
        ),
        Preset(
            name="wmt26",
            says="raw values; significant if the paired t-test of the segments that both systems have, or the "
            "independent one of all segments, has p < 0.05, two-sided; ranks up to the nearest significant neighbour",
            known_fault="two chances to be significant, and the direction is that of the means, whichever test it was",
            standardised=False,
            matched=False,
            counted=_raw,
            values=_raw,
            compare=_either_t_test,
            ranges=ranges_from_neighbours,
            clusters=lambda beats, _: clusters_from_wins(beats),
        ),
    )
}
