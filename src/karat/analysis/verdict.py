"""The verdict: who is best under which measure, how much of the order is shown, and where people see it otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.evidence import Units
    from karat.findings import Findings, MeasureFindings
    from karat.identity import Identity
    from karat.significance import Comparison

MOST_CONTENDERS = 4

Winners = Mapping[frozenset[str], str]
"""The winner of each pair of systems that has one."""


@dataclass(frozen=True)
class MeasureVerdict:
    """Who is best under one measure; all that is said here follows from the tests of its pairs.

    `first` are the systems of the first cluster in order, if the tests tell any two systems apart. `best` is the system
    that beats every other one. `lead` is its comparison with the best scored of the others.
    """

    identity: Identity
    systems: tuple[str, ...]
    first: tuple[str, ...]
    best: str | None
    lead: Comparison | None
    pairs: tuple[Comparison, ...]

    @property
    def open(self) -> tuple[Comparison, ...]:
        """The pairs that are not told apart."""
        return tuple(pair for pair in self.pairs if pair.winner is None)

    @property
    def unbeaten(self) -> tuple[str, ...]:
        """The systems that no other one beats, in order; all of them if no two are told apart."""
        beaten = {pair.loser for pair in self.pairs if pair.winner is not None}
        return tuple(name for name in self.systems if name not in beaten)

    @property
    def contenders(self) -> tuple[tuple[str, str], ...]:
        """The pairs that it is between: the best system and the next by score, else all that share first place.

        Of many that share it, those with the best scores; where one is unbeaten and yet not best, it and the next.
        """
        if self.lead is not None and self.best is not None:
            return ((self.best, next(name for name in (self.lead.system, self.lead.baseline) if name != self.best)),)
        share = self.unbeaten if len(self.unbeaten) > 1 else (*self.unbeaten, *self.systems)
        return tuple(combinations(list(dict.fromkeys(share))[: MOST_CONTENDERS if share == self.unbeaten else 2], 2))

    @property
    def of_best(self) -> tuple[Comparison, ...]:
        """The pairs of the best system and the others."""
        return tuple(pair for pair in self.pairs if self.best in (pair.system, pair.baseline))

    @property
    def largest_p(self) -> float:
        """The largest corrected p of the best system against another."""
        return max(pair.p_adjusted for pair in self.of_best)

    @property
    def winners(self) -> Winners:
        """The winner of each pair that is told apart."""
        return {frozenset((pair.system, pair.baseline)): pair.winner for pair in self.pairs if pair.winner is not None}


@dataclass(frozen=True)
class Dispute:
    """Two systems of which one wins under some measures and the other under others, or among people."""

    winner: str
    loser: str
    measures: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What a reader wants to know first, as facts: a sentence about them claims no more than they hold."""

    measures: tuple[MeasureVerdict, ...]
    units: Units
    disputes: tuple[Dispute, ...] = ()
    reversals: tuple[Dispute, ...] = ()

    @property
    def best(self) -> str | None:
        """The system that beats every other one under every measure."""
        names = {measure.best for measure in self.measures}
        return names.pop() if len(names) == 1 else None


def verdict(findings: Findings, judged: Mapping[str, Winners] | None = None) -> Verdict:
    """The verdict of a ranking; `judged` has the winners among people by what they were asked.

    A dispute is a pair of systems that measures decide differently; a reversal one that all measures decide in the same
    way, and people in the other.
    """
    measures = tuple(_measure(measure) for measure in findings.measures)
    by_measure = {measure.identity.spec: measure.winners for measure in measures}
    reversals = () if judged is None else tuple(_reversals(by_measure, judged))
    return Verdict(measures, findings.units, tuple(_disputes(by_measure)), reversals)


def _measure(findings: MeasureFindings) -> MeasureVerdict:
    systems = tuple(place.system for place in findings.ranking)
    told_apart = any(pair.winner is not None for pair in findings.comparisons)
    first = tuple(place.system for place in findings.ranking if place.cluster == 1) if told_apart else ()
    best = first[0] if len(first) == 1 else None
    lead = None if best is None else _lead(best, findings)
    return MeasureVerdict(findings.identity, systems, first, best, lead, findings.comparisons)


def _lead(best: str, findings: MeasureFindings) -> Comparison:
    """The comparison of the best system with the best scored of the others."""
    others = [place for place in findings.ranking if place.system != best]
    runner_up = max(others, key=lambda place: findings.identity.sign * place.score).system
    return next(pair for pair in findings.comparisons if {pair.system, pair.baseline} == {best, runner_up})


def _disputes(by_measure: Mapping[str, Winners]) -> Iterator[Dispute]:
    """Pairs of systems that some measures decide for the one and some for the other."""
    pairs = dict.fromkeys(pair for winners in by_measure.values() for pair in winners)
    for pair in pairs:
        sides: dict[str, list[str]] = {}
        for name, winners in by_measure.items():
            if pair in winners:
                sides.setdefault(winners[pair], []).append(name)
        if len(sides) == 2:
            (winner, measures), (loser, others) = sides.items()
            yield Dispute(winner, loser, tuple(measures), tuple(others))


def _reversals(by_measure: Mapping[str, Winners], judged: Mapping[str, Winners]) -> Iterator[Dispute]:
    """Pairs that every measure decides for one system, and people under some criterion for the other."""
    measures = tuple(by_measure)
    systems = sorted({name for winners in by_measure.values() for pair in winners for name in pair})
    for pair in map(frozenset, combinations(systems, 2)):
        won = {winners.get(pair) for winners in by_measure.values()}
        if len(won) != 1 or None in won:
            continue
        (by_all,) = won
        criteria = tuple(name for name, winners in judged.items() if winners.get(pair, by_all) != by_all)
        if by_all is not None and criteria:
            (other,) = pair - {by_all}
            yield Dispute(by_all, other, measures, criteria)


def winners_among_people(judgements: Sequence[tuple[str, str, str]]) -> dict[str, dict[frozenset[str], str]]:
    """The winners among people by criterion, out of (criterion, winner, loser)."""
    judged: dict[str, dict[frozenset[str], str]] = {}
    for criterion, winner, loser in judgements:
        judged.setdefault(criterion, {})[frozenset((winner, loser))] = winner
    return judged
