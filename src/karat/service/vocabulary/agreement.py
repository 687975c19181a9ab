"""Words about how well metrics agree with people."""

from karat.meta import GROUPINGS, TESTS, ContestOptions, MeasureSettings, all_measures, standard_measures
from karat.meta.contests import Test
from karat.meta.points import Grouping
from karat.meta.study import Plan, PlannedContest, usual_contests

__all__ = [
    "GROUPINGS",
    "TESTS",
    "ContestOptions",
    "Grouping",
    "MeasureSettings",
    "Plan",
    "PlannedContest",
    "Test",
    "all_measures",
    "standard_measures",
    "usual_contests",
]
