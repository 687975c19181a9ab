"""Meta-evaluation of WMT23 English to German beside the plain way: scipy, NumPy and all pairs of units.

mt-metrics-eval itself is not on PyPI: what bears its name there (0.0.1) is a placeholder by somebody else. The plain
way has correlations by scipy, pairs of a segment as matrices, the best epsilon by trying, and every permutation
computed anew. A few permutations of it are timed, and the time is scaled up.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from karat.corpus.given_scores import GivenScores
from karat.corpus.given_scores.mtme import read_mtme_directory
from karat.meta import compare_metrics, evaluate

Table = NDArray[np.float64]
PERMUTATIONS, TIMED = 1000, 4


def wmt23() -> tuple[Table, dict[str, Table]]:
    """MQM and the ten metrics with segment scores: 12 systems by 460 judged segments."""
    default = Path(__file__).parents[2] / "shared" / "data"
    directory = Path(os.environ.get("KARAT_SHARED_DATA", default)) / "wmt23-mtme-ende" / "wmt23"
    if not directory.is_dir():
        raise SystemExit(f"no data set at {directory}: set KARAT_SHARED_DATA to the directory of the data sets")
    found = read_mtme_directory(str(directory), "en-de")

    def table(given: GivenScores, systems: list[str]) -> Table:
        return np.array([list(given.systems[name].values()) for name in systems], dtype=float)

    (gold,) = [one for one in found.judgements if one.level == "segment"]
    systems = [name for name in gold.systems if name not in found.humans]
    people = table(gold, systems)
    judged = np.isfinite(people).all(axis=0)
    metrics = {one.name: table(one, systems)[:, judged] for one in found.metrics if one.level == "segment"}
    return people[:, judged], metrics


def plain_correlations(gold: Table, scores: Table) -> list[float]:
    """Pearson, Spearman and Kendall b: all together, by item, by system."""
    made = []
    groups = [
        [(gold.ravel(), scores.ravel())],
        list(zip(gold.T, scores.T, strict=True)),
        list(zip(gold, scores, strict=True)),
    ]
    for test in (stats.pearsonr, stats.spearmanr, stats.kendalltau):
        for pairs in groups:
            varied = [(x, y) for x, y in pairs if x.std() > 0 and y.std() > 0]
            made.append(float(np.mean([test(x, y)[0] for x, y in varied])))
    return made


def plain_differences(table: Table) -> Table:
    """The differences of all pairs of systems of every item, items by systems by systems."""
    return table.T[:, :, np.newaxis] - table.T[:, np.newaxis, :]


def plain_accuracy(gold: Table, scores: Table, epsilon: float) -> float:
    """Accuracy with ties by item, from matrices of all pairs."""
    by_people, by_metric = plain_differences(gold), plain_differences(scores)
    tied = np.abs(by_metric) <= epsilon
    right = np.where(tied, by_people == 0, (by_people != 0) & (np.sign(by_people) == np.sign(by_metric)))
    upper = np.triu_indices(len(gold), 1)
    return float(right[:, upper[0], upper[1]].mean())


def plain_calibration(gold: Table, scores: Table, candidates: int = 100) -> float:
    """The best of some epsilons; trying all 30,360 would take three hundred times as long."""
    differences = np.unique(np.abs(plain_differences(scores)))
    tried = differences[:: max(1, len(differences) // candidates)]
    return max(plain_accuracy(gold, scores, float(epsilon)) for epsilon in tried)


def plain_permutations(gold: Table, first: Table, second: Table, count: int) -> list[tuple[float, float]]:
    """Differences of Pearson and of accuracy when scores of the two metrics change places at random."""
    rng = np.random.default_rng(0)
    a, b = ((table - table.mean()) / table.std() for table in (first, second))
    made = []
    for _ in range(count):
        swap = rng.random(gold.shape) < 0.5
        x, y = np.where(swap, b, a), np.where(swap, a, b)
        linear = stats.pearsonr(gold.ravel(), x.ravel())[0] - stats.pearsonr(gold.ravel(), y.ravel())[0]
        made.append((float(linear), plain_accuracy(gold, x, 0.0) - plain_accuracy(gold, y, 0.0)))
    return made


def seconds(work: Callable[[], object]) -> float:
    """How long something takes, on the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def own_measures(gold: Table, metrics: dict[str, Table]) -> None:
    """The measures of the plain way and calibrated accuracy, with intervals, by karat."""
    for scores in metrics.values():
        for name in ("pearson", "spearman", "kendall-b"):
            for grouping in ("none", "item", "system"):
                evaluate(name, gold, scores, grouping)  # type: ignore[arg-type]
        evaluate("acc-eq", gold, scores, "item")


def own_comparisons(gold: Table, metrics: dict[str, Table]) -> None:
    """PERM-BOTH of all pairs of metrics under Pearson and under calibrated accuracy."""
    compare_metrics(gold, metrics, "pearson", "none")
    compare_metrics(gold, metrics, "acc-eq", "item")


def meta() -> None:
    """Ten metrics: correlations, calibrated ties, and PERM-BOTH over all 45 pairs with 1,000 permutations."""
    gold, metrics = wmt23()
    pairs = list(combinations(metrics.values(), 2))
    own = min(seconds(lambda: own_measures(gold, metrics)) for _ in range(3))
    plain = seconds(lambda: [plain_correlations(gold, scores) for scores in metrics.values()])
    calibration = seconds(lambda: [plain_calibration(gold, scores) for scores in metrics.values()])
    _row("measures of 10 metrics", own, plain + calibration, "100 epsilons of 30,360 tried")
    own = min(seconds(lambda: own_comparisons(gold, metrics)) for _ in range(3))
    timed = seconds(lambda: [plain_permutations(gold, *pair, TIMED) for pair in pairs[:5]])
    scaled = timed * len(pairs) / 5 * PERMUTATIONS / TIMED
    _row("PERM-BOTH of 45 pairs", own, scaled, f"{TIMED} permutations of 5 pairs, scaled up")


def _row(what: str, own: float, plain: float, note: str) -> None:
    note(what, "karat", "plain scipy, NumPy", plain / own)
    print(f"\n{what}: WMT23 en-de, 12 systems, 460 segments")
    print(f"  {'karat':22}{own:>10.2f} s")
    print(f"  {'plain scipy, NumPy':22}{plain:>10.2f} s{plain / own:>12.1f} x   ({note})")
