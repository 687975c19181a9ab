"""How fast BLEU is beside sacreBLEU and bleuscore: python benchmarks/bench_bleu.py [DATA SETS].

Every tool gets lists of strings and does everything for every system anew: columns, tokens, references, rows, score.
The text is tokenised beforehand, because tokenizers have their own benchmark; bleuscore cannot leave out its own.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ["RAYON_NUM_THREADS"] = "1"  # before bleuscore is imported

import bleuscore
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from karat.metrics.bleu import Bleu

REPEATS = 20
Score = Callable[[list[str], list[str]], float]


def read(path: Path) -> list[str]:
    """The lines of a file, tokenised."""
    tokenize = Tokenizer13a()
    return [tokenize(line) for line in path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")]


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


def karat(threads: int) -> Score:
    """The score by karat."""
    return lambda hypotheses, references: Bleu(tokenize="none").prepare(references, threads).rows(hypotheses).score


def sacrebleu(hypotheses: list[str], references: list[str]) -> float:
    """The score by sacreBLEU."""
    return float(BLEU(tokenize="none", force=True).corpus_score(hypotheses, [references]).score)


def rust(hypotheses: list[str], references: list[str]) -> float:
    """The score by bleuscore, which tokenises once more."""
    scores = bleuscore.compute([[line] for line in references], hypotheses, ref_len_method="closest")
    return 100 * float(scores["bleu"])


def main() -> None:
    """Print microseconds per segment and ratios."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["KARAT_SHARED_DATA"]) / "wmt21-news-ende"
    references = read(data / "references" / "refC.de")
    systems = [read(path) for path in sorted((data / "system-outputs").iterdir())]
    tools: dict[str, tuple[Score, int]] = {
        "karat, 1 thread": (karat(1), REPEATS),
        "karat, 2 threads": (karat(2), REPEATS),
        "bleuscore 0.2.0": (rust, 3),
        "sacreBLEU 2.6.0": (sacrebleu, 1),
    }
    times = {name: best_time(score, systems, references, repeats) for name, (score, repeats) in tools.items()}
    for name, microseconds in times.items():
        ratios = "  ".join(f"{microseconds / times[ours]:7.1f} x {ours}" for ours in list(times)[:2])
        print(
            f"{name:18} {microseconds:8.2f} us/segment   {ratios}   e.g. {tools[name][0](systems[0], references):.4f}"
        )


if __name__ == "__main__":
    main()
