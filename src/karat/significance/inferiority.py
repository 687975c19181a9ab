"""Whether a system is worse than another by less than a margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError
from karat.rows import Rows
from karat.significance.blocks import Runner
from karat.significance.draws import DEFAULT_SEED, Draws, ResampleKind
from karat.significance.intervals import tables_of
from karat.significance.measured import Measured
from karat.significance.multiple import needed_resamples
from karat.significance.paired import widened_beyond
from karat.significance.quantiles import widening
from karat.significance.reach import out_of_reach, smallest_p
from karat.significance.tables import resampled_scores, unit_warnings
from karat.significance.undefined import defined, refuse_mostly_undefined, undefined_share, undefined_warnings

if TYPE_CHECKING:
    from karat.identity import Identity
    from karat.significance.tables import Floats


@dataclass(frozen=True)
class NonInferiority(Measured):
    """Whether a system is worse than the baseline by less than a margin.

    `difference` is system minus baseline, of means where they have several `runs`. `loss_bound` is the largest loss of
    quality (positive is worse) that the data allow at alpha; where it is below the margin, non-inferiority is `shown`.
    It is None where the units are too few for any p to be as small as alpha: nothing is `reachable` then.
    """

    identity: Identity
    baseline: str
    system: str
    baseline_score: float
    score: float
    difference: float
    margin: float
    loss_bound: float | None
    p: float
    alpha: float
    shown: bool
    n: int
    resample: ResampleKind
    seed: int
    unit: str
    units: int
    baseline_runs: int = 1
    runs: int = 1
    warnings: tuple[str, ...] = ()

    @property
    def smallest_p(self) -> float:
        """The smallest p that so many units can give: that of one among all ways to flip the signs."""
        return _smallest_p(self.units)

    @property
    def reachable(self) -> bool:
        """Whether p could have been at most alpha."""
        return self.smallest_p <= self.alpha

    def out_of_reach(self) -> str:
        """Why nothing could be shown, and what helps; only where it is not reachable."""
        return out_of_reach(units=self.units, unit=self.unit, smallest=self.smallest_p, alpha=self.alpha, sides=1)

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "non_inferiority" of the JSON form."""
        names = [field.name for field in fields(self) if field.name not in ("identity", "warnings")]
        known = self.fields(["metric", *names, "higher_is_better", "signature", "smallest_p", "reachable"])
        return {**known, "level": self.alpha, "warnings": list(self.warnings)}


def non_inferiority(
    baseline: Rows | Sequence[Rows],
    system: Rows | Sequence[Rows],
    margin: float,
    *,
    alpha: float = 0.05,
    n: int = 10_000,
    resample: ResampleKind = "full",
    seed: int = DEFAULT_SEED,
    unit: str = "segment",
    names: tuple[str, str] = ("baseline", "system"),
    threads: int | None = None,
) -> NonInferiority:
    """Test whether the system loses less than `margin` against the baseline, by a one-sided paired bootstrap.

    The resampled differences, centred and widened for few units, are those of a system that is worse by exactly the
    margin; p is the share of them that look at least as good as the observed one. The k-th largest is widened for its
    own tail, so that p holds at every alpha. The bound is the same test inverted: it lies below the margin where p is
    at most alpha. Systems of several runs are compared by the means of their scores: that speaks of these runs.
    """
    if not 0 <= margin < np.inf or not 0 < alpha < 0.5:
        raise InputError(f"a margin of {margin} at alpha {alpha}: a margin is not negative and alpha is below 0.5")
    _refuse_few(n, alpha)
    first, second = ([given] if isinstance(given, Rows) else [*given] for given in (baseline, system))
    (table,) = tables_of([{str(number): rows for number, rows in enumerate([*first, *second])}])
    draws = Draws(resample, n, table.units, seed, table.strata)
    (scores,) = resampled_scores([table], draws, Runner(threads))
    sign = table.identity.sign
    differences = _mean_difference(scores, len(first))
    undefined = float(undefined_share(differences))
    refuse_mostly_undefined(undefined, table.spec)
    resampled = sign * defined(differences)
    kept = len(resampled)
    _refuse_few(kept, alpha)
    spread = resampled - resampled.mean()
    difference = float(_mean_difference(table.scores, len(first)))
    tolerance = float(table.tolerances(np.arange(len(table.names), dtype=np.intp)[np.newaxis])[0])
    threshold = sign * difference + margin - tolerance
    reaching = widened_beyond(spread, threshold, kept, table.fewest_units, resample, sides=1)
    p = max((reaching + 1) / (kept + 1), _smallest_p(table.units))
    loss_bound = None
    if _smallest_p(table.units) <= alpha:
        loss_bound = _upper_bound(spread, table.fewest_units, resample, alpha) - sign * difference
    return NonInferiority(
        identity=table.identity,
        baseline=names[0],
        system=names[1],
        baseline_score=float(table.scores[: len(first)].mean()),
        score=float(table.scores[len(first) :].mean()),
        difference=difference,
        margin=margin,
        loss_bound=loss_bound,
        p=p,
        alpha=alpha,
        shown=p <= alpha,
        n=n,
        resample=resample,
        seed=seed,
        unit=unit,
        units=table.units,
        baseline_runs=len(first),
        runs=len(second),
        warnings=(*unit_warnings(table.units, unit, table.strata), *undefined_warnings(undefined, table.spec)),
    )


def _mean_difference(scores: Floats, baseline_runs: int) -> Floats:
    """The mean of the later scores less that of the first ones, along the last axis."""
    return np.asarray(scores[..., baseline_runs:].mean(axis=-1) - scores[..., :baseline_runs].mean(axis=-1))


def _smallest_p(units: int) -> float:
    """The smallest one-sided p of all ways to flip the signs of units, below which no claim is made."""
    return smallest_p("randomization", units) / 2


def _upper_bound(spread: Floats, units: int, resample: ResampleKind, alpha: float) -> float:
    """What widened resamples reach with probability alpha: p is at most alpha where fewer of them reach the gain."""
    allowed = int(round((len(spread) + 1) * alpha, 9))
    widened = widening(units, resample, allowed / (len(spread) + 1))
    return float(np.partition(spread, -allowed)[-allowed]) * widened


def _refuse_few(n: int, alpha: float) -> None:
    if n < (least := needed_resamples(1, alpha)):
        raise InputError(f"n is {n}: it takes at least {least} resamples for p to reach {alpha:g}")
