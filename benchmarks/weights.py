"""NIST beside NLTK, and what counting the whole set of references costs.

Every tool gets lists of strings and does everything for every system anew: tokens, counts, references, rows, score.
"""

from __future__ import annotations

from nltk.translate.nist_score import corpus_nist

from benchmarks.harness import Entrant, Lines, check_equal, race, wmt21
from benchmarks.lexical import threads

SPEC = "nist(tokenize=none)"
SAMPLE = 10
"""NLTK is timed on every 10th segment."""


def nltk_nist(hypotheses: Lines, references: Lines) -> float:
    """NIST by NLTK, on words between spaces."""
    return float(corpus_nist([[line.split()] for line in references], [line.split() for line in hypotheses]))


def nist() -> None:
    """NIST, and the other metrics with weights beside it."""
    testset = wmt21()
    ours = threads(SPEC)
    check_equal(testset.every(SAMPLE), ours["karat, 1 thread"].score, nltk_nist)
    race("NIST", testset, ours, {"NLTK": Entrant(nltk_nist, 1, every=SAMPLE)})
    for spec in ("nm", "bm", "bma", "wbleu"):
        race(spec, testset, threads(f"{spec}(tokenize=none)"), {})
