"""What one installed karat takes: a script for the Python that has it, importing nothing beyond the standard library.

`python installed.py TASK...` prints a line of JSON: for each task the least processor time of several runs in this
process, of all threads, in seconds, and a hash of what came out.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import karat

LEAST_SECONDS = 0.4
"""How long a task is repeated: short ones often, because noise only ever adds."""

Texts = tuple[dict[str, list[str]], list[str]]


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


@cache
def texts(size: str) -> Texts:
    """The systems and the reference of the sample, or of WMT21 English to German."""
    if size == "small":
        directory = Path(karat.__file__).parent / "sample" / "data"
        return {path.stem: _lines(path) for path in _sample_systems(directory)}, _lines(directory / "refA.en.txt")
    directory = Path(os.environ["KARAT_SHARED_DATA"]) / "wmt21-news-ende"
    outputs = sorted((directory / "system-outputs").glob("*.txt"))
    return {path.stem: _lines(path) for path in outputs}, _lines(directory / "references" / "refC.de")


def _sample_systems(directory: Path) -> list[Path]:
    return [directory / f"{name}.txt" for name in ("literal", "glossary", "fluent", "neural")]


@cache
def scores(size: str) -> object:
    """The scores of all systems, which tests start from."""
    return karat.score(*texts(size), metrics=["bleu", "chrf"])


def score(size: str, spec: str) -> list[float]:
    """All systems under one metric."""
    return [system.score for system in karat.score(*texts(size), metrics=[spec])]


def compare(size: str, test: str) -> list[tuple[object, ...]]:
    """All systems against the first."""
    return [_numbers(pair) for pair in karat.compare(scores(size), test=test)]


def rank(size: str, test: str) -> list[tuple[object, ...]]:
    """All pairs of systems."""
    ranking = karat.rank(scores(size), test=test)
    places = [(place.metric, place.system, place.rank_low, place.rank_high, place.cluster) for place in ranking.ranking]
    return [_numbers(pair) for pair in ranking.comparisons] + places


def bootstrap(size: str) -> list[float]:
    """An interval for each system under BLEU and chrF."""
    return [bound for system in scores(size) for bound in _interval(karat.bootstrap(system))]


def numbers(size: str, *, ranked: bool) -> list[object]:
    """Plain numbers of two or four systems, a small and a large test set."""
    count = 60 if size == "small" else 20_000
    names = ("a", "b", "c", "d") if ranked else ("a", "b")
    systems = {name: [(i * (place + 7)) % 101 / 10 for i in range(count)] for place, name in enumerate(names)}
    found = karat.rank(systems).comparisons if ranked else karat.compare(systems)
    return [_numbers(pair) for pair in found]


def _interval(estimate: object) -> list[float]:
    interval = getattr(estimate, "interval", estimate)
    return [interval.low, interval.high]


def _numbers(pair: object) -> tuple[object, ...]:
    names = ("baseline", "system", "difference", "p", "p_adjusted", "wins", "losses", "ties", "effect_size", "units")
    return (*(getattr(pair, name) for name in names), *_interval(pair))


TESTS = ("randomization", "bootstrap", "wilcoxon")
SIZES = ("small", "large")
TASKS: dict[str, Callable[[], object]] = {
    **{f"score {spec} {size}": partial(score, size, spec) for spec in ("bleu", "chrf", "ter") for size in SIZES},
    **{f"compare {test} {size}": partial(compare, size, test) for test in TESTS for size in SIZES},
    **{f"rank {test} {size}": partial(rank, size, test) for test in TESTS for size in SIZES},
    **{f"bootstrap {size}": partial(bootstrap, size) for size in SIZES},
    **{f"compare numbers {size}": partial(numbers, size, ranked=False) for size in SIZES},
    **{f"rank numbers {size}": partial(numbers, size, ranked=True) for size in SIZES},
}


def seconds(task: Callable[[], object]) -> float:
    """The least processor time of one run."""
    times = [_once(task)]
    while sum(times) < LEAST_SECONDS or len(times) < 3:
        times.append(_once(task))
    return min(times)


def _once(task: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    task()
    return time.process_time() - start


def measured(names: Sequence[str]) -> dict[str, tuple[float, str]]:
    """The seconds of each task, and a hash of its outcome to the last bit."""
    outcomes = {name: hashlib.sha256(repr(TASKS[name]()).encode()).hexdigest()[:16] for name in names}
    return {name: (seconds(TASKS[name]), outcomes[name]) for name in names}


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1:] or list(TASKS))))
