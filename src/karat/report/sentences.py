"""What may be concluded from a test and what not, in plain sentences.

A sentence claims what its own test shows, in the direction of the test's own statistic: tests on unit scores speak of
unit scores, and where these and the score do not point the same way, both are said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from karat.report.numbers import fixed, shown_measures
from karat.significance import out_of_reach, smallest_p
from karat.significance.circles import around, circle
from karat.significance.confidence import percent
from karat.significance.p_values import p_is as p_is
from karat.significance.p_values import p_value as p_value
from karat.significance.paired import ON_UNIT_SCORES

if TYPE_CHECKING:
    from karat.findings import Findings, MeasureFindings, PairPower
    from karat.significance import Comparison, NonInferiority, RunComparison

TESTS = {
    "randomization": "approximate randomisation",
    "bootstrap": "paired bootstrap",
    "permutation": "paired permutation of {unit} scores",
    "wilcoxon": "Wilcoxon's signed ranks of {unit} scores",
    "moses": "Moses' bootstrap",
}
CLAIMS = {
    "randomization": "is better than",
    "bootstrap": "is better than",
    "permutation": "has better {unit} scores than",
    "wilcoxon": "tends to have better {unit} scores than",
    "moses": "is, by a p that is too small to be evidence, better than",
}
"""What a test shows of the winner."""

FULL_SENTENCES = 5
"""Up to so many differences of one metric have a sentence each; more are listed in one."""


def sentences(findings: Findings, digits: int) -> tuple[str, ...]:
    """Every sentence about the findings."""
    lines: list[str] = []
    for shown in shown_measures(findings, digits):
        lines += _measure(shown.findings, shown.name, shown.digits)
        lines += (_power(pair, findings, shown.name, shown.digits) for pair in shown.findings.power)
    return tuple(lines)


def _measure(measure: MeasureFindings, name: str, digits: int) -> Iterable[str]:
    """Every sentence about the systems under one measure."""
    if measure.ranking:
        yield from _ranking(measure, name)
    elif measure.comparisons:
        yield from _comparisons(measure.comparisons, name, digits)
    for runs in () if measure.runs is None else measure.runs.comparisons:
        yield from _runs(runs, name, digits)
    yield from (_gate(gate, name, digits) for gate in measure.non_inferiority)


def gate_sentences(findings: Findings, digits: int) -> Iterable[str]:
    """Margin, bound and verdict of every gate."""
    for shown in shown_measures(findings, digits):
        yield from (_gate(gate, shown.name, shown.digits) for gate in shown.findings.non_inferiority)


def test_name(pair: Comparison) -> str:
    """The name of a test in words."""
    if pair.test == "randomization" and pair.exact:
        return "exact randomisation"
    return TESTS[pair.test].format(unit=pair.unit)


def listed(names: Sequence[str]) -> str:
    """Names as a list in words."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _comparisons(pairs: Sequence[Comparison], name: str, digits: int) -> Iterable[str]:
    certain = [pair for pair in pairs if pair.winner is not None]
    if len(certain) <= FULL_SENTENCES:
        yield from (_difference(pair, name, digits) for pair in certain)
    else:
        # Systems may share different numbers of segments with the baseline: a sentence is about one test only.
        by_test: dict[str, list[Comparison]] = {}
        for pair in certain:
            by_test.setdefault(_how(pair), []).append(pair)
        for tested_alike in by_test.values():
            yield from _many_differences(tested_alike, name, digits)
    uncertain = [pair for pair in pairs if pair.winner is None]
    yield from _alike([pair for pair in uncertain if pair.identical], name)
    yield from _out_of_reach([pair for pair in uncertain if not pair.reachable and not pair.identical], name)
    yield from _open([pair for pair in uncertain if pair.reachable and not pair.identical], name, digits)


def _difference(pair: Comparison, name: str, digits: int) -> str:
    claim = f"{pair.winner} {_claim(pair)} {pair.loser}"
    if pair.test not in ON_UNIT_SCORES:
        return (
            f"{claim} by {fixed(abs(pair.difference), digits)} {name} ({_interval(pair, digits)}; {_evidence(pair)})."
        )
    by = f", by {fixed(abs(pair.statistic), digits)} on average" if pair.test == "permutation" else ""
    return f"{claim} under {name}{by} ({_evidence(pair)}), {_score(pair, digits)} ({_interval(pair, digits)})."


