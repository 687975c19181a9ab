"""Comparisons of two outputs: rankings and preferences, wins, strengths and skills."""
