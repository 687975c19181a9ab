"""Which differences are real: intervals, paired tests, many systems, many runs. Sees only rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy_names import loader

if TYPE_CHECKING:
    from karat.significance.comparing import compare, compare_all, compare_pair
    from karat.significance.comparison import Comparison
    from karat.significance.draws import DEFAULT_SEED
    from karat.significance.inferiority import NonInferiority, non_inferiority
    from karat.significance.intervals import (
        Estimate,
        Interval,
        Resampling,
        bootstrap,
        bootstrap_difference,
        bootstrap_many,
    )
    from karat.significance.multiple import CORRECTIONS, adjust, needed_resamples
    from karat.significance.options import Options
    from karat.significance.paired import TESTS
    from karat.significance.planning import (
        Power,
        detectable_difference,
        difference_deviation,
        needed_units,
        power,
        reached_power,
    )
    from karat.significance.ranking import Ranked, Ranking, rank
    from karat.significance.reach import out_of_reach, smallest_p
    from karat.significance.runs import RunComparison, RunReport, RunSummary, compare_runs

_HOMES = {
    "CORRECTIONS": "karat.significance.multiple",
    "Comparison": "karat.significance.comparison",
    "DEFAULT_SEED": "karat.significance.draws",
    "Estimate": "karat.significance.intervals",
    "Interval": "karat.significance.intervals",
    "NonInferiority": "karat.significance.inferiority",
    "Options": "karat.significance.options",
    "Power": "karat.significance.planning",
    "Ranked": "karat.significance.ranking",
    "Ranking": "karat.significance.ranking",
    "Resampling": "karat.significance.intervals",
    "RunComparison": "karat.significance.runs",
    "RunReport": "karat.significance.runs",
    "RunSummary": "karat.significance.runs",
    "TESTS": "karat.significance.paired",
    "adjust": "karat.significance.multiple",
    "bootstrap": "karat.significance.intervals",
    "bootstrap_difference": "karat.significance.intervals",
    "bootstrap_many": "karat.significance.intervals",
    "compare": "karat.significance.comparing",
    "compare_all": "karat.significance.comparing",
    "compare_pair": "karat.significance.comparing",
    "compare_runs": "karat.significance.runs",
    "detectable_difference": "karat.significance.planning",
    "difference_deviation": "karat.significance.planning",
    "needed_resamples": "karat.significance.multiple",
    "needed_units": "karat.significance.planning",
    "non_inferiority": "karat.significance.inferiority",
    "out_of_reach": "karat.significance.reach",
    "power": "karat.significance.planning",
    "rank": "karat.significance.ranking",
    "reached_power": "karat.significance.planning",
    "smallest_p": "karat.significance.reach",
}

__all__ = [
    "CORRECTIONS",
    "DEFAULT_SEED",
    "TESTS",
    "Comparison",
    "Estimate",
    "Interval",
    "NonInferiority",
    "Options",
    "Power",
    "Ranked",
    "Ranking",
    "Resampling",
    "RunComparison",
    "RunReport",
    "RunSummary",
    "adjust",
    "bootstrap",
    "bootstrap_difference",
    "bootstrap_many",
    "compare",
    "compare_all",
    "compare_pair",
    "compare_runs",
    "detectable_difference",
    "difference_deviation",
    "needed_resamples",
    "needed_units",
    "non_inferiority",
    "out_of_reach",
    "power",
    "rank",
    "reached_power",
    "smallest_p",
]

__getattr__ = loader(__name__, _HOMES)
