"""Whether a system is worse than another by less than a margin."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError
from karat.significance.blocks import Runner
from karat.significance.draws import DEFAULT_SEED, Draws, ResampleKind
from karat.significance.intervals import tables_of
from karat.significance.measured import Measured
from karat.significance.multiple import needed_resamples
from karat.significance.paired import share
from karat.significance.quantiles import widening
from karat.significance.tables import resampled_scores, unit_warnings
from karat.significance.undefined import defined, refuse_mostly_undefined, undefined_share, undefined_warnings

if TYPE_CHECKING:
    from karat.identity import Identity
    from karat.rows import Rows


@dataclass(frozen=True)
class NonInferiority(Measured):
    """Whether a system is worse than the baseline by less than a margin.

    `difference` is system minus baseline. `loss_bound` is the largest loss of quality (positive is worse) that the data
    allow at alpha; where it is below the margin, non-inferiority is `shown`.
    """

    identity: Identity
    baseline: str
    system: str
    baseline_score: float
    score: float
    difference: float
    margin: float
    loss_bound: float
    p: float
    alpha: float
    shown: bool
    n: int
    resample: ResampleKind
    seed: int
    unit: str
    units: int
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "non_inferiority" of the JSON form."""
        names = [field.name for field in fields(self) if field.name not in ("identity", "warnings")]
        known = self.fields(["metric", *names, "higher_is_better", "signature"])
        return {**known, "level": self.alpha, "warnings": list(self.warnings)}


def non_inferiority(
    baseline: Rows,
    system: Rows,
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
    margin; p is the share of them that look at least as good as the observed one. The bound is the same test inverted:
    it lies below the margin where p is at most alpha.
    """
    if not 0 <= margin < np.inf or not 0 < alpha < 0.5:
        raise InputError(f"a margin of {margin} at alpha {alpha}: a margin is not negative and alpha is below 0.5")
    _refuse_few(n, alpha)
    (table,) = tables_of([{names[0]: baseline, names[1]: system}])
    draws = Draws(resample, n, table.units, seed)
    (scores,) = resampled_scores([table], draws, Runner(threads))
    sign = table.identity.sign
    differences = scores[:, 1] - scores[:, 0]
    undefined = float(undefined_share(differences))
    refuse_mostly_undefined(undefined, table.spec)
    resampled = sign * defined(differences)
    kept = len(resampled)
    _refuse_few(kept, alpha)
    spread = (resampled - resampled.mean()) * widening(table.units, resample, alpha)
    difference = float(table.scores[1] - table.scores[0])
    tolerance = float(table.tolerances(np.array([[0, 1]], dtype=np.intp))[0])
    count = (spread >= sign * difference + margin - tolerance).sum()
    p = float(share(count, kept))
    # p <= alpha exactly when fewer than this many resamples reach the observed gain over the margin.
    allowed = int(round((kept + 1) * alpha, 9))
    loss_bound = float(np.sort(spread)[-allowed]) - sign * difference
    return NonInferiority(
        identity=table.identity,
        baseline=names[0],
        system=names[1],
        baseline_score=float(table.scores[0]),
        score=float(table.scores[1]),
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
        warnings=(*unit_warnings(table.units, unit), *undefined_warnings(undefined, table.spec)),
    )


def _refuse_few(n: int, alpha: float) -> None:
    if n < (least := needed_resamples(1, alpha)):
        raise InputError(f"n is {n}: it takes at least {least} resamples for p to reach {alpha:g}")