def _claim(pair: Comparison) -> str:
    return CLAIMS[pair.test].format(unit=pair.unit)


def _score(pair: Comparison, digits: int) -> str:
    """How the scores of winner and loser compare, where the test looked at something else."""
    if pair.better_scored is None:
        return "but no better score: the two are equal"
    scored = "but the worse score" if pair.against_score else "and the better score"
    return f"{scored}, by {fixed(abs(pair.difference), digits)}"


def _interval(pair: Comparison, digits: int) -> str:
    """The interval of the difference, turned so that the difference is positive where there is a winner."""
    low, high = pair.interval.low, pair.interval.high
    if pair.winner is not None and pair.difference < 0:
        low, high = -high, -low
    return f"{percent(pair.interval.confidence)} % interval {fixed(low, digits)} to {fixed(high, digits)}"


def _evidence(pair: Comparison) -> str:
    return f"{p_is(pair.p_adjusted)}, {_how(pair)}"


def _how(pair: Comparison) -> str:
    flips = f", {pair.draws}," if pair.exact and pair.draws else ""
    return f"{test_name(pair)}{flips} over {pair.units:,} {pair.unit}s"


def _many_differences(certain: Sequence[Comparison], name: str, digits: int) -> Iterable[str]:
    first = certain[0]
    largest = max(pair.p_adjusted for pair in certain)
    how = f"{p_is(largest)}{' or less' if largest >= 0.0001 else ''}, {_how(first)}"
    for system_wins in (True, False):
        names = [_with_size(pair, digits) for pair in certain if (pair.winner == pair.system) == system_wins]
        if names:
            yield f"{_heading(first, name, system_wins=system_wins)}: {listed(names)} ({how})."
    against = [pair.system for pair in certain if pair.against_score]
    if against:
        yield f"The test does not agree with the scores of {listed(against)} and {first.baseline} under {name}."


def _with_size(pair: Comparison, digits: int) -> str:
    """The system, with as much as the test says about the size of the difference."""
    return pair.system if pair.test == "wilcoxon" else f"{pair.system} ({fixed(abs(pair.statistic), digits)})"


def _heading(pair: Comparison, name: str, *, system_wins: bool) -> str:
    word = "better" if system_wins else "worse"
    than = f"than {pair.baseline} under {name}"
    if pair.test == "wilcoxon":
        return f"Tending to {word} {pair.unit} scores {than}"
    if pair.test == "permutation":
        return f"{word.capitalize()} {pair.unit} scores {than}, on average by as much as is in brackets"
    warning = "By a p that is too small to be evidence, " if pair.test == "moses" else ""
    return f"{warning}{word if warning else word.capitalize()} {than}, by as much as is in brackets"


def _alike(pairs: Sequence[Comparison], name: str) -> Iterable[str]:
    if pairs:
        first = pairs[0]
        verb = "has" if len(pairs) == 1 else "have"
        same = f"{verb} the same score as {first.baseline} in every {first.unit} under {name}"
        yield f"{listed([pair.system for pair in pairs])} {same}: there is nothing to test."


def _out_of_reach(pairs: Sequence[Comparison], name: str) -> Iterable[str]:
    """One sentence for each reason why nothing could have been shown."""
    by_reason: dict[str, list[str]] = {}
    for pair in pairs:
        by_reason.setdefault(pair.out_of_reach(), []).append(pair.system)
    for reason, systems in by_reason.items():
        yield f"No difference between {pairs[0].baseline} and {listed(systems)} can be shown under {name}: {reason}."


def _open(pairs: Sequence[Comparison], name: str, digits: int) -> Iterable[str]:
    if not pairs:
        return
    pair = pairs[0]
    on_scores = pair.test not in ON_UNIT_SCORES
    of_units = "" if on_scores else f" of their {pair.unit} scores"
    unproven = "which does not show that they are equal"
    if len(pairs) == 1:
        size = f" of {fixed(pair.difference, digits)}" if on_scores else of_units
        evidence = f"{_interval(pair, digits)}; {_evidence(pair)}" if on_scores else _evidence(pair)
        yield (
            f"Nothing can be said about {pair.system} and {pair.baseline} under {name}: the difference{size} "
            f"({evidence}) may be chance, {unproven}."
        )
    else:
        systems = listed([pair.system for pair in pairs])
        least = min(pair.p_adjusted for pair in pairs)
        smallest = p_is(least) if round(least, 4) >= 1 else f"{p_is(least)} or more"
        yield (
            f"Nothing can be said about {systems} against {pair.baseline} under {name}: the differences{of_units} may "
            f"be chance ({smallest}), {unproven}."
        )


