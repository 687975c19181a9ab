"""Krippendorff's alpha by counting: time and memory grow with the number of judgements, not with its square.

Alpha is 1 less the disagreement observed over the one expected. Both are sums over pairs of judgements, and for each of
the three scales a sum over pairs follows from a few sums over single judgements:

- nominal: the pairs that differ are all pairs less those that are equal, n^2 - sum of n_c^2;
- interval: the sum of (x - y)^2 over pairs is 2 (n sum x^2 - (sum x)^2);
- ordinal: Krippendorff's difference of two answers is the difference of their mid-ranks, so it is interval on those.

So an item is a row of numbers that add up, and a resample of items is a sum of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from karat.errors import InputError, SpecError, did_you_mean
from karat.human.agreement.base import ScaleAnswers, ScaleStatistic, register
from karat.human.agreement.value import CHANCE_ALONE, NOTHING, AgreementValue
from karat.quick_dataclasses import dataclass
from karat.significance import Resampling
from karat.significance.blocks import OnProgress, Runner
from karat.significance.intervals import interval_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

AnswerScale = Literal["nominal", "ordinal", "interval"]
ANSWER_SCALES: tuple[AnswerScale, ...] = ("nominal", "ordinal", "interval")


def krippendorff(
    items: ArrayLike,
    values: ArrayLike,
    scale: AnswerScale = "nominal",
    *,
    clusters: ArrayLike | None = None,
    resampling: Resampling | None = None,
    progress: OnProgress | None = None,
) -> AgreementValue:
    """Alpha of judgements in long form: the item that each judgement is about, and its value.

    Missing judgements are simply absent; items judged once are left out. With `resampling`, items (or `clusters` of
    them, one label per judgement, such as documents) are drawn at random for an interval; on an ordinal scale the
    ranks then stay those of all judgements.

    >>> round(krippendorff([0, 0, 1, 1, 2, 2], [1, 1, 2, 2, 3, 2], "interval").value, 3)
    0.706
    """
    return alphas(items, values, (scale,), clusters=clusters, resampling=resampling, progress=progress)[0]


def alphas(
    items: ArrayLike,
    values: ArrayLike,
    scales: Sequence[AnswerScale] = ANSWER_SCALES,
    *,
    clusters: ArrayLike | None = None,
    resampling: Resampling | None = None,
    progress: OnProgress | None = None,
) -> list[AgreementValue]:
    """Alpha on several scales, with the same random draws for all."""
    for scale in scales:
        if scale not in ANSWER_SCALES:
            raise SpecError(f"there is no scale called {scale!r}.{did_you_mean(scale, ANSWER_SCALES)}")
    grouped = np.asarray(items if clusters is None else clusters)
    which, answers, cluster = _pairable(np.asarray(items), np.asarray(values), grouped)
    if len(which) == 0:
        return [AgreementValue(f"krippendorff {scale}", None, 0, "items", note=NOTHING) for scale in scales]
    of_items = [_Rows.of(scale, which, answers) for scale in scales]
    plain = [rows.agreement(scale, len(answers)) for scale, rows in zip(scales, of_items, strict=True)]
    drawn = [rows.summed_by(cluster) for rows in of_items]
    if resampling is None or len(cluster) < 2 or cluster.max() < 1:
        return plain
    resampled = _resampled(drawn, int(cluster.max()) + 1, resampling, progress)
    return [
        alpha
        if alpha.value is None
        else replace(alpha, interval=interval_of(alpha.value, drawn_alphas, None, resampling))
        for alpha, drawn_alphas in zip(plain, resampled, strict=True)
    ]


@dataclass(frozen=True)
class _Rows:
    """One row of numbers that add up per item, and the formula from their sum to both disagreements."""

    values: Any
    disagreements: Callable[[Floats], tuple[Floats, Floats]]

    @classmethod
    def of(cls, scale: AnswerScale, which: NDArray[np.intp], answers: NDArray[Any]) -> _Rows:
        if scale == "nominal":
            return cls(_nominal_rows(which, answers), _nominal)
        return cls(_interval_rows(which, _numbers(answers, scale)), _interval)

    def agreement(self, scale: AnswerScale, judgements: int) -> AgreementValue:
        total = np.asarray(self.values.sum(axis=0)).reshape(1, -1)
        observed, expected = (float(part[0]) for part in self.disagreements(total))
        name, units = f"krippendorff {scale}", self.values.shape[0]
        details = {"judgements": judgements}
        if expected <= SMALLEST:
            return AgreementValue(name, None, units, "items", note=CHANCE_ALONE)
        return AgreementValue(name, 1 - observed / expected, units, "items", details=details, kappa_like=True)

    def summed_by(self, cluster: NDArray[np.intp]) -> _Rows:
        """One row per cluster of items."""
        if len(cluster) == 0 or int(cluster.max()) + 1 == len(cluster):
            return self
        from scipy.sparse import csr_array

        member = csr_array((np.ones(len(cluster)), (cluster, np.arange(len(cluster)))))
        return replace(self, values=member @ self.values)


SMALLEST = 1e-15


def _resampled(
    tables: Sequence[_Rows], units: int, resampling: Resampling, progress: OnProgress | None
) -> list[Floats]:
    """Alpha of every resample, for each table."""
    draws = resampling.draws((units,))

    def work(block: int) -> list[Floats]:
        weights = draws.block(block)
        parts = [table.disagreements(np.asarray(weights @ table.values)) for table in tables]
        # A resample in which everybody gave one answer agrees fully.
        return [1 - np.divide(have, chance, out=np.zeros_like(have), where=chance > SMALLEST) for have, chance in parts]

    blocks = list(Runner(None, progress, len(draws)).run(draws, work))
    return [np.concatenate([block[i] for block in blocks]) for i in range(len(tables))]


def _pairable(
    items: NDArray[Any], values: NDArray[Any], clusters: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[Any], NDArray[np.intp]]:
    """The judgements of items that have at least two, sorted by item; items as codes, and the cluster of each item."""
    if not items.shape == values.shape == clusters.shape or items.ndim != 1:
        raise InputError(f"{items.size} items, but {values.size} values: each judgement has one of both")
    if np.issubdtype(values.dtype, np.floating) and not np.isfinite(values).all():
        raise InputError("a judgement is not a finite number; leave it out if it is missing")
    _, codes, counts = np.unique(items, return_inverse=True, return_counts=True)
    kept = counts[codes] >= 2
    codes, values, clusters = codes[kept], values[kept], clusters[kept]
    order = np.argsort(codes, kind="stable")
    _, first, dense = np.unique(codes[order], return_index=True, return_inverse=True)
    _, cluster = np.unique(clusters[order][first], return_inverse=True)
    return dense.astype(np.intp), values[order], cluster.astype(np.intp)


def _numbers(answers: NDArray[Any], scale: AnswerScale) -> Floats:
    """The answers as numbers around 0: themselves, or their mid-ranks on an ordinal scale."""
    if scale == "ordinal":
        _, codes, counts = np.unique(answers, return_inverse=True, return_counts=True)
        numbers = (np.cumsum(counts) - counts / 2)[codes]
    else:
        numbers = answers.astype(np.float64)
    # Sums of squares of numbers far from 0 would lose digits.
    centred = numbers - numbers.mean()
    largest = np.abs(centred).max()
    return np.asarray(centred / largest if largest > 0 else centred)


def _interval_rows(which: NDArray[np.intp], numbers: Floats) -> Floats:
    """For each item: its disagreement, its number of judgements, their sum and their sum of squares."""
    count = np.bincount(which).astype(np.float64)
    total, squares = np.bincount(which, numbers), np.bincount(which, numbers**2)
    # Deviations from the item's own mean: exactly 0 where all agree.
    inner = np.bincount(which, (numbers - (total / count)[which]) ** 2)
    return np.column_stack([2 * count * inner / (count - 1), count, total, squares])


def _interval(sums: Floats) -> tuple[Floats, Floats]:
    """The observed and the expected disagreement of summed rows."""
    disagreement, count, total, squares = sums.T
    return disagreement / count, 2 * (count * squares - total**2) / (count * (count - 1))


def _nominal_rows(which: NDArray[np.intp], answers: NDArray[Any]) -> Any:
    """For each item: its disagreement, its number of judgements, and how many there are of each answer; sparse."""
    from scipy.sparse import csr_array, hstack

    kinds, codes = np.unique(answers, return_inverse=True)
    table = csr_array((np.ones(len(which)), (which, codes)), shape=(int(which[-1]) + 1, len(kinds)))
    table.sum_duplicates()
    count = np.asarray(table.sum(axis=1)).ravel()
    equal = np.asarray((table * table).sum(axis=1)).ravel()
    ends = csr_array(np.column_stack([(count**2 - equal) / (count - 1), count]))
    return hstack([ends, table], format="csr")


def _nominal(sums: Floats) -> tuple[Floats, Floats]:
    disagreement, count, answers = sums[:, 0], sums[:, 1], sums[:, 2:]
    return disagreement / count, (count**2 - (answers**2).sum(axis=1)) / (count * (count - 1))


@register
class KrippendorffAlpha(ScaleStatistic):
    r"""Agreement beyond chance for any number of raters, missing judgements, and nominal, ordinal or interval scales.

    Formula
    -------
    $$\alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \frac{1}{n} \sum_u \frac{1}{m_u - 1} \sum_{i \ne j} \delta^2,
    \quad D_e = \frac{1}{n(n-1)} \sum_{i \ne j} \delta^2$$

    What karat does
    ---------------
    Computed by counting, so that a million judgements take a second. The ordinal difference is that of mid-ranks. The
    interval resamples documents where they are known, else items, 1,000 times; ordinal ranks stay those of all
    judgements meanwhile.

    Example
    -------
    >>> from karat.human.agreement.krippendorff import krippendorff
    >>> items, values = [0, 0, 0, 1, 1, 2, 2, 2], [1, 1, 2, 4, 4, 3, 3, 5]
    >>> [round(krippendorff(items, values, scale).value, 3) for scale in ("nominal", "ordinal", "interval")]
    [0.44, 0.687, 0.706]
    """

    name = "krippendorff-alpha"
    title = "Krippendorff's alpha"
    citation = "krippendorff-2011-computing"
    place = 50

    def evaluate(self, judged: ScaleAnswers) -> tuple[AgreementValue, ...]:
        """Alpha on every scale that makes sense, with the same random draws."""
        used = judged.ordinary
        scales: tuple[AnswerScale, ...] = ANSWER_SCALES if judged.discrete else ("ordinal", "interval")
        clusters = used.document if used.segment_document is not None else None
        values = alphas(
            used.item,
            used.value,
            scales,
            clusters=clusters,
            resampling=judged.resampling,
            progress=judged.progress,
        )
        return tuple(values)
