"""Whether a system is worse than another by less than a margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.significance.blocks import Runner
from karat.significance.draws import DEFAULT_SEED, Draws, Kind
from karat.significance.intervals import tables_of
from karat.significance.multiple import needed_resamples
from karat.significance.paired import share
from karat.significance.quantiles import widening
from karat.significance.tables import resampled_scores, unit_warnings
from karat.significance.undefined import defined, refuse_mostly_undefined, undefined_share, undefined_warnings

if TYPE_CHECKING:
    from karat.rows import Rows


@dataclass(frozen=True)
class NonInferiority:
    """Whether a system is worse than the baseline by less than a margin.

    `difference` is system minus baseline. `loss_bound` is the largest loss of quality (positive is worse) that the data
    allow at the level; where it is below the margin, non-inferiority is `shown`.
    """

    metric: str
    baseline: str
    system: str
    baseline_score: float
    score: float
    difference: float
    margin: float
    loss_bound: float
    p: float
    level: float
    shown: bool
    n: int
    resample: Kind
    seed: int
    unit: str
    units: int
    higher_is_better: bool
    signature: str
    warnings: tuple[str, ...] = ()


def non_inferiority(
    baseline: Rows,
    system: Rows,
    margin: float,
    *,
    level: float = 0.05,
    n: int = 10_000,
    resample: Kind = "full",
    seed: int = DEFAULT_SEED,
    unit: str = "segment",
    names: tuple[str, str] = ("baseline", "system"),
    threads: int | None = None,
) -> NonInferiority:
    """Test whether the system loses less than `margin` against the baseline, by a one-sided paired bootstrap.

    The resampled differences, centred and widened for few units, are those of a system that is worse by exactly the
    margin; p is the share of them that look at least as good as the observed one. The bound is the same test inverted:
    it lies below the margin where p is at most the level.
    """
    if not 0 <= margin < np.inf or not 0 < level < 0.5:
        raise InputError(f"a margin of {margin} at level {level}: a margin is not negative and a level is below 0.5")
    _refuse_few(n, level)
    (table,) = tables_of([{names[0]: baseline, names[1]: system}])
    draws = Draws(resample, n, table.units, seed)
    (scores,) = resampled_scores([table], draws, Runner(threads))
    sign = 1.0 if table.higher_is_better else -1.0
    differences = scores[:, 1] - scores[:, 0]
    undefined = float(undefined_share(differences))
    refuse_mostly_undefined(undefined, table.spec)
    resampled = sign * defined(differences)
    kept = len(resampled)
    _refuse_few(kept, level)
    spread = (resampled - resampled.mean()) * widening(table.units, resample, level)
    difference = float(table.scores[1] - table.scores[0])
    tolerance = float(table.tolerances(np.array([[0, 1]], dtype=np.intp))[0])
    count = (spread >= sign * difference + margin - tolerance).sum()
    p = float(share(count, kept))
    # p <= level exactly when fewer than this many resamples reach the observed gain over the margin.
    allowed = int(round((kept + 1) * level, 9))
    loss_bound = float(np.sort(spread)[-allowed]) - sign * difference
    return NonInferiority(
        metric=table.spec,
        baseline=names[0],
        system=names[1],
        baseline_score=float(table.scores[0]),
        score=float(table.scores[1]),
        difference=difference,
        margin=margin,
        loss_bound=loss_bound,
        p=p,
        level=level,
        shown=p <= level,
        n=n,
        resample=resample,
        seed=seed,
        unit=unit,
        units=table.units,
        higher_is_better=table.higher_is_better,
        signature=table.signature,
        warnings=(*unit_warnings(table.units, unit), *undefined_warnings(undefined, table.spec)),
    )


def _refuse_few(n: int, level: float) -> None:
    if n < (least := needed_resamples(1, level)):
        raise InputError(f"n is {n}: it takes at least {least} resamples for p to reach {level:g}")
