"""Words about the analysis of ratings."""

from karat.human.mqm import Weights
from karat.human.plan import AnalysisPlan
from karat.human.scales.quality import Limits

__all__ = ["AnalysisPlan", "Limits", "Weights"]
