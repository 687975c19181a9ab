"""Whether metrics agree with people: measures, tests between metrics, outliers, predicted tags of words."""

from karat.meta.contests import TESTS, ContestOptions, Contests, MetricPair, compare_metrics, greedy_clusters
from karat.meta.measures import MEASURES, STANDARD, Measure, Measured, Settings, evaluate, measure
from karat.meta.outliers import Drive, drives, outliers
from karat.meta.points import GROUPINGS, Grouping, Points
from karat.meta.prediction import delta_avg
from karat.meta.soft import SoftAccuracy, soft_pairwise_accuracy
from karat.meta.word_tags import TagCounts, tag_counts

__all__ = [
    "GROUPINGS",
    "MEASURES",
    "STANDARD",
    "TESTS",
    "ContestOptions",
    "Contests",
    "Drive",
    "Grouping",
    "Measure",
    "Measured",
    "MetricPair",
    "Points",
    "Settings",
    "SoftAccuracy",
    "TagCounts",
    "compare_metrics",
    "delta_avg",
    "drives",
    "evaluate",
    "greedy_clusters",
    "measure",
    "outliers",
    "soft_pairwise_accuracy",
    "tag_counts",
]
