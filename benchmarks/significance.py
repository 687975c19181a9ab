"""Significance tests beside sacreBLEU's, and all pairs of many systems.

Both tools go from strings to p-values, and everything they do counts: tokens, rows, draws. karat adds intervals of the
differences and shares of wins. sacreBLEU takes about a minute, so it is timed once. Beside the time on the clock stands
that of the processor, all threads together, which a busy machine distorts less.
"""

from __future__ import annotations

import logging
import resource
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

import karat
from benchmarks.harness import TestSet, wmt21
from benchmarks.history import note
from karat.identity import Identity
from karat.metrics.base import Metric
from karat.rows import Rows
from karat.significance import Comparison, Options, rank

KINDS = {"bootstrap": "bs", "randomization": "ar"}
SPECS = ("bleu", "chrf")


def own(testset: TestSet, kind: str) -> tuple[Comparison, ...]:
    """All systems against the first, by karat."""
    systems = {f"system {i}": texts for i, texts in enumerate(testset.systems)}
    return karat.compare(karat.score(systems, testset.reference, SPECS), test=kind)


def peer(testset: TestSet, kind: str) -> list[float]:
    """The same by sacreBLEU: the p-values of BLEU, then those of chrF."""
    metrics = {"BLEU": BLEU(references=[testset.reference]), "chrF2": CHRF(references=[testset.reference])}
    named = [(f"system {i}", texts) for i, texts in enumerate(testset.systems)]
    _, columns = PairedTest(named, metrics, None, test_type=KINDS[kind])()
    return [result.p_value for name in metrics for result in columns[name][1:]]


def timed(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The fastest of several runs, because noise only ever adds: on the clock, and of the processor."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return min(clock for clock, _ in times), min(processor for _, processor in times)


def significance() -> None:
    """Paired bootstrap (1,000) and randomisation (10,000) of all systems against the first."""
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    testset = wmt21()
    for kind in KINDS:
        ours, theirs = timed(partial(own, testset, kind), 5), timed(partial(peer, testset, kind), 1)
        print(f"\n{kind}: {len(testset.systems)} systems, BLEU and chrF, from strings to p-values")
        print(f"  {'':22}{'clock':>12}{'processor':>12}{'x clock':>12}{'x processor':>14}")
        print(f"  {'karat':22}{ours[0]:>10.2f} s{ours[1]:>10.2f} s")
        note(f"{kind}, processor time", "karat", "sacreBLEU 2.6.0", theirs[1] / ours[1])
        ratios = f"{theirs[0] / ours[0]:>12.1f}{theirs[1] / ours[1]:>14.1f}"
        print(f"  {'sacreBLEU 2.6.0':22}{theirs[0]:>10.2f} s{theirs[1]:>10.2f} s{ratios}")


def all_pairs() -> None:
    """All pairs of 50 made-up systems under 5 metrics over 2,000 segments, with 10,000 shuffles: time and memory."""
    rng = np.random.default_rng(0)
    metrics = [karat.metric(spec) for spec in ("bleu", "bleu(max_order=2)", "bleu(smooth=floor)", "chrf", "chrf++")]
    tables = [made_up(metric, rng, systems=50, segments=2000) for metric in metrics]
    start = time.perf_counter()
    found = rank(tables, Options(n=10_000))
    seconds = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 2**10
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30
    drawn = found.comparisons[0].n
    print("\nall pairs: 50 systems x 5 metrics x 2,000 segments")
    print(f"  {len(found.comparisons):,} comparisons, n = {drawn:,}")
    print(f"  karat                 {seconds:>9.2f} s   {used:.2f} GB at most")


def made_up(metric: Metric, rng: np.random.Generator, *, systems: int, segments: int) -> dict[str, Rows]:
    """Rows with plausible counts; what they are does not change the time."""
    shape = (segments, len(metric.columns))
    base = rng.integers(15, 60, size=shape)
    return {
        f"system {i}": Rows(
            base + rng.integers(-5, 6, size=shape), metric.columns, metric.aggregate, Identity.of_scores(metric.spec)
        )
        for i in range(systems)
    }
