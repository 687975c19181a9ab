"""What all benchmarks share: real text, fair timing, one table."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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


class Spent(NamedTuple):
    """Microseconds: on the clock, and of all processors together."""

    clock: float
    processor: float


def now(who: int = resource.RUSAGE_SELF) -> Spent:
    """What the clock shows, and what this process, or those that it has waited for, have used so far."""
    used = resource.getrusage(who)
    return Spent(1e6 * time.perf_counter(), 1e6 * (used.ru_utime + used.ru_stime))


def difference(later: Spent, earlier: Spent, segments: int = 1) -> Spent:
    """What was spent between, for each of some segments."""
    return Spent((later.clock - earlier.clock) / segments, (later.processor - earlier.processor) / segments)


def per_segment(score: Score, testset: TestSet, repeats: int) -> Spent:
    """For each system the least of several runs, because noise only ever adds."""
    clock = processor = 0.0
    for system in testset.systems:
        runs = []
        for _ in range(repeats):
            start = now()
            score(system, testset.reference)
            runs.append(difference(now(), start))
        clock += min(run.clock for run in runs)
        processor += min(run.processor for run in runs)
    return Spent(clock / testset.segments, processor / testset.segments)


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
        name: per_segment(one.score, testset.every(one.every), one.repeats) for name, one in {**ours, **rivals}.items()
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
