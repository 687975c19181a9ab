"""WER, PER, CDER and CharacTER beside jiwer and plain Python, from lists of strings to a number."""

from __future__ import annotations

from collections.abc import Callable

import jiwer
from cer import calculate_cer
from tests.oracles import edit_distance as plain

from benchmarks.harness import Entrant, Lines, Score, check_equal, race, wmt21
from benchmarks.lexical import own, threads


def jiwer_wer(hypotheses: Lines, references: Lines) -> float:
    """WER by jiwer, whose alignments are C++."""
    return 100 * float(jiwer.wer(references, hypotheses))


def cer_character(hypotheses: Lines, references: Lines) -> float:
    """CharacTER by cer, whose distances are C++."""
    scores = [calculate_cer(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]
    return 100 * sum(scores) / len(scores)


def in_python(errors: Callable[[Lines, Lines], int]) -> Score:
    """An error rate the usual way: split at spaces, count, divide."""

    def score(hypotheses: Lines, references: Lines) -> float:
        pairs = [(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]
        return 100 * sum(errors(h, r) for h, r in pairs) / sum(len(r) for _, r in pairs)

    return score


def bag_errors(hypothesis: Lines, reference: Lines) -> int:
    """The errors of PER by counters."""
    return max(len(hypothesis), len(reference)) - plain.shared(hypothesis, reference)


def edits() -> None:
    """WER, PER, CDER and CharacTER."""
    testset = wmt21()
    contests = {
        "wer": ("jiwer 4", Entrant(jiwer_wer, 3)),
        "character": ("cer 1.2.0", Entrant(cer_character, 1, every=10)),
        "per": ("Python's Counter", Entrant(in_python(bag_errors), 2)),
        "cder": ("plain Python", Entrant(in_python(plain.cder), 1, every=20)),
    }
    for name, (rival, entrant) in contests.items():
        spec = f"{name}(tokenize=none)"
        check_equal(testset.every(20), own(spec, 2), entrant.score)
        race(spec, testset, threads(spec), {rival: entrant})
