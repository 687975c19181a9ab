"""TER against sacreBLEU on fourteen systems of WMT21 English-German, in one run.

Both get lists of strings, and everything they do counts. sacreBLEU takes milliseconds for a segment, so it is timed on
every twentieth one (`--every`), and karat on all of them; on the common ones, the scores have to be equal.

    python benchmarks/bench_ter.py DATA/wmt21-news-ende
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import sacrebleu

from karat.metrics.ter import Ter

Texts = list[list[str]]


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def fastest(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def with_karat(systems: Texts, references: list[str], threads: int) -> list[float]:
    prepared = Ter().prepare(references, threads)
    return [prepared.rows(system).score for system in systems]


def with_sacrebleu(systems: Texts, references: list[str]) -> list[float]:
    metric = sacrebleu.TER(references=[references])
    return [metric.corpus_score(system, None).score for system in systems]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    references = lines_of(options.directory / "references" / "refC.de")
    systems = [lines_of(path) for path in sorted((options.directory / "system-outputs").glob("*.txt"))]
    few, few_references = [system[:: options.every] for system in systems], references[:: options.every]
    if with_karat(few, few_references, 1) != with_sacrebleu(few, few_references):
        raise SystemExit("the scores differ")
    peer = fastest(lambda: with_sacrebleu(few, few_references), 2) / sum(map(len, few))
    print(f"sacreBLEU {sacrebleu.__version__}       {1e6 * peer:8.1f} us/segment")
    for threads in (1, 2):
        own = fastest(lambda n=threads: with_karat(systems, references, n), options.repeats) / sum(map(len, systems))
        print(f"karat, {threads} thread{'s' * (threads > 1):1}      {1e6 * own:8.1f} us/segment   {peer / own:6.0f} x")


if __name__ == "__main__":
    main()
