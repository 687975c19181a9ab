"""A mixed model of judgements: score ~ system + (1 | rater) + (1 | segment), by restricted maximum likelihood.

When not every rater judged every system on every segment, plain means mix the systems with whom and what they happened
to meet. The model takes harsh raters and hard segments out. Segments are many and each touches few others, so that
they are eliminated first (their block of the equations is diagonal); what remains has one row per system and rater.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.human.results import ModelVariances
from karat.human.scales.confounding import told_apart
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.scales.judgements import Judgements

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]

MOST_CELLS = 50_000_000
BOUND = 12.0
"""The logarithm of a ratio of variances is looked for between these bounds; at the upper one an effect is nil."""


@dataclass(frozen=True, eq=False)
class MixedModel:
    """Means of systems with their covariance, and the variances: of raters, of segments, and what is left.

    `confounded` names the effects that cannot be told from systems, since each system has one rater or one segment of
    its own; the errors of the means are not known then.
    """

    means: Floats
    covariance: Floats
    variances: ModelVariances
    log_likelihood: float
    confounded: tuple[str, ...] = ()

    @property
    def errors(self) -> Floats | None:
        """The standard errors of the means."""
        return np.sqrt(np.diag(self.covariance)) if not self.confounded else None

    def difference(self, first: int, second: int) -> tuple[float, float, float]:
        """First minus second mean, its standard error, and the two-sided p of the normal approximation."""
        from scipy.special import ndtr

        if self.confounded:
            raise InputError(f"each system has one {self.confounded[0]} only: no error of the difference is known")
        gap = float(self.means[first] - self.means[second])
        shared = self.covariance
        error = float(np.sqrt(shared[first, first] + shared[second, second] - 2 * shared[first, second]))
        return gap, error, float(2 * ndtr(-abs(gap) / error)) if error > 0 else 1.0


def mixed_model(given: Judgements) -> MixedModel:
    """Fit the model to judgements in which every system occurs; a single rater is no effect, but a condition."""
    alone = len(np.unique(given.rater)) == 1
    raters = 0 if alone else int(given.rater.max(initial=-1)) + 1
    if len(np.unique(given.system)) < len(given.systems):
        raise InputError("the mixed model needs judgements of every system")
    equations = _Equations.of(given, raters)
    centred = equations.solved(*_best_ratios(equations))
    identified = told_apart(given.system, given.rater, given.segment)
    variances = {name: value if identified.variances[name] else None for name, value in vars(centred.variances).items()}
    return replace(
        centred,
        means=centred.means + given.value.mean(),
        variances=ModelVariances(**variances),
        confounded=tuple(name for name in identified.one_with_systems if not (alone and name == "rater")),
    )


def _best_ratios(equations: _Equations) -> tuple[float, float]:
    from scipy.optimize import minimize

    def loss(state: Floats) -> float:
        return equations.evaluated(*np.exp(np.clip(state, -BOUND, BOUND)))[0]

    best = minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-9, "maxiter": 400})
    rater, segment = np.exp(np.clip(best.x, -BOUND, BOUND))
    return float(rater), float(segment)


@dataclass(frozen=True, eq=False)
class _Equations:
    """Henderson's mixed model equations, ready for any ratio of variances.

    What eliminating a segment takes away depends on the ratio only through its number of judgements, so segments with
    the same number are added up beforehand: `sizes` are these numbers and `segments` how many have each.
    """

    systems: int
    raters: int
    n: int
    sizes: Floats
    segments: Floats
    removed: Floats
    removed_sums: Floats
    removed_squares: Floats
    inner: Floats
    sums: Floats
    square: float

    @classmethod
    def of(cls, given: Judgements, raters: int) -> _Equations:
        from scipy.sparse import csr_array

        # Centred values lose no digits; the mean is added again at the end.
        value = given.value - given.value.mean()
        n, systems = len(value), len(given.systems)
        _, segment, counts = np.unique(given.segment, return_inverse=True, return_counts=True)
        columns = np.concatenate([given.system, systems + given.rater]) if raters else given.system
        rows = np.tile(np.arange(n), 2 if raters else 1)
        design = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, systems + raters))
        cross = csr_array((np.ones(n), (segment, np.arange(n)))) @ design
        totals = np.bincount(segment, value)
        sizes, size, segments = np.unique(counts, return_inverse=True, return_counts=True)
        if len(sizes) * (systems + raters) ** 2 > MOST_CELLS:
            raise InputError(f"there are too many raters ({raters}) for the mixed model")
        parts = [(cross[size == i], totals[size == i]) for i in range(len(sizes))]
        return cls(
            systems=systems,
            raters=raters,
            n=n,
            sizes=sizes.astype(np.float64),
            segments=segments.astype(np.float64),
            removed=np.stack([(part.T @ part).toarray() for part, _ in parts]),
            removed_sums=np.stack([part.T @ total for part, total in parts]),
            removed_squares=np.array([total @ total for _, total in parts]),
            inner=(design.T @ design).toarray(),
            sums=design.T @ value,
            square=float(value @ value),
        )

    def evaluated(self, rater_ratio: float, segment_ratio: float) -> tuple[float, Floats, Floats, float]:
        """-2 log restricted likelihood, solution, inverse of the reduced matrix, and residual variance.

        The ratios are residual variance over that of raters and of segments.
        """
        weight = 1 / (self.sizes + segment_ratio)
        reduced = self.inner - np.tensordot(weight, self.removed, axes=1)
        seats = np.arange(self.systems, self.systems + self.raters)
        reduced[seats, seats] += rater_ratio
        right = self.sums - weight @ self.removed_sums
        inverse: Floats = np.linalg.inv(reduced).astype(np.float64)
        solution = inverse @ right
        explained = float(solution @ right) + float(weight @ self.removed_squares)
        freedom = self.n - self.systems
        residual = max((self.square - explained) / freedom, 1e-300)
        determinant = float(np.linalg.slogdet(reduced)[1]) - float(self.segments @ np.log(weight))
        priors = self.raters * np.log(rater_ratio) + self.segments.sum() * np.log(segment_ratio)
        loss = freedom * (np.log(residual) + 1 + np.log(2 * np.pi)) + determinant - priors
        return float(loss), solution, inverse, residual

    def solved(self, rater_ratio: float, segment_ratio: float) -> MixedModel:
        """The model at the best ratios."""
        loss, solution, inverse, residual = self.evaluated(rater_ratio, segment_ratio)
        part = slice(0, self.systems)
        return MixedModel(
            means=solution[part],
            covariance=inverse[part, part] * residual,
            variances=ModelVariances(residual / rater_ratio, residual / segment_ratio, residual),
            log_likelihood=-loss / 2,
        )
