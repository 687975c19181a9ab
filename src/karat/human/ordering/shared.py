"""What two systems can be compared on: the segments that both were judged on, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.human.results import PairResult
from karat.quick_dataclasses import dataclass
from karat.significance.circles import around, circle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.scales.judgements import ItemMeans

    Bools = NDArray[np.bool_]

PAIRS_NAMED = 3


@dataclass(frozen=True, eq=False)
class Couple:
    """Two systems, the segments that their comparison is made on, and how many both were judged on."""

    first: int
    second: int
    kept: Bools
    shared: int

    def difference(self, items: ItemMeans) -> float | None:
        """First mean minus second, over the segments of the comparison; None where a system has none of them."""
        means = items.taken(self.kept, (self.first, self.second)).system_means()
        return float(means[0] - means[1]) if np.isfinite(means).all() else None

    def untested(self, names: Sequence[str], items: ItemMeans, *, higher_is_better: bool) -> PairResult:
        """The pair with what is known of it without a test."""
        return PairResult(
            names[self.first],
            names[self.second],
            self.difference(items),
            None,
            None,
            significant=False,
            higher_is_better=higher_is_better,
            reachable=False,
            segments=self.shared,
        )


def couples(items: ItemMeans, *, unpaired: bool = False) -> list[Couple]:
    """All pairs of the systems that were judged, on shared segments, or on everything where they are unpaired."""
    judged = np.flatnonzero(items.present.any(axis=0)).tolist()
    made = []
    for first, second in combinations(judged, 2):
        both = items.present[:, first] & items.present[:, second]
        kept = np.asarray(items.present.any(axis=1)) if unpaired else both
        made.append(Couple(first, second, kept, int(both.sum())))
    return made


def notes_on_sharing(
    pairs: Sequence[PairResult], names: Sequence[str], items: ItemMeans, unit: str, *, unpaired: bool
) -> Iterator[Diagnostic]:
    """On how many segments systems were compared where these are not all, and which pairs were not tested."""
    each, total = items.present.sum(axis=0), int(items.present.any(axis=1).sum())
    judged = [i for i in range(len(names)) if each[i]]
    if len(judged) == 1:
        yield Diagnostic("one-system", f"there is one system only, {names[judged[0]]}: nothing is compared")
    elif unpaired:
        counts = ", ".join(f"{names[i]} {each[i]:,}" for i in judged)
        yield Diagnostic(
            "unpaired", f"unpaired, each system on whatever was judged of it: {counts} of {_segments(total)}"
        )
    elif not any(pair.segments for pair in pairs):
        yield Diagnostic(
            "nothing-shared",
            "no two systems were judged on the same segment, so that nothing can be paired and nothing is ranked: let "
            "systems share segments, or compare them on different ones with karat human --unpaired",
        )
        return
    else:
        yield from _partly_shared(pairs, total)
    yield from _not_tested(pairs, unit, unpaired=unpaired)


def _partly_shared(pairs: Sequence[PairResult], total: int) -> Iterator[Diagnostic]:
    counts = sorted(pair.segments or 0 for pair in pairs if pair.p is not None)
    if counts and counts[0] < total:
        spread = f"{counts[0]:,}" if counts[0] == counts[-1] else f"{counts[0]:,} to {counts[-1]:,}"
        yield Diagnostic(
            "shared-segments",
            f"two systems are compared on the segments that both were judged on, {spread} of {total:,}; the mean of a "
            "system is that of all its segments",
        )


def _not_tested(pairs: Sequence[PairResult], unit: str, *, unpaired: bool) -> Iterator[Diagnostic]:
    """Pairs that share too little, or of which one has too little where they are unpaired."""
    untested = [pair for pair in pairs if pair.p is None]
    if not untested:
        return
    some = f"{len(untested)} of {len(pairs)} pairs {'is' if len(untested) == 1 else 'are'} not tested"
    subject = "no two systems are compared" if len(untested) == len(pairs) else some
    named = ", ".join(f"{pair.first} and {pair.second}" for pair in untested[:PAIRS_NAMED])
    more = f" and {len(untested) - PAIRS_NAMED} more" if len(untested) > PAIRS_NAMED else ""
    why = f"one of both was judged on a single {unit}" if unpaired else f"both were judged on fewer than two {unit}s"
    helped = unit == "document" and (unpaired or any((pair.segments or 0) > 1 for pair in untested))
    segments = ", or take segments with --unit segment" if helped else ""
    remedy = "judge more of it" if unpaired else f"let systems share more {unit}s"
    yield Diagnostic("not-tested", f"{subject}, where {why}: {named}{more}; {remedy}{segments}")


def _segments(count: int) -> str:
    return "1 segment" if count == 1 else f"{count:,} segments"


def wins_in_a_circle(pairs: Sequence[PairResult]) -> Iterator[Diagnostic]:
    """A note where no order agrees with all that the tests show, which ranks cannot tell."""
    significant = [pair for pair in pairs if pair.significant and pair.better is not None]
    wins = [(str(pair.better), pair.second if pair.better == pair.first else pair.first) for pair in significant]
    if round_trip := circle(wins):
        shown = ", ".join(f"{winner} beats {loser}" for winner, loser in around(round_trip))
        yield Diagnostic("circle", f"no order agrees with all that the tests show: {shown}")
