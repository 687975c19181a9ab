"""What all benchmarks share: real text, fair timing, one table."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.history import note

Lines = list[str]
Score = Callable[[Lines, Lines], float]
"""Scores one system against one reference, from lists of strings to a number: everything in between counts."""


@dataclass(frozen=True)
class TestSet:
    """The outputs of many systems, and a reference."""

    systems: tuple[Lines, ...]
    reference: Lines

    def every(self, step: int) -> TestSet:
        """A sample of the segments, for rivals that take too long."""
        return TestSet(tuple(system[::step] for system in self.systems), self.reference[::step])

    @property
    def segments(self) -> int:
        """How many hypotheses there are in all."""
        return sum(map(len, self.systems))


def lines(path: Path) -> Lines:
    """The lines of a file, split at newlines only."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def data_set(name: str) -> Path:
    """The directory of a data set."""
    default = Path(__file__).parents[2] / "shared" / "data"
    directory = Path(os.environ.get("KARAT_SHARED_DATA", default)) / name
    if not directory.is_dir():
        raise SystemExit(f"no data set at {directory}: set KARAT_SHARED_DATA to the directory of the data sets")
    return directory


def wmt21() -> TestSet:
    """WMT21 news, English to German: 14 systems, 1,002 segments, reference C."""
    directory = data_set("wmt21-news-ende")
    systems = sorted((directory / "system-outputs").glob("*.txt"))
    return TestSet(tuple(map(lines, systems)), lines(directory / "references" / "refC.de"))


@dataclass(frozen=True)
class Spent:
    """Seconds that something took: on the clock, and of processor time on all threads."""

    clock: float
    processor: float

    @classmethod
    def on(cls, work: Callable[[], object]) -> Spent:
        """What one run takes."""
        clock, processor = time.perf_counter(), time.process_time()
        work()
        return cls(time.perf_counter() - clock, time.process_time() - processor)

    @classmethod
    def least(cls, runs: Sequence[Spent]) -> Spent:
        """The least of each, because noise only ever adds."""
        return cls(min(run.clock for run in runs), min(run.processor for run in runs))


def microseconds(score: Score, testset: TestSet, repeats: int) -> Spent:
    """Per segment, from the fastest of several runs for each system."""
    least = [
        Spent.least([Spent.on(partial(score, system, testset.reference)) for _ in range(repeats)])
        for system in testset.systems
    ]
    scale = 1e6 / testset.segments
    return Spent(scale * sum(one.clock for one in least), scale * sum(one.processor for one in least))


@dataclass(frozen=True)
class Entrant:
    """One tool: how it scores, how often it is timed, and on which share of the segments."""

    score: Score
    repeats: int = 5
    every: int = 1


def race(title: str, testset: TestSet, ours: Mapping[str, Entrant], rivals: Mapping[str, Entrant]) -> None:
    """Time everyone in turn, and print how many times as long as ours each rival takes.

    Beside the clock stands processor time, which other work on the machine distorts less.
    """
    times = {
        name: microseconds(one.score, testset.every(one.every), one.repeats) for name, one in {**ours, **rivals}.items()
    }
    clock = {name: spent.clock for name, spent in times.items()}
    processor = {name: spent.processor for name, spent in times.items()}
    _show_and_note(title, ours, rivals, clock)
    _show_and_note(f"{title}, processor", ours, rivals, processor)


def _show_and_note(
    title: str, ours: Mapping[str, Entrant], rivals: Mapping[str, Entrant], times: Mapping[str, float]
) -> None:
    print(f"\n{title}")
    print(f"  {'':22}{'us/segment':>12}" + "".join(f"{f'x {name}':>20}" for name in ours))
    for name, spent in times.items():
        ratios = "".join(f"{spent / times[own]:>20.1f}" for own in ours)
        print(f"  {name:22}{spent:>12.2f}{ratios if name in rivals else ''}")
    for own in ours:
        for rival in rivals:
            note(title, own, rival, times[rival] / times[own])


def check_equal(testset: TestSet, first: Score, second: Score, tolerance: float = 1e-9) -> None:
    """A race between tools that disagree would mean nothing."""
    for system in testset.systems:
        one, other = first(system, testset.reference), second(system, testset.reference)
        if abs(one - other) > tolerance:
            raise SystemExit(f"the scores differ: {one} and {other}")


def chosen(names: Sequence[str], available: Mapping[str, Callable[[], None]]) -> list[Callable[[], None]]:
    """The benchmarks named on the command line, or all of them."""
    if unknown := set(names) - set(available):
        raise SystemExit(f"no benchmark {', '.join(unknown)}; there is: {', '.join(available)}")
    return [run for name, run in available.items() if not names or name in names]
