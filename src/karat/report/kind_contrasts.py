"""On which kinds of segments systems differ, in sentences that the tests bear out, and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.report.links import segments_link
from karat.report.numbers import digits_for, fixed
from karat.report.sentences import listed, p_is, p_value
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.analysis.kind_contrasts import Gap, KindContrast, KindContrasts

MOST_NAMED = 3
"""So many kinds are named; of more, it is told how many they are."""


def where_sentences(family: KindContrasts) -> Iterator[str]:
    """On which kinds of segments systems are told apart, and on which their difference stands out."""
    yield _told_apart(family)
    yield _standing_out(family)


def _told_apart(family: KindContrasts) -> str:
    """On which kinds there is a difference."""
    shown = [contrast for contrast in family.contrasts if contrast.difference.shown]
    if not shown:
        names = list(dict.fromkeys(name for pair in family.pairs for name in pair))
        kinds = (
            f"None of the {len(family.kinds)} kinds of segments tested" if len(family.kinds) > 1 else "The kind tested"
        )
        tells = "tells" if len(family.kinds) > 1 else "does not tell"
        return f"{kinds} by itself {tells} {listed(names)} apart in {family.identity.display_name}."
    parts = []
    for pair in family.pairs:
        for winner, loser in (pair, pair[::-1]):
            won = [contrast for contrast in shown if _sides(contrast, family) == (winner, loser)]
            if won:
                parts.append(f"{winner} is ahead of {loser} on {_named(won, len(family.kinds))}")
    return f"In {family.identity.display_name}, {listed(parts)}."


def _sides(contrast: KindContrast, family: KindContrasts) -> tuple[str, str]:
    """Who is ahead on a kind, and who is behind."""
    ahead = family.identity.sign * contrast.difference.value > 0
    return (contrast.system, contrast.other) if ahead else (contrast.other, contrast.system)


def _named(contrasts: Sequence[KindContrast], kinds: int) -> str:
    """Kinds by their names; of many, how many they are."""
    if len(contrasts) == kinds > 1:
        return f"{'both' if kinds == 2 else f'all {kinds}'} kinds tested"
    if len(contrasts) > MOST_NAMED:
        return f"{len(contrasts)} of {kinds} kinds tested"
    return listed([_kind(contrast) for contrast in contrasts])


def _standing_out(family: KindContrasts) -> str:
    """On which kinds the difference is larger or smaller than on all other segments."""
    shown = sorted(
        (contrast for contrast in family.contrasts if contrast.contrast.shown),
        key=lambda entry: entry.contrast.p_adjusted,
    )
    if not shown:
        alike = "on none of them is the difference shown to be larger or smaller than on all other segments"
        return f"No kind tested stands out: {alike} ({_family(family)})."
    parts = [_gain(contrast, family) for contrast in shown[:MOST_NAMED]]
    more = len(shown) - len(parts)
    parts += [f"{more} more"] if more else []
    return f"The difference stands out on {listed(parts)} ({_family(family)})."


def _gain(contrast: KindContrast, family: KindContrasts) -> str:
    digits = digits_for(family.identity, [contrast.difference.value], 2)
    here, there = (fixed(value, digits, signed=True) for value in (contrast.difference.value, contrast.elsewhere))
    pair = f"{contrast.system} − {contrast.other}"
    return f"{_kind(contrast)}: {pair} is {here}, elsewhere {there}, {p_is(contrast.contrast.p_adjusted)}"


def _kind(contrast: KindContrast) -> str:
    counted = " words" if contrast.by.endswith("-length") else ""
    return f"{contrast.by.replace('-', ' ')} {contrast.label}{counted}"


def _family(family: KindContrasts) -> str:
    """How many kinds were tested, and how that was corrected for."""
    ways = listed([by.replace("-", " ") for by in dict.fromkeys(by for by, _ in family.kinds)])
    count = len(family.kinds)
    kinds = f"{count} kind{'s' * (count > 1)} by {ways}"
    pairs = f", {len(family.pairs)} pairs of systems" if len(family.pairs) > 1 else ""
    corrected = ", Holm's correction" if len(family.contrasts) > 1 else ""
    return f"{kinds}{pairs}{corrected}"


def kind_tables(family: KindContrasts, digits: int) -> Iterator[Table]:
    """One table for each pair of systems; the first says in words what follows from all of them."""
    for number, pair in enumerate(family.pairs):
        mine = [contrast for contrast in family.contrasts if (contrast.system, contrast.other) == pair]
        rows = tuple(_row(contrast, family, digits) for contrast in mine)
        headings = ("Kind", "Segments", "Difference", "p (Holm)", "Elsewhere", "Contrast", "p (Holm)")
        remarks = () if number else tuple(where_sentences(family))
        title = f"{pair[0]} − {pair[1]} in {family.identity.display_name} {family.identity.arrow}"
        notes = _notes(family) if number == len(family.pairs) - 1 else ()
        yield Table(headings, rows, notes, remarks=remarks, title=title)


def _row(contrast: KindContrast, family: KindContrasts, digits: int) -> tuple[Cell, ...]:
    shown = digits_for(family.identity, [contrast.difference.value], digits)
    link = segments_link(
        bucket=f"{contrast.by}: {contrast.label}", a=contrast.system, b=contrast.other, sort="-difference"
    )
    return (
        Cell(_kind(contrast), link=link),
        Cell(f"{contrast.segments:,}", number=True),
        _size(contrast.difference, shown),
        Cell(p_value(contrast.difference.p_adjusted), number=True),
        Cell(fixed(contrast.elsewhere, shown, signed=True), number=True),
        _size(contrast.contrast, shown),
        Cell(p_value(contrast.contrast.p_adjusted), number=True),
    )


def _size(tested: Gap, digits: int) -> Cell:
    low, high = tested.interval
    return Cell(
        f"{fixed(tested.value, digits, signed=True)} [{fixed(low, digits)}, {fixed(high, digits)}]",
        number=True,
        faint=not tested.shown,
        best=tested.shown,
    )


def _notes(family: KindContrasts) -> tuple[str, ...]:
    units = family.subject.units
    gaps = [gap for contrast in family.contrasts for gap in (contrast.difference, contrast.contrast)]
    without_zero = any(not gap.shown and (gap.interval[0] > 0 or gap.interval[1] < 0) for gap in gaps)
    uncorrected = ("an interval may leave out 0 where p does not tell: it has no correction",) if without_zero else ()
    return (
        "contrast: the difference on the kind less the difference on all other segments",
        f"[ ]: 95 % intervals; p by Student's t with standard errors from {family.subject.resamples:,} resamples of "
        f"{units.count:,} {units.unit}s, after Holm's correction for {len(family.contrasts)} tests in a column",
        "bold: p is at most 0.05; grey: it may be chance",
        *uncorrected,
        str(family.identity.signature),
    )
