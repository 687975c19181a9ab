"""AMBER-, ATEC- and TESLA-M-style and BEER beside the same in plain Python: no package that has them is known."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles import amber, atec, beer, tesla

from benchmarks.harness import Entrant, Lines, Score, check_equal, race, wmt21
from benchmarks.lexical import own, threads


def mean_of(pair_score: Callable[[str, str], float]) -> Score:
    """The mean over segments of a score of one pair."""

    def score(hypotheses: Lines, references: Lines) -> float:
        return sum(map(pair_score, hypotheses, references)) / len(hypotheses)

    return score


def styles() -> None:
    """All of them; stems and synonyms are English, which is as much work on any text."""
    testset = wmt21()
    contests = {
        "amber-style": Entrant(mean_of(amber.score), 1, every=100),
        "atec-style": Entrant(mean_of(atec.english_score), 1, every=200),
        "tesla-m-style": Entrant(mean_of(tesla.english_score), 1, every=500),
        "beer": Entrant(mean_of(beer.score), 1, every=100),
    }
    for name, plain in contests.items():
        spec = f"{name}(tokenize=none)"
        check_equal(testset.every(plain.every), own(spec, 2), plain.score, tolerance=1e-6)
        race(spec, testset, threads(spec), {"plain Python": plain})
