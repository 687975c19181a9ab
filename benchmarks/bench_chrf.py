"""How fast chrF and chrF++ are beside sacreBLEU and fastchrf: python benchmarks/bench_chrf.py [DATA SETS].

Every tool gets lists of strings and does everything for every system anew: columns, references, rows, score. fastchrf
has segment scores of plain chrF only, so nothing but those is asked of it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ["RAYON_NUM_THREADS"] = "1"  # before fastchrf is imported

import fastchrf
from sacrebleu.metrics import CHRF

from karat.metrics.chrf import Chrf

REPEATS = 10
Score = Callable[[list[str], list[str]], float]


def read(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def best_time(score: Score, systems: list[list[str]], references: list[str], repeats: int) -> float:
    """Microseconds per segment: for each system the fastest of several runs."""
    total = 0.0
    for hypotheses in systems:
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            score(hypotheses, references)
            times.append(time.perf_counter() - start)
        total += min(times)
    return 1e6 * total / (len(systems) * len(references))


def karat(word_order: int, threads: int) -> Score:
    """The score by karat."""

    def score(hypotheses: list[str], references: list[str]) -> float:
        return Chrf(word_order=word_order).prepare(references, threads).rows(hypotheses).score

    return score


def sacrebleu(word_order: int) -> Score:
    """The score by sacreBLEU."""

    def score(hypotheses: list[str], references: list[str]) -> float:
        return float(CHRF(word_order=word_order).corpus_score(hypotheses, [references]).score)

    return score


def rust(hypotheses: list[str], references: list[str]) -> float:
    """The mean segment score by fastchrf."""
    scores = fastchrf.pairwise_chrf([[line] for line in hypotheses], [[line] for line in references])
    return sum(score[0][0] for score in scores) / len(scores)


def main() -> None:
    """Print microseconds per segment and ratios."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["KARAT_SHARED_DATA"]) / "wmt21-news-ende"
    references = read(data / "references" / "refC.de")
    systems = [read(path) for path in sorted((data / "system-outputs").iterdir())]
    for word_order in (0, 2):
        tools: dict[str, tuple[Score, int]] = {
            "karat, 1 thread": (karat(word_order, 1), REPEATS),
            "karat, 2 threads": (karat(word_order, 2), REPEATS),
            "sacreBLEU 2.6.0": (sacrebleu(word_order), 1),
        }
        if word_order == 0:
            tools["fastchrf 0.2.1"] = (rust, 1)
        print("chrF" + "+" * word_order)
        times = {name: best_time(score, systems, references, repeats) for name, (score, repeats) in tools.items()}
        for name, microseconds in times.items():
            ratios = "  ".join(f"{microseconds / times[ours]:7.1f} x {ours}" for ours in list(times)[:2])
            example = tools[name][0](systems[0], references)
            print(f"{name:18} {microseconds:8.2f} us/segment   {ratios}   e.g. {example:.4f}")


if __name__ == "__main__":
    main()
