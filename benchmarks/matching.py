"""RIBES, hLEPOR, ROUGE and GLEU beside NLTK, hLepor and rouge-score.

Every tool gets lists of strings and does everything for every system anew: tokens, references, rows, score.
"""

from __future__ import annotations

import sys
import types

import nltk
from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.ribes_score import corpus_ribes
from rouge_score.rouge_scorer import RougeScorer

from benchmarks.harness import Entrant, Lines, Score, check_equal, race, wmt21
from benchmarks.lexical import own, threads

SAMPLE = 25
"""Rivals are timed on every 25th segment."""


def nltk_ribes(hypotheses: Lines, references: Lines) -> float:
    """RIBES by NLTK, on words between spaces."""
    return 100 * float(corpus_ribes([[line.split()] for line in references], [line.split() for line in hypotheses]))


def nltk_gleu(hypotheses: Lines, references: Lines) -> float:
    """GLEU by NLTK, on words between spaces."""
    return 100 * float(corpus_gleu([[line.split()] for line in references], [line.split() for line in hypotheses]))


def rouge_score(kind: str) -> Score:
    """ROUGE by rouge-score: the mean F-measure."""
    scorer, key = RougeScorer([f"rouge{kind}"]), f"rouge{kind}"

    def score(hypotheses: Lines, references: Lines) -> float:
        pairs = zip(references, hypotheses, strict=True)
        return 100 * sum(scorer.score(reference, line)[key].fmeasure for reference, line in pairs) / len(hypotheses)

    return score


def port_of_hlepor() -> Score:
    """hLEPOR by hLepor; it wants a module for annotations alone, and a download that words between spaces spare."""
    sys.modules.setdefault("nptyping", types.SimpleNamespace(NDArray=object))  # type: ignore[arg-type]
    nltk.download = lambda *_, **__: True
    from hlepor import hlepor_score

    def score(hypotheses: Lines, references: Lines) -> float:
        return 100 * float(hlepor_score(references, hypotheses, separate_punctuation=False, preprocess=str))

    return score


def contest(title: str, spec: str, rival: str, score: Score) -> None:
    """One metric of ours beside the same of another package."""
    testset = wmt21()
    check_equal(testset.every(SAMPLE), own(spec, 2), score)
    race(title, testset, threads(spec), {rival: Entrant(score, 1, every=SAMPLE)})


def matching() -> None:
    """All of them."""
    contest("RIBES", "ribes(tokenize=none,context=right)", "NLTK", nltk_ribes)
    contest("hLEPOR", "hlepor(tokenize=none,alignment=hlepor-0.0.4)", "hLepor 0.0.4", port_of_hlepor())
    for kind in ("1", "2", "L", "Lsum"):
        spec = f"rouge(kind={kind},mode=1.5.5,ascii_words=true)"
        contest(f"ROUGE-{kind}", spec, "rouge-score 0.1.2", rouge_score(kind))
    contest("GLEU", "gleu(tokenize=none)", "NLTK", nltk_gleu)
