"""How fast columns are read and cut into tokens, beside sacreBLEU's tokenizers in the same run.

    python benchmarks/bench_tokenizers.py FILE ... [--threads N]

Each file holds one segment per line. sacreBLEU's cache of tokenised lines is left out, as every line is new to it once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from sacrebleu.metrics.bleu import _get_tokenizer

from karat import kernels

TOKENIZERS = ("13a", "intl", "zh", "zh-fixed", "char", "none")
REPEATS = 9


def best_time(work: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def sacrebleu_tokens(name: str, lines: list[str]) -> list[list[str]]:
    """What sacreBLEU does to each line, without its cache."""
    tokenizer = _get_tokenizer(name)()
    call = getattr(type(tokenizer).__call__, "__wrapped__", type(tokenizer).__call__)
    return [call(tokenizer, line.rstrip()).split() for line in lines]


def report(label: str, seconds: float, segments: int, size: int, rival: float | None = None) -> None:
    """One line of the table."""
    ratio = f"{rival / seconds:8.0f} x" if rival else ""
    theirs = f"{rival / segments * 1e6:10.2f}" if rival else " " * 10
    print(f"{label:20}{seconds / segments * 1e6:10.3f}{size / seconds / 1e6:10.0f}{theirs}{ratio}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    data = b"".join(path.read_bytes() for path in arguments.files)
    text = kernels.split_lines(data)
    lines = text.to_list()
    size = len(text.arena())
    print(f"{len(lines)} segments of {size / len(lines):.0f} bytes; sacreBLEU {version('sacrebleu')}")
    print(f"{'':20}{'us/segm.':>10}{'MB/s':>10}{'sacreBLEU':>10}{'ratio':>9}")
    report("read lines", best_time(lambda: kernels.split_lines(data), REPEATS), len(lines), size)
    report("read list", best_time(lambda: kernels.Text(lines), REPEATS), len(lines), size)
    for name in TOKENIZERS:
        ours = best_time(lambda name=name: kernels.tokenize(text, name, arguments.threads), REPEATS)  # type: ignore[misc]
        rival = None
        if name != "zh-fixed":
            rival = best_time(lambda name=name: sacrebleu_tokens(name, lines), 2)  # type: ignore[misc]
        report(name, ours, len(lines), size, rival)


if __name__ == "__main__":
    main()
