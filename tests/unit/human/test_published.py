"""Numbers that WMT and others published, from their own files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import mannwhitneyu

from karat.corpus.ratings import Ratings, read_ratings
from karat.human.agreement.pairwise_kappa import pairwise_kappa
from karat.human.analysis import analyse, parts_of
from karat.human.comparing.comparisons import tables
from karat.human.extraction import judgements, pair_judgements
from karat.human.mqm import NAMED_WEIGHTS, with_penalties
from karat.human.ordering.presets import preset
from karat.human.plan import AnalysisPlan
from karat.human.scales.judgements import ItemMeans
from karat.service.human import HumanRequest, analyse_ratings


@pytest.mark.parametrize(
    ("pair", "agreed", "comparable", "observed", "expected", "kappa"),
    [("ron-eng", 1793, 3062, 0.586, 0.371, 0.341), ("tur-eng", 349, 630, 0.554, 0.345, 0.319)],
)
def test_kappa_of_wmt16(
    shared_data: Path, pair: str, agreed: int, comparable: int, observed: float, expected: float, kappa: float
) -> None:
    judged = pair_judgements(read_ratings(shared_data / "wmt16-rr" / "collapsed" / f"wmt16.collapsed.{pair}.csv"))
    found = pairwise_kappa(judged)
    assert (found.details["agreed"], found.n) == (agreed, comparable)
    assert found.observed == pytest.approx(observed, abs=5e-4)
    assert found.expected == pytest.approx(expected, abs=5e-4)
    assert found.value == pytest.approx(kappa, abs=5e-4)
    own = pairwise_kappa(judged, "intra official")
    expected_own = {"ron-eng": (139, 184, 227, 1060, 0.621), "tur-eng": (45, 63, 136, 610, 0.559)}[pair]
    counted = (own.details["agreed"], own.n, own.details["ties"], own.details["comparisons"])
    assert (*counted, own.value) == (*expected_own[:4], pytest.approx(expected_own[4], abs=5e-4))
    if pair == "ron-eng":
        textbook = pairwise_kappa(judged, "textbook", "third")
        assert (textbook.details["agreed"], textbook.n) == (3204, 5464)


TRUESKILL = {
    "ron-eng": (
        [0.583, 0.377, 0.097, -0.085, -0.188, -0.321, -0.464],
        [(1, 2), (1, 2), (3, 3), (4, 5), (4, 6), (5, 7), (6, 7)],
        [1, 1, 2, 3, 3, 3, 3],
    ),
    "tur-eng": (
        [0.824, 0.651, 0.562, 0.21, 0.124, 0.0, -0.671, -0.762, -0.939],
        [(1, 2), (1, 3), (2, 3), (4, 5), (4, 6), (5, 6), (7, 8), (7, 9), (8, 9)],
        [1, 1, 1, 2, 2, 2, 3, 3, 3],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("pair", TRUESKILL)
def test_trueskill_and_clusters_of_wmt16(shared_data: Path, pair: str) -> None:
    means, ranges, clusters = TRUESKILL[pair]
    ratings = read_ratings(shared_data / "wmt16-rr" / "collapsed" / f"wmt16.collapsed.{pair}.csv")
    (found,) = analyse(ratings, AnalysisPlan(preset="wmt16")).criteria
    assert [one.score for one in found.systems] == pytest.approx(means, abs=0.02)
    assert [(one.rank_low, one.rank_high) for one in found.systems] == ranges
    assert [one.cluster for one in found.systems] == clusters


WMT21 = {
    "Facebook-AI.7": (0.1113, 923),
    "Online-A.5": (0.0809, 894),
    "CUNI-DocTransformer.4": (0.0079, 821),
    "Online-B.0": (-0.0046, 870),
    "CUNI-Transformer2018.1": (-0.0080, 899),
    "Online-W.2": (-0.0320, 904),
    "Online-G.6": (-0.0392, 938),
    "Online-Y.3": (-0.0844, 993),
    "HUMAN.0": (-0.0848, 913),
}


def test_scores_wins_and_clusters_of_wmt21(shared_data: Path) -> None:
    directory = shared_data / "wmt21-da-csen" / "da"
    given = judgements(read_ratings(directory / "ad-csen-good-stnd.csv"), standardised=True)
    found = preset("wmt21").order(given, seed=0)
    items = ItemMeans.of(given.scored).present.sum(axis=0)
    scores = {name: (round(float(found.scores[i]), 4), int(items[i])) for i, name in enumerate(given.systems)}
    assert scores == {name: (pytest.approx(score, abs=1e-4), n) for name, (score, n) in WMT21.items()}
    lines = (directory / "clusters.csv").read_text().splitlines()
    published = {line.split()[-1]: int(line.split()[2]) for line in lines if line.startswith("cs en")}
    assert {name: int(found.beats[i].sum()) for i, name in enumerate(given.systems)} == published
    order = np.argsort(-found.scores)
    assert [found.clusters[i] for i in order] == [1, 1, 2, 2, 2, 2, 2, 2, 2]


def test_z_of_wmt21_has_deviation_one_over_all_rows_of_a_rater(shared_data: Path) -> None:
    frame = read_ratings(shared_data / "wmt21-da-csen" / "da" / "ad-csen-good-stnd.csv").frame
    spread = frame.group_by("rater").agg(pl.col("value").std(ddof=1).alias("sd"), pl.col("value").mean().alias("mean"))
    assert spread["sd"].to_numpy() == pytest.approx(1, abs=1e-4)
    assert spread["mean"].to_numpy() == pytest.approx(0, abs=1e-4)
    ordinary = frame.filter(pl.col("control").is_null()).group_by("rater").agg(pl.col("value").std(ddof=1).alias("sd"))
    assert np.abs(ordinary["sd"].to_numpy() - 1).max() > 0.05


def test_the_rank_sum_test_is_wmts(shared_data: Path) -> None:
    """From WMT's own segment scores, its p-values come out; from means that rounding has touched, nearly."""
    directory = shared_data / "wmt21-da-csen" / "da"
    scores: dict[str, list[float]] = {}
    for line in (directory / "ad-seg-scores-cs-en.csv").read_text().splitlines()[1:]:
        system, _, _, z, _ = line.split()
        scores.setdefault(system, []).append(float(z))
    rows = [line.split() for line in (directory / "adwilcox-csen.csv").read_text().splitlines() if line.strip()]
    published = {(row[0], name): float(p) for row in rows[1:] for name, p in zip(rows[0], row[1:], strict=True)}
    given = judgements(read_ratings(directory / "ad-csen-good-stnd.csv"), standardised=True)
    ours = preset("wmt21").order(given, seed=0).p
    place = {name: i for i, name in enumerate(given.systems)}
    looked_at = {pair: p for pair, p in published.items() if p < 0.05}
    assert len(looked_at) == 22
    for (first, second), p in looked_at.items():
        exact = mannwhitneyu(scores[first], scores[second], alternative="greater", method="asymptotic").pvalue
        assert exact == pytest.approx(p, rel=1e-9)
        assert ours[place[first], place[second]] == pytest.approx(p, rel=0.02)


