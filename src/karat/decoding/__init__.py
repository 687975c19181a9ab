"""Minimum Bayes risk: which of several hypotheses is expected to be best when any of them might be right."""
