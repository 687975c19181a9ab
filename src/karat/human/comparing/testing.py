"""Which system people preferred to which: one paired test of every two systems, on the units where they met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.errors import InputError
from karat.human.comparing.wins import expected_wins
from karat.human.ordering.order import TestedOrder
from karat.human.ordering.paired import TestedPairs, compared, named_test, order_of, out_of_reach, pair_result
from karat.human.ordering.shared import wins_in_a_circle
from karat.human.results import PairResult
from karat.identity import Identity
from karat.quick_dataclasses import dataclass
from karat.significance.alike import drawn_unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.comparing.comparisons import Comparisons
    from karat.human.ordering.order import Order
    from karat.human.plan import AnalysisPlan

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]


def units_of(used: Comparisons, plan: AnalysisPlan, level: str) -> tuple[str, Codes]:
    """What is drawn at random, and the unit of each comparison: documents where all are known, else segments.

    Comparisons in one ranking, or of one segment, are not independent of each other.
    """
    known = bool((used.document >= 0).all())
    if plan.unit == "document" and not known:
        raise InputError("--unit document needs the document of every comparison: give a file that tells it")
    if known and drawn_unit(len(np.unique(used.document)), plan.unit)[0] == "document":
        return "document", used.document
    if len(np.unique(used.segment)) > 1:
        return "document" if level == "document" else "segment", used.segment
    return "ranking", used.ranking


def despite_documents(used: Comparisons, plan: AnalysisPlan, unit: str) -> Iterator[Diagnostic]:
    """A warning where segments are drawn that come from fewer documents, which are known."""
    documents = len(np.unique(used.document))
    if unit == "segment" and (used.document >= 0).all() and documents < len(np.unique(used.segment)):
        yield from drawn_unit(documents, plan.unit)[1]


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two systems where they met: how it went, and wins and comparisons of second and first by unit (by two by two)."""

    first: str
    second: str
    wins: int
    losses: int
    ties: int
    segments: int
    values: Floats

    @classmethod
    def of(cls, used: Comparisons, units: Codes, pair: tuple[int, int]) -> Meeting:
        """From comparisons in which the systems of each entry are in order."""
        mine = (used.first == pair[0]) & (used.second == pair[1])
        outcome = used.outcome[mine]
        _, unit = np.unique(units[mine], return_inverse=True)
        met, won = np.bincount(unit).astype(np.float64), np.bincount(unit, (1 + outcome) / 2)
        wins, losses, ties = (int(np.count_nonzero(outcome == kind)) for kind in (1, -1, 0))
        return cls(
            first=used.systems[pair[0]],
            second=used.systems[pair[1]],
            wins=wins,
            losses=losses,
            ties=ties,
            segments=len(np.unique(used.segment[mine])),
            values=np.stack([np.stack([met - won, met], axis=1), np.stack([won, met], axis=1)], axis=1),
        )

    @property
    def names(self) -> tuple[str, str]:
        """Both systems."""
        return self.first, self.second

    @property
    def counts(self) -> dict[str, int]:
        """How often the first system won, lost and tied."""
        return {"wins": self.wins, "losses": self.losses, "ties": self.ties}

    def untested(self) -> PairResult:
        """The pair with what is known of it without a test."""
        difference = (self.wins - self.losses) / sum(self.counts.values())
        return PairResult(
            self.first,
            self.second,
            difference,
            None,
            None,
            significant=False,
            reachable=False,
            segments=self.segments,
            details=self.counts,
        )


def meetings(used: Comparisons, units: Codes) -> list[Meeting]:
    """All pairs of systems that were compared."""
    ordered = used.canonical
    met = set(zip(ordered.first.tolist(), ordered.second.tolist(), strict=True))
    return [Meeting.of(ordered, units, pair) for pair in combinations(range(len(used.systems)), 2) if pair in met]


def by_pair_tests(used: Comparisons, units: Codes, plan: AnalysisPlan, unit: str) -> TestedOrder:
    """Test the share of wins of every two systems that met, a tie being half a win of each."""
    if plan.test == "rank-sum":
        raise InputError("the rank-sum test takes values, and these are comparisons: leave out --test rank-sum")
    if plan.unpaired:
        raise InputError("comparisons are made of pairs: leave out --unpaired")
    met, identity = meetings(used, units), Identity.of_scores("comparisons")
    tested = [
        TestedPairs.of([meeting.second, meeting.first], meeting.values, [(0, 1)], identity)
        for meeting in met
        if _enough(meeting)
    ]
    comparisons = compared(tested, plan, unit) if tested else ()
    by_names = {(pair.system, pair.baseline): pair for pair in comparisons}
    pairs = tuple(
        pair_result(by_names[meeting.names], segments=meeting.segments, **meeting.counts)
        if _enough(meeting)
        else meeting.untested()
        for meeting in met
    )
    order = order_of(used.systems, expected_wins(used.counts()), pairs, higher_is_better=True)
    method = f"expected wins over {len(used):,} comparisons"
    if comparisons:
        method += f"; {named_test(comparisons, plan, unit)}"
    notes = (*out_of_reach(comparisons), *_not_tested(used, pairs, unit), *wins_in_a_circle(pairs))
    return TestedOrder(order, pairs, method, notes)


def _enough(meeting: Meeting) -> bool:
    """Whether two systems met in several units, so that there is something to draw from."""
    return len(meeting.values) > 1


def _not_tested(used: Comparisons, pairs: Sequence[PairResult], unit: str) -> Iterator[Diagnostic]:
    """How many pairs of systems never met, or met in one unit only."""
    every = len(used.systems) * (len(used.systems) - 1) // 2
    untested = every - sum(pair.p is not None for pair in pairs)
    if untested:
        verb = "is" if untested == 1 else "are"
        yield Diagnostic(
            "not-tested",
            f"{untested} of {every} pairs of systems {verb} not tested, which met in fewer than two {unit}s: compare "
            "them more often",
        )


def clustered_pairs(used: Comparisons, order: Order) -> tuple[PairResult, ...]:
    """The pairs of systems that met, where clusters tell which of them differ."""
    place = {name: i for i, name in enumerate(used.systems)}
    pairs = []
    for meeting in meetings(used, used.segment):
        first, second = place[meeting.first], place[meeting.second]
        better = meeting.first if order.scores[first] >= order.scores[second] else meeting.second
        differ = order.clusters[first] != order.clusters[second]
        pairs.append(replace(meeting.untested(), significant=differ, better=better, reachable=True))
    return tuple(pairs)
