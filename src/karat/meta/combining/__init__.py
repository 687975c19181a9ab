"""Combinations of metrics: what they are learnt from, how, and what they say of documents that they did not see."""

from karat.meta.combining.folds import divided, held_out_predictions
from karat.meta.combining.judged import JudgedFeatures
from karat.meta.combining.learners import MOST_FOR_VECTORS, learn

__all__ = ["MOST_FOR_VECTORS", "JudgedFeatures", "divided", "held_out_predictions", "learn"]
