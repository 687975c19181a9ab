"""Words about choosing among several hypotheses."""

from karat.corpus.nbest import NbestFile
from karat.decoding.decoder import STRATEGIES, Strategy
from karat.decoding.pruning import Pruning

__all__ = ["STRATEGIES", "NbestFile", "Pruning", "Strategy"]
