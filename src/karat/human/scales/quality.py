"""Whom to trust: what control items, repeats, time and the other raters say about each rater.

Nothing is deleted. A rater gets flags with reasons, and an analysis can leave flagged raters out and show both results.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.errors import InputError
from karat.human.couples import crossed, pairs_within
from karat.human.scales.judgements import BAD_REFERENCE, GOLD, ORDINARY, REPEAT, Judgements
from karat.human.scales.standard import RaterScale
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]
    Bools = NDArray[np.bool_]

FLAGS = ("bad-reference", "repeats", "gold", "too-fast", "straight-lining", "disagrees")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When a rater is flagged; `fast` is in seconds for the median item, shares and correlations between 0 and 1."""

    bad_reference_p: float = 0.05
    fast: float = 2.0
    same_share: float = 0.95
    longest_run: int = 10
    chance_of_run: float = 0.001
    correlation: float = 0.1
    gold_share: float = 0.6
    fewest: int = 10

    def __post_init__(self) -> None:
        if not 0 <= self.fast < np.inf:
            raise InputError(f"--fast is a number of seconds, 0 or more, and not {self.fast:g}")


@dataclass(frozen=True)
class RaterQuality:
    """What is known about one rater; None where it cannot be told."""

    rater: str
    n: int
    mean: float
    deviation: float | None
    flags: tuple[str, ...]
    reasons: tuple[str, ...]
    bad_reference_p: float | None = None
    bad_references: int = 0
    repeat_difference: float | None = None
    repeats: int = 0
    gold_share: float | None = None
    median_seconds: float | None = None
    same_share: float = 0.0
    longest_run: int = 0
    correlation: float | None = None
    shared_items: int = 0
    details: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The object that stands in "raters" of the JSON form."""
        entry = dict(vars(self))
        details = entry.pop("details")
        return {**entry, "flags": list(self.flags), "reasons": list(self.reasons), **details}


def rater_quality(
    given: Judgements, limits: Limits | None = None, *, higher_is_better: bool = True
) -> list[RaterQuality]:
    """Look at every rater; raters with no judgement on this scale are left out."""
    chosen = limits or Limits()
    scale = RaterScale.of(given.rater, given.value, len(given.raters))
    others = leave_one_out(given)
    order = np.argsort(given.rater, kind="stable")
    bounds = np.searchsorted(given.rater[order], np.arange(len(given.raters) + 1))
    qualities = []
    for rater, name in enumerate(given.raters):
        rows = order[bounds[rater] : bounds[rater + 1]]
        if len(rows) == 0:
            continue
        deviation = float(scale.deviation[rater])
        measured = {
            "n": len(rows),
            "mean": float(scale.mean[rater]),
            "deviation": deviation if np.isfinite(deviation) else None,
            **_bad_references(given, rows, higher_is_better),
            **_repeats(given, rows),
            **_gold(given, rows),
            **_habits(given, rows),
            "correlation": others[rater][0],
            "shared_items": others[rater][1],
        }
        flags = _flags(measured, chosen)
        qualities.append(RaterQuality(rater=name, flags=tuple(flags), reasons=tuple(flags.values()), **measured))
    return qualities


def _bad_references(given: Judgements, rows: Codes, higher_is_better: bool) -> dict[str, Any]:
    """Whether damaged outputs got worse values than the outputs that they were made from, or any: a one-sided test."""
    from scipy.stats import mannwhitneyu, wilcoxon

    bad = rows[given.control[rows] == BAD_REFERENCE]
    plain = rows[given.control[rows] == ORDINARY]
    if len(bad) == 0 or len(plain) == 0:
        return {"bad_reference_p": None, "bad_references": len(bad)}
    of_item = dict(zip(given.item[plain].tolist(), given.value[plain].tolist(), strict=True))
    pairs = [
        (of_item[item], value)
        for item, value in zip(given.item[bad].tolist(), given.value[bad], strict=True)
        if item in of_item
    ]
    sign = 1.0 if higher_is_better else -1.0
    if len(pairs) >= 5:
        gaps = sign * np.array([good - worse for good, worse in pairs])
        p = float(wilcoxon(gaps, alternative="greater", method="approx").pvalue) if gaps.any() else 1.0
    else:
        p = float(mannwhitneyu(sign * given.value[plain], sign * given.value[bad], alternative="greater").pvalue)
    return {"bad_reference_p": p, "bad_references": len(bad)}


def _repeats(given: Judgements, rows: Codes) -> dict[str, Any]:
    """How far apart the values are that a rater gave to the same item at different times."""
    rows = rows[given.control[rows] <= REPEAT]
    first, second = pairs_within(given.item[rows])
    if len(first) == 0:
        return {"repeat_difference": None, "repeats": 0}
    gaps = np.abs(given.value[rows[first]] - given.value[rows[second]])
    return {"repeat_difference": float(gaps.mean()), "repeats": len(first)}


def _gold(given: Judgements, rows: Codes) -> dict[str, Any]:
    """The share of gold items that were answered as they should be."""
    gold = rows[given.control[rows] == GOLD]
    if given.gold is None or len(gold) == 0:
        return {"gold_share": None}
    return {"gold_share": float((given.value[gold] == given.gold[gold]).mean())}


def _habits(given: Judgements, rows: Codes) -> dict[str, Any]:
    """How fast a rater is, how often one value is given, and how often in a row."""
    values, seconds = given.value[rows], given.seconds[rows]
    timed = seconds[np.isfinite(seconds)]
    _, counts = np.unique(values, return_counts=True)
    changes = np.flatnonzero(np.r_[True, values[1:] != values[:-1], True])
    return {
        "median_seconds": float(np.median(timed)) if len(timed) else None,
        "same_share": float(counts.max()) / len(values),
        "longest_run": int(np.diff(changes).max()),
    }


def leave_one_out(given: Judgements) -> list[tuple[float | None, int]]:
    """Each rater's correlation with the mean of the other raters on the items that others judged, too; and how many.

    A rater's own judgements are left out of the mean.
    """
    used = given.taken(given.control == ORDINARY)
    own = crossed(used.rater, used.item) if len(used) else np.empty(0, dtype=np.intp)
    mine = np.bincount(own, used.value) / np.maximum(np.bincount(own), 1)
    keys, at = np.unique(own, return_index=True)
    rater, item = used.rater[at], used.item[at]
    total, count = np.bincount(item, mine[keys]), np.bincount(item)
    rest = count[item] - 1
    shared = rest > 0
    others = (total[item] - mine[keys])[shared] / rest[shared]
    values, who = mine[keys][shared], rater[shared]
    order = np.argsort(who, kind="stable")
    ends = np.cumsum(np.bincount(who, minlength=len(given.raters)))[:-1]
    parts = zip(np.split(values[order], ends), np.split(others[order], ends), strict=True)
    return [_correlation(own_values, of_others) for own_values, of_others in parts]


def _correlation(first: Floats, second: Floats) -> tuple[float | None, int]:
    if len(first) < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None, len(first)
    return float(np.corrcoef(first, second)[0, 1]), len(first)


def _flags(measured: dict[str, Any], limits: Limits) -> dict[str, str]:
    """The flags that a rater gets, each with its reason; nobody is judged on a handful of items."""
    flags: dict[str, str] = {}
    p = measured["bad_reference_p"]
    if p is not None and measured["bad_references"] >= 5 and p > limits.bad_reference_p:
        flags["bad-reference"] = f"does not mark damaged outputs down (p = {p:.2f})"
    if measured["gold_share"] is not None and measured["gold_share"] < limits.gold_share:
        flags["gold"] = f"answers {measured['gold_share']:.0%} of the gold items as expected"
    spread = measured["deviation"]
    if measured["repeats"] >= 5 and spread and measured["repeat_difference"] > spread:
        gap = measured["repeat_difference"]
        flags["repeats"] = f"repeats differ by {gap:.2f}, more than this rater's values vary at all ({spread:.2f})"
    if measured["n"] < limits.fewest:
        return flags
    if measured["median_seconds"] is not None and measured["median_seconds"] < limits.fast:
        flags["too-fast"] = f"takes {measured['median_seconds']:.1f} seconds for the median item"
    share, run = measured["same_share"], measured["longest_run"]
    # A run is odd if even the rater's favourite value would hardly ever make it by chance.
    if share >= limits.same_share or (run >= limits.longest_run and measured["n"] * share**run < limits.chance_of_run):
        flags["straight-lining"] = (
            f"gives one value {measured['same_share']:.0%} of the time, {measured['longest_run']} times in a row"
        )
    known = measured["correlation"] is not None and measured["shared_items"] >= limits.fewest
    if known and measured["correlation"] < limits.correlation:
        flags["disagrees"] = f"correlates {measured['correlation']:.2f} with the mean of the others"
    return flags