def test_mqm_scores_of_wmt21s_talks(shared_data: Path) -> None:
    directory = shared_data / "wmt21-ted-mqm-ende"
    weighed = with_penalties(read_ratings(directory / "mqm_ted_ende.tsv"), NAMED_WEIGHTS["wmt"])
    given = judgements(weighed)
    items = ItemMeans.of(given)
    frame = read_ratings(directory / "mqm_ted_ende.avg_seg_scores.tsv").frame
    names = {name: i for i, name in enumerate(given.systems)}
    segments = {name.rsplit("/", 1)[-1]: i for i, name in enumerate(given.segments)}
    equal = 0
    for system, segment, value in frame.select("system", "segment", "value").drop_nulls().iter_rows():
        mine = items.mean[segments[segment], names["ref" if system == "ref-A" else system]]
        equal += bool(abs(abs(value) - mine) < 1e-6)
    assert equal == 7406
    means = items.system_means()
    assert means[names["ref"]] == pytest.approx(0.91, abs=5e-3)
    assert means[names["Facebook-AI"]] == pytest.approx(1.06, abs=5e-3)
    assert means[names["Nemo"]] == pytest.approx(2.14, abs=5e-3)


def test_only_the_averages_of_2020_forgive_errors_of_the_source(shared_data: Path) -> None:
    """With three raters an average cannot be less than a third of what a segment's errors of the source cost."""
    directory = shared_data / "wmt20-mqm-da-ende"
    lines = [line.split() for line in (directory / "mqm_newstest2020_ende.avg_seg_scores.tsv").read_text().splitlines()]
    averages = {(system, segment): -float(score) for system, score, segment in lines[1:] if score != "None"}
    costs: dict[str, dict[tuple[str, str], float]] = {"wmt": {}, "wmt20": {}}
    for line in (directory / "mqm_newstest2020_ende.source-errors.tsv").read_text().splitlines()[1:]:
        system, _, _, segment, _, _, _, category, severity = line.split("\t")
        for name, total in costs.items():
            cost = NAMED_WEIGHTS[name].weight(severity, category)
            total[system, segment] = total.get((system, segment), 0.0) + cost
    impossible = {
        name: sum(averages[place] < cost / 3 - 1e-4 for place, cost in total.items()) for name, total in costs.items()
    }
    assert impossible == {"wmt": 71, "wmt20": 0}


@pytest.mark.parametrize(("pair", "mean"), [("en-de", 0.18305), ("ro-en", 0.19545)])
def test_hter_of_mlqe(shared_data: Path, pair: str, mean: float) -> None:
    path = shared_data / "mlqe-pe" / "post-editing" / f"{pair}-dev"
    found = analyse_ratings(HumanRequest(paths=(str(path),)))
    (system,) = next(one for one in found.criteria if one.criterion == "hter").systems
    assert system.score == pytest.approx(mean, abs=5e-6)


LAEUBLI = {
    ("document", "adequacy"): (104, 74, 22),
    ("document", "fluency"): (99, 44, 57),
    ("segment", "adequacy"): (86, 103, 19),
    ("segment", "fluency"): (106, 66, 36),
}


def test_preferences_of_laeubli_and_others(shared_data: Path) -> None:
    ratings = read_ratings(shared_data / "laeubli-parity" / "ratings.csv")
    repeated = pl.col("segment").str.starts_with("U-").fill_null(value=False)
    kept = Ratings.of(ratings.frame.filter(~repeated))
    for part in parts_of(kept):
        judged = pair_judgements(part.ratings)
        wins, ties = tables(judged.counts())
        human, mt = judged.systems.index("human"), judged.systems.index("mt")
        found = (int(wins[human, mt]), int(wins[mt, human]), int(ties[human, mt]))
        assert found == LAEUBLI[part.level, part.criterion]