def _ranking(measure: MeasureFindings, name: str) -> Iterable[str]:
    pairs = measure.comparisons
    how = f"{_how(pairs[0])}, level {pairs[0].alpha:g}"
    if not any(pair.winner for pair in pairs):
        yield from _no_order(pairs, name, how)
        return
    clusters = [list(members) for _, members in groupby(measure.ranking, key=lambda place: place.cluster)]
    if len(clusters[0]) == 1:
        yield f"{clusters[0][0].system} {_claim(pairs[0])} every other system under {name} ({how})."
    else:
        yield f"No system stands alone at the top under {name} ({how})."
    for members in clusters:
        if len(members) > 1:
            yield _cluster([place.system for place in members], pairs, name)
    yield from _circle(pairs, name)
    yield from _against_the_scores(pairs, name)
    yield from _pairs_out_of_reach(pairs, name)


def _circle(pairs: Sequence[Comparison], name: str) -> Iterable[str]:
    """Wins that no order agrees with, which ranks and scores cannot show."""
    winners = [(pair.winner, pair.loser) for pair in pairs]
    round_trip = circle([(winner, loser) for winner, loser in winners if winner is not None and loser is not None])
    if round_trip:
        claims = [f"{winner} {_claim(pairs[0])} {loser}" for winner, loser in around(round_trip)]
        yield f"No order agrees with all that is shown under {name}: {listed(claims)}."


def _cluster(names: Sequence[str], pairs: Sequence[Comparison], name: str) -> str:
    """What a cluster means: no order at all, or none but between some of its members."""
    inside = [pair for pair in pairs if {pair.system, pair.baseline} <= set(names) and pair.winner is not None]
    if not inside:
        return f"{listed(names)} are one cluster under {name}: their order is not to be relied on."
    if len(inside) > FULL_SENTENCES:
        count = len(names) * (len(names) - 1) // 2
        shown = f"{len(inside)} of its {count} pairs are told apart (the JSON form has them all)"
    else:
        shown = listed([f"{pair.winner} {_claim(pair)} {pair.loser}" for pair in inside])
    return f"{listed(names)} are one cluster under {name}: {shown}, and no more of their order is shown."


def _no_order(pairs: Sequence[Comparison], name: str, how: str) -> Iterable[str]:
    """Why there is no order: all alike, nothing that could have been shown, or chance."""
    different = [pair for pair in pairs if not pair.identical]
    if not different:
        yield f"Nothing can be said about the order under {name}: the systems are alike in every {pairs[0].unit}."
    elif not any(pair.reachable for pair in different):
        most = max(different, key=lambda pair: pair.differing)
        yield f"Nothing can be shown about the order under {name}: {most.out_of_reach()}."
    else:
        yield f"Nothing can be said about the order under {name}: no difference is more than chance might give ({how})."
        yield from _pairs_out_of_reach(pairs, name)


def _pairs_out_of_reach(pairs: Sequence[Comparison], name: str) -> Iterable[str]:
    beyond = [pair for pair in pairs if not pair.reachable and not pair.identical and pair.winner is None]
    if beyond:
        most = max(beyond, key=lambda pair: pair.differing)
        yield f"Nothing can be shown about {len(beyond)} of {len(pairs)} pairs under {name}: {most.out_of_reach()}."


def _against_the_scores(pairs: Sequence[Comparison], name: str) -> Iterable[str]:
    """The systems that beat one with a score that is no worse."""
    upward = [f"{pair.winner} {_claim(pair)} {pair.loser}" for pair in pairs if pair.against_score]
    if upward:
        yield f"Against the order of scores under {name}, {listed(upward)}."


