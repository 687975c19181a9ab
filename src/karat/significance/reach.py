"""How small a p can get with the units there are, and what helps where that is not small enough."""

from __future__ import annotations

from itertools import count
from math import ceil, comb, erfc, log2, sqrt, ulp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.significance.multiple import Correction
    from karat.significance.paired import TestName

RESAMPLING = ("bootstrap", "moses")
EXACT_WILCOXON = 50
"""Up to so many units the distribution of signed ranks is exact, and beyond it is normal."""

SMALLEST_POSITIVE = ulp(0.0)
"""What a p that is too small for a floating-point number is stored as: no p is 0."""

CORRECTED_BY = {"holm": "Holm's", "bh": "Benjamini and Hochberg's"}


def smallest_p(test: TestName, differing: int, n: int | None = None) -> float:
    """The smallest two-sided p that a test can give where the systems differ in so many units.

    Flips of signs have 2 ways per unit, and the opposite of each way is as far from 0. `n` is the number of draws of a
    test that draws; for all flips it may be left out.

    >>> smallest_p("randomization", 5), smallest_p("wilcoxon", 6), smallest_p("bootstrap", 6, n=999)
    (0.0625, 0.03125, 0.001)
    """
    drawn = SMALLEST_POSITIVE if n is None else 1 / (n + 1)
    if test in RESAMPLING:
        return drawn
    if test == "wilcoxon" and differing > EXACT_WILCOXON:
        # No ranks of so many units lie further from 0, in their own standard deviations, than equal ones.
        return max(SMALLEST_POSITIVE, erfc(sqrt(differing / 2)))
    return min(1.0, max(drawn, 2.0 ** (1 - differing)))


def needed_units(
    alpha: float, correction: Correction = "none", family: int = 1, sides: int = 2, flips_each: int = 1
) -> int:
    """How many units that differ a test by flips needs, at least, for the clearest result to be significant.

    A unit of several runs has as many flips.

    >>> needed_units(0.05), needed_units(0.05, "holm", 6), needed_units(0.05, sides=1), needed_units(0.05, flips_each=4)
    (6, 8, 5, 2)
    """
    return ceil((log2(sides) - log2(_before_correction(alpha, correction, family))) / flips_each)


def needed_runs(alpha: float, correction: Correction = "none", family: int = 1) -> int:
    """How many runs of each system the test over runs needs, at least, for the clearest result to be significant.

    >>> needed_runs(0.05), needed_runs(0.05, "holm", 2)
    (4, 5)
    """
    corrected_alpha = _before_correction(alpha, correction, family)
    return next(runs for runs in count(1) if smallest_over_runs(runs, runs) <= corrected_alpha)


def smallest_over_runs(first: int, second: int) -> float:
    """The smallest p of dealing the scores of all runs to the two systems in all ways.

    Systems of equally many runs may also change places.

    >>> smallest_over_runs(3, 3), smallest_over_runs(1, 3)
    (0.1, 0.25)
    """
    return (2 if first == second else 1) / comb(first + second, first)


def _before_correction(alpha: float, correction: Correction, family: int) -> float:
    """What the smallest p of a family may be at most."""
    return alpha / (family if correction == "holm" else 1)


def out_of_reach(
    *,
    units: int,
    unit: str,
    smallest: float,
    alpha: float,
    correction: Correction = "none",
    family: int = 1,
    differing: int | None = None,
    sides: int = 2,
    runs: int = 1,
) -> str:
    """Why no difference could be significant, however large, and what helps: the end of a sentence.

    `smallest` is the smallest p before correction. `differing` tells where the systems differ in only some units, and
    `runs` how many runs of each there are.

    >>> print(out_of_reach(units=5, unit="segment", smallest=0.0625, alpha=0.05))
    5 segments cannot give a p below 0.0625, and alpha is 0.05; take 6 segments or more
    """
    subject = f"{units:,} {unit}s" if runs == 1 else f"{units:,} {unit}s of {runs} runs each"
    some_only = differing is not None and differing < units
    if some_only:
        subject = f"the {differing:,} of {units:,} {unit}s that differ"
    needed = needed_units(alpha, correction, family, sides, flips_each=runs)
    enough = f"{needed:,} {unit}s or more{' that differ' if some_only else ''}"
    more = [enough] if unit == "segment" else [enough, "segments with --unit segment"]
    return _cannot(subject, smallest, alpha, correction, family, more)


def runs_out_of_reach(
    first: int, second: int, *, smallest: float, alpha: float, correction: Correction = "none", family: int = 1
) -> str:
    """Why so many runs could show nothing about other runs, and what helps: the end of a sentence.

    >>> print(runs_out_of_reach(3, 3, smallest=0.1, alpha=0.05))
    3 against 3 runs cannot give a p below 0.1, and alpha is 0.05; take 4 runs of each system or more
    """
    enough = f"{needed_runs(alpha, correction, family)} runs of each system or more"
    return _cannot(f"{first} against {second} runs", smallest, alpha, correction, family, [enough])


def _cannot(
    subject: str, smallest: float, alpha: float, correction: Correction, family: int, more: Sequence[str]
) -> str:
    if smallest > alpha:
        return f"{subject} cannot give a p below {smallest:.4g}, and alpha is {alpha:g}; take {', or '.join(more)}"
    return (
        f"{subject} cannot give a p below {smallest:.4g}, which {CORRECTED_BY[correction]} correction over {family} "
        f"comparisons lifts above {alpha:g}; compare fewer systems, take {', '.join(more)}, or use --correction none"
    )
