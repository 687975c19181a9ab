"""Words about the analysis of ratings."""

from karat.human.mqm import Weights
from karat.human.plan import AnalysisPlan, refuse_with_preset
from karat.human.scales.quality import Limits

__all__ = ["AnalysisPlan", "Limits", "Weights", "refuse_with_preset"]
