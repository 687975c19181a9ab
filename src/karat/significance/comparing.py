"""Compares systems with a baseline or with each other, under several metrics at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError
from karat.significance import paired
from karat.significance.blocks import OnProgress, Runner
from karat.significance.comparison import Comparison
from karat.significance.effects import effect_size
from karat.significance.intervals import interval_of, tables_of
from karat.significance.options import Options
from karat.significance.outcomes import Outcome, adjusted_outcomes, outcomes_of
from karat.significance.tables import RowTable, unit_warnings
from karat.significance.undefined import defined, refuse_mostly_undefined, undefined_share, undefined_warnings

if TYPE_CHECKING:
    from karat.rows import Rows
    from karat.significance.paired import Pairs
    from karat.significance.tables import Floats

MOSES_WARNING = (
    "moses takes absolute values before centring, so its p is half of a two-sided one or less: not evidence by itself"
)


def compare_pair(
    baseline: Rows, system: Rows, options: Options | None = None, *, threads: int | None = None
) -> Comparison:
    """Compare two systems.

    >>> from karat.rows import Rows
    >>> worse = Rows.from_scores([50.0, 60.0, 70.0, 80.0] * 10, spec="rating")
    >>> better = Rows.from_scores([52.0, 61.0, 73.0, 82.0] * 10, spec="rating")
    >>> result = compare_pair(worse, better)
    >>> result.difference, round(result.p, 4), result.wins
    (2.0, 0.0001, 1.0)
    """
    return compare([{"baseline": baseline, "system": system}], options, threads=threads)[0]


def compare(
    tables: Sequence[Mapping[str, Rows]],
    options: Options | None = None,
    *,
    baseline: str | None = None,
    families: Sequence[int] | None = None,
    units: Sequence[str] | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> tuple[Comparison, ...]:
    """Compare every other system with the baseline (the first one if not named), under each metric.

    A table holds the rows of the systems under one metric. The result has the metrics in order, and under each the
    systems in order. Where systems have different units in common with the baseline, each set of units is a table of
    its own, `families` tells which tables are of one metric and adjusted together, and `units` what each row of it is.
    """
    row_tables = tables_of(tables) if families is None else [RowTable.of(rows) for rows in tables]
    pairs = []
    for table in row_tables:
        first = 0 if baseline is None else table.position(baseline)
        with_baseline = [(first, system) for system in range(len(table.names)) if system != first]
        pairs.append(np.array(with_baseline, dtype=np.intp).reshape(-1, 2))
    return compare_pairs(row_tables, pairs, options or Options(), Runner(threads, progress), families, units)


def compare_all(
    tables: Sequence[Mapping[str, Rows]],
    options: Options | None = None,
    *,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> tuple[Comparison, ...]:
    """Compare all pairs of systems under each metric; the earlier one of a pair is its baseline."""
    row_tables = tables_of(tables)
    return compare_pairs(row_tables, all_pairs(row_tables), options or Options(), Runner(threads, progress))


def all_pairs(tables: Sequence[RowTable]) -> list[Pairs]:
    """The pairs of all systems of each table."""
    positions = (range(len(table.names)) for table in tables)
    return [np.array(list(combinations(systems, 2)), dtype=np.intp).reshape(-1, 2) for systems in positions]


def compare_pairs(
    tables: Sequence[RowTable],
    pairs: Sequence[Pairs],
    options: Options,
    runner: Runner,
    families: Sequence[int] | None = None,
    units: Sequence[str] | None = None,
) -> tuple[Comparison, ...]:
    """Compare the pairs named for each table, those over equally many units with the same draws.

    Tables of one family are adjusted together; without `families` each table is a family. `units` names those of each
    table, where they are not all those of the options.
    """
    if not all(len(table_pairs) for table_pairs in pairs):
        raise InputError("there is one system only: give at least two to compare")
    family_of = list(range(len(tables)) if families is None else families)
    sizes = Counter[int]()
    for family, table_pairs in zip(family_of, pairs, strict=True):
        sizes[family] += len(table_pairs)
    n = options.enough_n(max(sizes.values()))
    outcomes = outcomes_of(tables, pairs, n, options, runner)
    adjusted = adjusted_outcomes(outcomes, family_of, options.correction)
    compared: list[Comparison] = []
    for i, (table, outcome) in enumerate(zip(tables, outcomes, strict=True)):
        undefined = np.maximum(undefined_share(outcome.differences), outcome.tested.undefined)
        refuse_mostly_undefined(undefined, table.spec)
        of_table = options if units is None else replace(options, unit=units[i])
        unwarned = _comparisons(table, pairs[i], outcome, adjusted[i], sizes[family_of[i]], of_table)
        shares = undefined.tolist()
        compared += (_warned(pair, table, options, share) for pair, share in zip(unwarned, shares, strict=True))
    return tuple(compared)


def _comparisons(
    table: RowTable, pairs: Pairs, outcome: Outcome, corrected: tuple[Floats, Floats], family: int, options: Options
) -> list[Comparison]:
    """The comparisons of one table; `corrected` is p and the smallest possible p, over `family` comparisons."""
    resampling = options.resampling(outcome.n)
    differences, tested = outcome.differences, outcome.tested
    adjusted, smallest_adjusted = corrected
    shares = paired.wins(differences, table.tolerances(pairs), higher_is_better=table.identity.higher_is_better)
    compared = []
    for i, (first, second) in enumerate(pairs.tolist()):
        difference = float(table.scores[second] - table.scores[first])
        left_out = table.jackknife[:, second] - table.jackknife[:, first]
        compared.append(
            Comparison(
                identity=table.identity,
                baseline=table.names[first],
                system=table.names[second],
                baseline_score=float(table.scores[first]),
                score=float(table.scores[second]),
                difference=difference,
                interval=interval_of(difference, defined(differences[:, i]), left_out, resampling),
                statistic=float(tested.statistic[i]),
                p=float(tested.p[i]),
                p_adjusted=float(adjusted[i]),
                smallest_p=float(tested.smallest_p[i]),
                smallest_p_adjusted=float(smallest_adjusted[i]),
                differing=int(tested.differing[i]),
                exact=bool(tested.exact[i]),
                wins=float(shares[0][i]),
                losses=float(shares[1][i]),
                ties=float(shares[2][i]),
                effect_size=effect_size(difference, left_out),
                test=options.test,
                n=outcome.n,
                interval_n=resampling.n,
                resample=resampling.resample,
                seed=options.seed,
                unit=options.unit,
                units=table.units,
                alpha=options.alpha,
                correction=options.correction,
                family=family,
                score_is_mean=table.scores_are_means,
            )
        )
    return compared


def _warned(pair: Comparison, table: RowTable, options: Options, undefined: float) -> Comparison:
    """The comparison with its warnings; `undefined` is the share of draws that were left out."""
    warnings = [*unit_warnings(pair.units, pair.unit, table.strata), *undefined_warnings(undefined, pair.metric)]
    asked = options.asked_n
    if pair.n is not None and asked is not None and not pair.exact and pair.n > asked:
        could = "could never" if pair.correction == "holm" else "might not"
        warnings.append(
            f"n was raised from {asked:,} to {pair.n:,}: "
            f"fewer {could} reach {pair.alpha:g} over {pair.family} comparisons"
        )
    if not pair.reachable and not pair.identical:
        warnings.append(f"no difference can be shown: {pair.out_of_reach()}")
    if pair.test == "moses":
        warnings.append(MOSES_WARNING)
    if pair.interval.note is not None:
        warnings.append(pair.interval.note)
    return replace(pair, warnings=tuple(warnings)) if warnings else pair
