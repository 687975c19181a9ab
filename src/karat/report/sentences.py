"""What may be concluded from a test and what not, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.findings import Findings, MeasureFindings, PairPower, Units
    from karat.significance import Comparison, NonInferiority, RunComparison

TESTS = {
    "randomization": "approximate randomisation",
    "bootstrap": "paired bootstrap",
    "permutation": "paired permutation of {unit} scores",
    "wilcoxon": "Wilcoxon's signed ranks of {unit} scores",
    "moses": "Moses' bootstrap",
}
FULL_SENTENCES = 5
"""Up to so many differences of one metric have a sentence each; more are listed in one."""


def sentences(findings: Findings, digits: int) -> tuple[str, ...]:
    """All that is to be said about the findings."""
    said: list[str] = []
    for of in findings.measures:
        if of.ranking:
            said += _ranking(of)
        elif of.comparisons:
            said += _comparisons(of, digits)
        if of.runs is not None:
            for one in of.runs.comparisons:
                said += _runs(one, of.measure.display_name, digits)
        said += (_gate(gate, of.measure.display_name, digits) for gate in of.non_inferiority)
        said += (_power(pair, findings.units, of, digits) for pair in of.power)
    return tuple(said)


def test_name(test: str, unit: str) -> str:
    """The name of a test in words."""
    return TESTS[test].format(unit=unit)


def p_value(p: float | None) -> str:
    """A p-value with four digits, or its power of ten where these do not tell it from 0."""
    if p is None:
        return "–"
    return f"{p:.4f}" if p >= 0.00005 else f"{p:.1e}"


def listed(names: Sequence[str]) -> str:
    """Names as a list in words."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _comparisons(of: MeasureFindings, digits: int) -> Iterable[str]:
    name = of.measure.display_name
    certain = [one for one in of.comparisons if one.significant and one.better is not None]
    if len(certain) <= FULL_SENTENCES:
        yield from (_difference(one, name, digits) for one in certain)
    else:
        yield from _many_differences(certain, name, digits)
    open_ones = [one for one in of.comparisons if one not in certain]
    if len(open_ones) == 1:
        (one,) = open_ones
        yield (
            f"Nothing can be said about {one.system} and {one.baseline} under {name}: the difference of "
            f"{one.difference:.{digits}f} ({_evidence(one, digits)}) may be chance, which does not show that they are "
            "equal."
        )
    elif open_ones:
        smallest = min(one.p_adjusted for one in open_ones)
        names = listed([one.system for one in open_ones])
        yield (
            f"Nothing can be said about {names} against {open_ones[0].baseline} under {name}: the differences may be "
            f"chance (p = {p_value(smallest)} or more), which does not show that they are equal."
        )


def _difference(one: Comparison, name: str, digits: int) -> str:
    other = one.baseline if one.better == one.system else one.system
    said = f"{one.better} is better than {other} by {abs(one.difference):.{digits}f} {name} ({_evidence(one, digits)})."
    return f"By a p that is too small to be evidence, {said}" if one.test == "moses" else said


def _evidence(one: Comparison, digits: int) -> str:
    """Interval, p and test; the interval is that of the gain where there is a winner."""
    low, high = one.interval.low, one.interval.high
    if one.significant and one.difference < 0:
        low, high = -high, -low
    interval = f"{one.interval.level * 100:g} % interval {low:.{digits}f} to {high:.{digits}f}"
    return f"{interval}; p = {p_value(one.p_adjusted)}, {_how(one)}"


def _how(one: Comparison) -> str:
    return f"{test_name(one.test, one.unit)} over {one.units} {one.unit}s"


def _many_differences(certain: Sequence[Comparison], name: str, digits: int) -> Iterable[str]:
    baseline = certain[0].baseline
    largest = p_value(max(one.p_adjusted for one in certain))
    how = f"p = {largest} or less, {_how(certain[0])}"
    for word, which in (("better", True), ("worse", False)):
        found = [one for one in certain if (one.better == one.system) == which]
        if found:
            names = listed([f"{one.system} ({abs(one.difference):.{digits}f})" for one in found])
            yield f"{word.capitalize()} than {baseline} under {name}, by as much as is in brackets: {names} ({how})."


def _ranking(of: MeasureFindings) -> Iterable[str]:
    name, first = of.measure.display_name, of.comparisons[0]
    how = f"{_how(first)}, level {first.level:g}"
    clusters = [list(members) for _, members in groupby(of.ranking, key=lambda one: one.cluster)]
    if not any(one.significant for one in of.comparisons):
        yield f"Nothing can be said about the order under {name}: no difference is more than chance might give ({how})."
        return
    if len(clusters[0]) == 1:
        yield f"{clusters[0][0].system} is better than every other system under {name} ({how})."
    else:
        yield f"No system stands alone at the top under {name} ({how})."
    for members in clusters:
        if len(members) > 1:
            names = listed([one.system for one in members])
            yield f"{names} are one cluster under {name}: their order is not to be relied on."


def _runs(one: RunComparison, name: str, digits: int) -> Iterable[str]:
    size = f"{abs(one.difference):.{digits}f} {name}"
    better = one.system if (one.difference > 0) == one.higher_is_better else one.baseline
    other = one.baseline if better == one.system else one.system
    these, over = one.p_these_runs_adjusted, one.p_over_runs_adjusted
    if these is not None and these <= one.level:
        yield f"These runs of {better} are better than these of {other} by {size} on average (p = {p_value(these)})."
    elif these is not None:
        which = f"{one.system} and {one.baseline} under {name}"
        yield f"Nothing can be said about these runs of {which} (p = {p_value(these)})."
    if over <= one.level:
        yield f"Other runs can be expected to differ the same way (p over runs = {p_value(over)})."
    else:
        yield (
            f"Nothing can be said about other runs of {one.system} and {one.baseline} under {name} (p over runs = "
            f"{p_value(over)}; so many runs cannot give less than {p_value(one.p_over_runs_smallest)})."
        )


def _gate(gate: NonInferiority, name: str, digits: int) -> str:
    shown = "It is shown" if gate.shown else "It is not shown"
    bound = f"may lose up to {gate.loss_bound:.{digits}f}"
    if gate.loss_bound <= 0:
        bound = f"gains at least {-gate.loss_bound:.{digits}f}"
    return (
        f"{shown} that {gate.system} loses less than {gate.margin:g} {name} against {gate.baseline}: it {bound} "
        f"(p = {p_value(gate.p)}, one-sided paired bootstrap over {gate.units} {gate.unit}s, n = {gate.n:,}, "
        f"level {gate.level:g})."
    )


def _power(pair: PairPower, units: Units, of: MeasureFindings, digits: int) -> str:
    found, name = pair.power, of.measure.display_name
    said = (
        f"With {found.units:,} {found.unit}s a difference of {found.detectable:.{digits}f} {name} between "
        f"{pair.baseline} and {pair.system} is found {found.power * 100:g} times in 100 at level {found.level:g}."
    )
    if found.difference is None or found.needed_units is None or found.reached is None:
        return said
    each = f" (about {pair.needed_segments:,} segments)" if pair.needed_segments and units.unit == "document" else ""
    return (
        f"{said} A difference of {found.difference:.{digits}f} is found {found.reached * 100:.0f} times in 100, and "
        f"needs {found.needed_units:,} {found.unit}s{each} to be found {found.power * 100:g} times in 100."
    )
