"""The metrics of the drop-in."""

from __future__ import annotations

from karat.compat.sacrebleu.metrics.base import Metric
from karat.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from karat.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from karat.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS: dict[str, type[Metric]] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
