"""Where rows are computed: here, on the threads of this machine, block by block."""

from karat.engine.scoring import Scoring

__all__ = ["Scoring"]
