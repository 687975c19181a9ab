"""The verdict in sentences: each claims what the facts of the verdict hold, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.identity import distinct_names
from karat.report.comparisons import CORRECTIONS, is_adjusted
from karat.report.numbers import digits_for, fixed
from karat.report.sentences import CLAIMS, listed, p_is, test_name
from karat.significance.confidence import percent
from karat.significance.paired import ON_UNIT_SCORES

if TYPE_CHECKING:
    from karat.analysis.verdict import Dispute, MeasureVerdict, Verdict
    from karat.significance import Comparison

MOST_PAIRS = MOST_NAMES = 4
"""So many pairs, and systems that share a place, are named; of more, it is told how many they are."""
MOST_DISPUTES = 2
"""So many pairs that are decided in opposite ways are named."""
NUMBERS = {2: "both", 3: "all three", 4: "all four", 5: "all five"}


def headline(verdict: Verdict) -> str:
    """Who is best, in one sentence."""
    names = measure_names(verdict)
    claim = _claim(verdict.measures[0].pairs[0])
    if verdict.best is not None:
        return f"{verdict.best} {claim} {_others(verdict.measures[0])} under {_under_all(names)}."
    alone = {name: measure.best for name, measure in zip(names, verdict.measures, strict=True) if measure.best}
    if len(set(alone.values())) > 1:
        by_system = [f"{system} under {listed(_keys(alone, system))}" for system in dict.fromkeys(alone.values())]
        return f"The metrics do not agree on the best system: {listed(by_system)}."
    if alone:
        best = next(iter(alone.values()))
        rest = [name for name in names if name not in alone]
        others = _others(next(measure for measure in verdict.measures if measure.best))
        return f"{best} {claim} {others} under {listed(list(alone))}; under {listed(rest)} that is not shown."
    if any(measure.first for measure in verdict.measures):
        return f"No system stands alone at the top under {_under_any(names)}."
    return f"No difference between the systems is shown under {_under_any(names)}."


def support(verdict: Verdict) -> tuple[str, ...]:
    """How sure that is, and what the first metric leaves open; of the others, whether they put the same systems first.

    Tables have the rest.
    """
    certainty = (*_beyond_reach(verdict), *_sureness(verdict))
    if any(measure.best for measure in verdict.measures):
        return (*certainty, *_first_place(verdict), *_open(verdict))
    return (*_first_place(verdict), *_agreement(verdict), *_open(verdict), *certainty)


def objections(verdict: Verdict) -> tuple[str, ...]:
    """Where metrics contradict each other, and people the metrics."""
    return (*_disputes(verdict), *_reversals(verdict))


def measure_names(verdict: Verdict) -> list[str]:
    """What the measures are called."""
    return distinct_names([measure.identity for measure in verdict.measures])


def _keys(alone: dict[str, str], system: str | None) -> list[str]:
    return [name for name, best in alone.items() if best == system]


def _claim(pair: Comparison) -> str:
    return CLAIMS[pair.test].format(unit=pair.unit)


def _others(measure: MeasureVerdict) -> str:
    if len(measure.systems) > 2:
        return "every other system"
    (other,) = (name for name in measure.systems if name != measure.best)
    return other


def _under_all(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{NUMBERS.get(len(names), f'all {len(names)}')} metrics"


def _under_any(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else "any metric"


def _how(verdict: Verdict) -> str:
    pair = verdict.measures[0].pairs[0]
    return f"{test_name(pair)} over {pair.units:,} {pair.unit}s"


def _sureness(verdict: Verdict) -> Iterator[str]:
    """How far the system at the top is ahead under the first measure that shows it, and how small p is under all."""
    led = [measure for measure in verdict.measures if measure.best is not None]
    if not led:
        yield _bar_to_pass(verdict)
        return
    yield from _ahead(led[0])
    largest = max(measure.largest_p for measure in led)
    pair = led[0].pairs[0]
    corrected = _corrected(pair)
    size = f"{p_is(largest)}{' or less' if largest >= 0.0001 and len(led[0].pairs) > 1 else ''}"
    yield f"How sure: {size}{corrected} ({_how(verdict)})."


def _bar_to_pass(verdict: Verdict) -> str:
    """What it takes for two systems to be told apart, where nobody beats all others."""
    pair = verdict.measures[0].pairs[0]
    return f"Told apart: p ≤ {pair.alpha:g}{_corrected(pair)} ({_how(verdict)})."


def _corrected(pair: Comparison) -> str:
    return f" after {CORRECTIONS[pair.correction]}'s correction" if is_adjusted(pair) else ""


def _ahead(measure: MeasureVerdict) -> Iterator[str]:
    """By how much the best system leads, where the test is about the score."""
    lead = measure.lead
    if lead is None or lead.test in ON_UNIT_SCORES or lead.against_score:
        return
    digits = digits_for(measure.identity, [lead.score, lead.baseline_score], 2)
    bounds = (lead.interval.low, lead.interval.high)
    low, high = bounds if lead.difference > 0 else (-bounds[1], -bounds[0])
    by = f"{fixed(abs(lead.difference), digits)} {measure.identity.display_name}"
    interval = f"{percent(lead.interval.confidence)} % interval {fixed(low, digits)} to {fixed(high, digits)}"
    next_one = "" if len(measure.systems) == 2 else ", the next by score"
    yield f"{measure.best} is {by} ahead of {lead.loser}{next_one} ({interval})."


def _beyond_reach(verdict: Verdict) -> Iterator[str]:
    """Why no test can show anything under the first metric, and what helps."""
    measure, name = verdict.measures[0], measure_names(verdict)[0]
    different = [pair for pair in measure.pairs if not pair.identical]
    if different and not any(pair.reachable for pair in different):
        yield f"Nothing can be shown about the order under {name}: {different[0].out_of_reach()}."


def _first_place(verdict: Verdict) -> Iterator[str]:
    """Who is beaten by nobody under the first metric, where nobody beats all others."""
    measure, name = verdict.measures[0], measure_names(verdict)[0]
    if measure.first and measure.best is None:
        yield f"Under {name} {_beaten_by_none(measure)}."
    elif not measure.first and len(measure.systems) > 2 and any(other.first for other in verdict.measures):
        yield f"Under {name} no two systems are told apart."


def _beaten_by_none(measure: MeasureVerdict) -> str:
    unbeaten = measure.unbeaten
    if not unbeaten:
        return "every system is beaten by another"
    if len(unbeaten) == 1:
        return f"no system beats {unbeaten[0]}"
    return f"{_named(unbeaten, measure)} share first place: no system beats them"


def _named(systems: Sequence[str], measure: MeasureVerdict) -> str:
    """Systems by name; of many, how many they are."""
    return listed(systems) if len(systems) <= MOST_NAMES else f"{len(systems)} of {len(measure.systems)} systems"


def _agreement(verdict: Verdict) -> Iterator[str]:
    """Who is beaten under no metric, where none of them has one best system, of which the headline speaks."""
    first, *others = verdict.measures
    if not others or not first.first:
        return
    common = [name for name in first.unbeaten if all(name in measure.unbeaten for measure in others)]
    every = _under_all(measure_names(verdict))
    if not common:
        yield f"No system is unbeaten under {every}."
    else:
        yield f"Unbeaten under {every}: {_named(common, first)}."


def _open(verdict: Verdict) -> Iterator[str]:
    """What could not be told apart under the first metric."""
    measure, name = verdict.measures[0], measure_names(verdict)[0]
    if not measure.open and len(measure.pairs) > 1:
        yield f"All pairs of systems are told apart under {name}."
    elif measure.open and measure.first:
        pairs = [(pair.baseline, pair.system) for pair in measure.open]
        yield f"Not told apart under {name}: {_pairs(pairs, len(measure.pairs))}."


def _pairs(pairs: Sequence[tuple[str, str]], total: int) -> str:
    if len(pairs) > MOST_PAIRS:
        return f"{len(pairs)} of {total} pairs"
    return ", ".join(f"{first} and {second}" for first, second in pairs)


def _disputes(verdict: Verdict) -> Iterator[str]:
    """Pairs that metrics decide differently: each where there are few, else how many."""
    names = _spec_names(verdict)
    if len(verdict.disputes) > MOST_DISPUTES:
        total = len(verdict.measures[0].pairs)
        yield f"Of {total} pairs of systems, the metrics decide {len(verdict.disputes)} in opposite ways."
        return
    for dispute in verdict.disputes:
        measures, others = (listed([names[spec] for spec in side]) for side in (dispute.measures, dispute.others))
        yield f"{dispute.winner} wins against {dispute.loser} under {measures}, and loses under {others}."


def _reversals(verdict: Verdict) -> Iterator[str]:
    """Pairs that people decide in the other way than every metric."""
    for dispute in verdict.reversals[:MOST_DISPUTES]:
        yield _reversal(dispute, len(verdict.measures))
    if len(verdict.reversals) > MOST_DISPUTES:
        more = len(verdict.reversals) - MOST_DISPUTES
        yield f"People decide {more} more pair{'s' * (more > 1)} against every metric."


def _reversal(dispute: Dispute, measures: int) -> str:
    metrics = "the metric prefers" if measures == 1 else "every metric prefers"
    rated = f"they rate {dispute.loser} above {dispute.winner} in {listed(dispute.others)}"
    return f"But people disagree: {rated}, while {metrics} {dispute.winner}."


def _spec_names(verdict: Verdict) -> dict[str, str]:
    return dict(zip((measure.identity.spec for measure in verdict.measures), measure_names(verdict), strict=True))
