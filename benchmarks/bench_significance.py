"""Significance tests against sacreBLEU on fourteen systems of WMT21 English-German, in one run.

Both go from strings to p-values, and everything they do counts: paired bootstrap (1,000) and approximate randomisation
(10,000) of thirteen systems against a baseline, under BLEU and chrF. karat adds the intervals of the differences.
`--grid` times all pairs of 50 made-up systems under 5 metrics over 2,000 segments with 10,000 shuffles, and tells the
memory that it took.

    python benchmarks/bench_significance.py DATA/wmt21-news-ende
    python benchmarks/bench_significance.py --grid
"""

from __future__ import annotations

import argparse
import logging
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from karat.metrics.bleu import Bleu
from karat.metrics.chrf import Chrf
from karat.rows import Rows
from karat.significance import Comparison, Options, compare, rank

Systems = dict[str, list[str]]
NAMES = {"bs": "bootstrap", "ar": "randomization"}


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def timed(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The shortest time on the clock, and the shortest of the processor, which a busy machine distorts less."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return min(clock for clock, _ in times), min(processor for _, processor in times)


def with_karat(systems: Systems, references: list[str], kind: str) -> tuple[Comparison, ...]:
    tables = []
    for metric in (Bleu(), Chrf()):
        prepared = metric.prepare(references)
        tables.append({name: prepared.rows(lines) for name, lines in systems.items()})
    return compare(tables, Options(test=NAMES[kind]))


def with_sacrebleu(systems: Systems, references: list[str], kind: str) -> dict[str, list[float]]:
    from sacrebleu.metrics import BLEU, CHRF
    from sacrebleu.significance import PairedTest

    metrics = {"BLEU": BLEU(references=[references]), "chrF2": CHRF(references=[references])}
    _, columns = PairedTest(list(systems.items()), metrics, None, test_type=kind)()
    return {name: [result.p_value for result in columns[name][1:]] for name in metrics}


def versus_sacrebleu(data: Path) -> None:
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    references = lines_of(data / "references" / "refC.de")
    systems = {path.stem: lines_of(path) for path in sorted((data / "system-outputs").glob("*.txt"))}
    print(f"{len(systems)} systems, {len(references)} segments, BLEU and chrF, from strings to p-values")
    for kind, name in NAMES.items():
        ours = timed(lambda kind=kind: with_karat(systems, references, kind), 3)
        theirs = timed(lambda kind=kind: with_sacrebleu(systems, references, kind), 1)
        for what, mine, other in zip(("clock", "processor"), ours, theirs, strict=True):
            print(f"{name:14} {what:9} karat {mine:7.3f} s   sacreBLEU {other:8.2f} s   {other / mine:6.1f} times")
    p = [one.p for one in with_karat(systems, references, "ar")]
    expected = [value for values in with_sacrebleu(systems, references, "ar").values() for value in values]
    print(f"largest difference of p (randomisation): {np.abs(np.array(p) - expected).max():.4f}")


def grid(systems: int, segments: int, shuffles: int) -> None:
    rng = np.random.default_rng(0)
    metrics = [Bleu(), Bleu(max_order=2), Bleu(smooth="floor"), Chrf(), Chrf(word_order=2)]
    tables = [made_up(metric, rng, systems, segments) for metric in metrics]
    start = time.perf_counter()
    found = rank(tables, Options(n=shuffles))
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{systems} systems x {len(metrics)} metrics x {segments} segments: {len(found.comparisons)} comparisons, "
        f"{found.comparisons[0].n} shuffles (asked for {shuffles}), {seconds:.1f} s, {used:.2f} GB at most"
    )


def made_up(metric: Bleu | Chrf, rng: np.random.Generator, systems: int, segments: int) -> dict[str, Rows]:
    """Rows with plausible counts; what they are does not change the time."""
    shape = (segments, len(metric.columns))
    base = rng.integers(15, 60, size=shape)
    return {
        f"system {i}": Rows(base + rng.integers(-5, 6, size=shape), metric.columns, metric.aggregate, metric.spec)
        for i in range(systems)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the directory wmt21-news-ende")
    parser.add_argument("--grid", action="store_true", help="time all pairs of 50 systems instead")
    arguments = parser.parse_args()
    if arguments.grid:
        grid(50, 2000, 10_000)
    elif arguments.data is None:
        parser.error("name the directory wmt21-news-ende, or ask for --grid")
    else:
        versus_sacrebleu(arguments.data)


if __name__ == "__main__":
    main()
