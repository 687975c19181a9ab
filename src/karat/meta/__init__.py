"""Whether metrics agree with people: measures, tests between metrics, outliers, predicted tags of words."""

from karat.meta.contests import TESTS, ContestOptions, Contests, MetricPair, compare_metrics, greedy_clusters
from karat.meta.measures import (
    AgreementMeasure,
    MeasuredAgreement,
    MeasureSettings,
    all_measures,
    evaluate,
    measure,
    register,
    standard_measures,
)
from karat.meta.measures.delta_avg import delta_avg
from karat.meta.measures.soft_accuracy import SoftAccuracy, soft_pairwise_accuracy
from karat.meta.outliers import Drive, drives, outliers
from karat.meta.points import GROUPINGS, Grouping, JudgedScores, Points
from karat.meta.word_tags import TagCounts, tag_counts

__all__ = [
    "GROUPINGS",
    "TESTS",
    "AgreementMeasure",
    "ContestOptions",
    "Contests",
    "Drive",
    "Grouping",
    "JudgedScores",
    "MeasureSettings",
    "MeasuredAgreement",
    "MetricPair",
    "Points",
    "SoftAccuracy",
    "TagCounts",
    "all_measures",
    "compare_metrics",
    "delta_avg",
    "drives",
    "evaluate",
    "greedy_clusters",
    "measure",
    "outliers",
    "register",
    "soft_pairwise_accuracy",
    "standard_measures",
    "tag_counts",
]