def _runs(runs: RunComparison, name: str, digits: int) -> Iterable[str]:
    size = f"{fixed(abs(runs.difference), digits)} {name}"
    better = runs.system if (runs.difference > 0) == runs.higher_is_better else runs.baseline
    worse = runs.baseline if better == runs.system else runs.system
    these, over = runs.p_these_runs_adjusted, runs.p_over_runs_adjusted
    systems = f"{runs.system} and {runs.baseline} under {name}"
    if these is not None and these <= runs.alpha:
        crossed = runs.interval.low <= 0 <= runs.interval.high
        but = f", though the {percent(runs.interval.confidence)} % interval of that includes 0" if crossed else ""
        yield f"These runs of {better} are better than these of {worse} by {size} on average ({p_is(these)}){but}."
    elif not runs.reachable:
        yield f"No difference between these runs of {systems} can be shown: {runs.out_of_reach()}."
    elif these is not None:
        yield f"Nothing can be said about these runs of {systems} beyond this test set ({p_is(these)})."
    if over <= runs.alpha:
        yield (
            f"On this test set other runs of {better} can be expected to be better than other runs of {worse} under "
            f"{name} (p over runs {p_is(over)[2:]})."
        )
    elif not runs.reachable_over_runs:
        yield f"Nothing can be shown about other runs of {systems}: {runs.out_of_reach_over_runs()}."
    else:
        yield f"Nothing can be said about other runs of {systems} (p over runs {p_is(over)[2:]})."


def _gate(gate: NonInferiority, name: str, digits: int) -> str:
    several = gate.runs > 1 or gate.baseline_runs > 1
    claim = f"that {gate.system} loses less than {gate.margin:g} {name} against {gate.baseline}"
    if several:
        claim = (
            f"that these runs of {gate.system} lose, on average, less than {gate.margin:g} {name} against these of "
            f"{gate.baseline}"
        )
    if gate.loss_bound is None:
        return f"It cannot be shown {claim}: {gate.out_of_reach()}."
    shown = "It is shown" if gate.shown else "It is not shown"
    evidence = (
        f"({p_is(gate.p)}, one-sided paired bootstrap over {gate.units:,} {gate.unit}s, n = {gate.n:,}, "
        f"level {gate.alpha:g})"
    )
    bound = _bound(gate.loss_bound, digits, several=several)
    return f"{shown} {claim}: {bound} {evidence}{'; other runs may lose more' if several else ''}."


def _bound(loss: float, digits: int, *, several: bool) -> str:
    """How much may be lost, or is gained at least."""
    subject = "they" if several else "it"
    if round(loss, digits) < 0:
        return f"{subject} {'gain' if several else 'gains'} at least {fixed(-loss, digits)}"
    if loss <= 0:
        return f"{subject} {'lose' if several else 'loses'} nothing"
    if round(loss, digits) == 0:
        return f"{subject} may lose less than {fixed(10.0**-digits, digits)}"
    return f"{subject} may lose up to {fixed(loss, digits)}"


def _power(pair: PairPower, findings: Findings, name: str, digits: int) -> str:
    power = pair.power
    if power.detectable is None:
        beyond = out_of_reach(
            units=power.units, unit=power.unit, smallest=smallest_p("randomization", power.units), alpha=power.alpha
        )
        return f"Nothing can be shown about {pair.baseline} and {pair.system} under {name}: {beyond}."
    detectable = (
        f"With {power.units:,} {power.unit}s a difference of {fixed(power.detectable, digits)} {name} between "
        f"{pair.baseline} and {pair.system} is found {power.power * 100:g} times in 100 at level {power.alpha:g}."
    )
    if power.difference is None or power.needed_units is None or power.reached is None:
        return detectable
    by_document = power.unit == "document"
    segments = f" (about {pair.needed_segments:,} segments)" if pair.needed_segments and by_document else ""
    if findings.pooled_testsets:
        segments += " in all, in the same proportions,"
    return (
        f"{detectable} A difference of {fixed(power.difference, digits)} is found {_times_in_100(power.reached)}, "
        f"and needs {power.needed_units:,} {power.unit}s{segments} to be found {power.power * 100:g} times in 100."
    )


def _times_in_100(probability: float) -> str:
    """How often something is found; nothing is found always, and what is not impossible not never."""
    times = f"{100 * probability:.0f}"
    if times == "100":
        return "more than 99 times in 100"
    if times == "0" and probability > 0:
        return "less than once in 100 times"
    return f"{times} times in 100"
