"""Orders systems by people's values: paired tests on item means, documents as units, Holm, ranks and clusters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat import significance
from karat.errors import InputError
from karat.human.findings import PairResult
from karat.human.judgements import ItemMeans, Judgements
from karat.human.presets import Order, preset
from karat.human.rank_ranges import clusters_from_wins, ranges_from_wins
from karat.rows import Rows, mean_score
from karat.significance import Estimate, adjust, bootstrap_many

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.settings import Settings

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ordering:
    """The order of the systems, the pairs, an interval for each system, and what was drawn at random."""

    order: Order
    pairs: tuple[PairResult, ...]
    estimates: tuple[Estimate | None, ...]
    method: str
    unit: str
    units: int


def ordering(given: Judgements, settings: Settings, *, higher_is_better: bool) -> Ordering:
    """Rank the systems of judgements as the settings say."""
    unit, group = _units(given, settings)
    values = ItemMeans.of(given.ordinary).row_values(group)
    rows = {
        name: Rows(values[:, i], ("score", "n"), mean_score, "judgements", higher_is_better=higher_is_better)
        for i, name in enumerate(given.systems)
    }
    # From a single unit nothing can be drawn: such a system has a mean, but no interval and no test.
    judged = {name: one for name, one in rows.items() if np.count_nonzero(one.values[:, 1]) > 1}
    estimates = _estimates(judged, settings, unit) if judged else {}
    if settings.preset is not None:
        order, pairs, method = _by_preset(given, settings, higher_is_better)
    elif settings.test == "rank-sum":
        order, pairs, method = _by_rank_sum(given, settings, higher_is_better)
    elif len(judged) < 2:
        order, pairs, method = _alone(given), (), "too little was judged to compare systems"
    else:
        order, pairs, method = _by_paired_test(given, judged, settings, unit)
    listed = tuple(estimates.get(name) for name in given.systems)
    return Ordering(order, pairs, listed, method, unit, len(values))


def _units(given: Judgements, settings: Settings) -> tuple[str, NDArray[np.intp] | None]:
    """Documents where all are known and there are several, unless segments are asked for."""
    documents = given.ordinary.segment_document
    if settings.unit == "document" and documents is None:
        raise InputError(
            "--unit document needs the document of every segment: give a corpus that tells it with --corpus"
        )
    if settings.unit == "segment" or documents is None or len(np.unique(documents[documents >= 0])) < 2:
        return "segment", None
    return "document", documents


def _estimates(judged: dict[str, Rows], settings: Settings, unit: str) -> dict[str, Estimate]:
    found = bootstrap_many(
        list(judged.values()), settings.resampling(unit), threads=settings.threads, progress=settings.progress
    )
    return dict(zip(judged, found, strict=True))


def _by_paired_test(
    given: Judgements, judged: dict[str, Rows], settings: Settings, unit: str
) -> tuple[Order, tuple[PairResult, ...], str]:
    ranking = significance.rank([judged], settings.options(unit), threads=settings.threads, progress=settings.progress)
    place = {name: i for i, name in enumerate(given.systems)}
    size = len(place)
    p, beats = np.full((size, size), np.nan), np.zeros((size, size), dtype=bool)
    pairs = []
    for one in ranking.comparisons:
        better, worse = (one.system, one.baseline) if one.better == one.system else (one.baseline, one.system)
        p[place[better], place[worse]] = one.p_adjusted
        beats[place[better], place[worse]] = one.significant and one.better is not None
        bounds = {"interval": [one.interval.low, one.interval.high]}
        pairs.append(
            PairResult(one.system, one.baseline, one.difference, one.p, one.p_adjusted, one.significant, bounds)
        )
    scores = ItemMeans.of(given.ordinary).system_means()
    ranges, clusters = [(1, size)] * size, [1 + max(ranked.cluster for ranked in ranking.ranking)] * size
    for ranked in ranking.ranking:
        i = place[ranked.system]
        scores[i], ranges[i], clusters[i] = ranked.score, (ranked.rank_low, ranked.rank_high), ranked.cluster
    first = ranking.comparisons[0]
    name = "Wilcoxon signed-rank test" if settings.test == "signed-rank" else "approximate randomisation"
    draws = f", n = {first.n:,}, seed {first.seed}" if first.n else ""
    method = f"mean over segments of mean over judgements; {name} of {unit}s, two-sided{draws}, {_corrected(settings)}"
    return Order(scores, p, beats, ranges, clusters), tuple(pairs), method


def _by_rank_sum(
    given: Judgements, settings: Settings, higher_is_better: bool
) -> tuple[Order, tuple[PairResult, ...], str]:
    """Two-sided rank-sum tests of all segment means, corrected for the number of pairs."""
    from scipy.stats import mannwhitneyu

    items = ItemMeans.of(given.ordinary)
    scores = items.system_means()
    couples = [pair for pair in combinations(range(len(scores)), 2) if np.isfinite(scores[list(pair)]).all()]
    columns = [items.rounded[items.present[:, i], i] for i in range(len(scores))]
    raw = [float(mannwhitneyu(columns[i], columns[j], method="asymptotic").pvalue) for i, j in couples]
    adjusted = adjust(raw, settings.correction)
    sign = 1.0 if higher_is_better else -1.0
    p, beats = np.full((len(scores),) * 2, np.nan), np.zeros((len(scores),) * 2, dtype=bool)
    pairs = []
    for (i, j), one, corrected in zip(couples, raw, adjusted, strict=True):
        better, worse = (i, j) if sign * (scores[i] - scores[j]) >= 0 else (j, i)
        p[better, worse], beats[better, worse] = corrected, corrected <= settings.level and scores[i] != scores[j]
        names, gap = (given.systems[i], given.systems[j]), float(scores[i] - scores[j])
        pairs.append(PairResult(*names, gap, one, float(corrected), bool(beats[better, worse])))
    method = f"mean over segments of mean over judgements; rank-sum test of segments, two-sided, {_corrected(settings)}"
    return _placed(scores, p, beats, sign), tuple(pairs), method


def _by_preset(
    given: Judgements, settings: Settings, higher_is_better: bool
) -> tuple[Order, tuple[PairResult, ...], str]:
    way = preset(str(settings.preset))
    sign = 1.0 if higher_is_better else -1.0
    found = way.order(given.with_values(sign * given.value), settings.seed)
    order = Order(sign * found.scores, found.p, found.beats, found.ranges, found.clusters)
    pairs = []
    for i, j in combinations(range(len(given.systems)), 2):
        p = found.p[i, j] if np.isfinite(found.p[i, j]) else found.p[j, i]
        real = bool(found.beats[i, j] or found.beats[j, i])
        gap = float(order.scores[i] - order.scores[j])
        known = float(p) if np.isfinite(p) else None
        pairs.append(PairResult(given.systems[i], given.systems[j], gap, known, None, real))
    return order, tuple(pairs), f"preset {way.name}: {way.says}. Known fault: {way.known_fault}"


def _alone(given: Judgements) -> Order:
    scores = ItemMeans.of(given.ordinary).system_means()
    size = len(scores)
    return _placed(scores, np.full((size, size), np.nan), np.zeros((size, size), dtype=bool), 1.0)


def _placed(scores: Floats, p: Floats, beats: NDArray[np.bool_], sign: float) -> Order:
    """Ranks and clusters from who beats whom."""
    order = np.argsort(-sign * np.nan_to_num(scores, nan=-sign * np.inf), kind="stable")
    ordered = beats[np.ix_(order, order)]
    ranges, clusters = ranges_from_wins(ordered), clusters_from_wins(ordered)
    place = np.argsort(order)
    return Order(scores, p, beats, [ranges[i] for i in place], [clusters[i] for i in place])


def _corrected(settings: Settings) -> str:
    names = {"holm": "Holm's correction", "bh": "Benjamini and Hochberg's correction", "none": "no correction"}
    return f"{names[settings.correction]}, level {settings.level:g}"
