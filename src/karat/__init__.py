"""karat."""
