"""Which differences are real: intervals, paired tests, many systems, many runs. Sees only rows."""

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
