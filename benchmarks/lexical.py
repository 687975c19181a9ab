"""BLEU, chrF, chrF++ and TER beside sacreBLEU, bleuscore and fastchrf.

Every tool gets lists of strings and does everything for every system anew: tokens, references, rows, score.
"""

from __future__ import annotations

import bleuscore
import fastchrf
import sacrebleu

import karat
from benchmarks.harness import Entrant, Lines, Score, check_equal, race, wmt21


def own(spec: str, threads: int) -> Score:
    """The score by karat."""
    metric = karat.metric(spec)
    return lambda hypotheses, references: metric.prepare(references, threads).rows(hypotheses).score


def peer(metric: type[sacrebleu.BLEU | sacrebleu.CHRF | sacrebleu.TER], **options: object) -> Score:
    """The score by sacreBLEU."""
    return lambda hypotheses, references: metric(**options).corpus_score(hypotheses, [references]).score


def rust_bleu(hypotheses: Lines, references: Lines) -> float:
    """BLEU by bleuscore, with its own tokenizer."""
    return 100 * float(bleuscore.compute([[line] for line in references], hypotheses)["bleu"])


def rust_chrf(hypotheses: Lines, references: Lines) -> float:
    """Segment chrF by fastchrf, which has no corpus score: the rows are what takes the time."""
    scores = fastchrf.pairwise_chrf([[line] for line in hypotheses], [[line] for line in references])
    return float(sum(score[0][0] for score in scores) / len(scores))


def threads(spec: str) -> dict[str, Entrant]:
    """karat on one and on two threads."""
    return {f"karat, {n} thread{'s' * (n > 1)}": Entrant(own(spec, n), repeats=10) for n in (1, 2)}


def bleu() -> None:
    """BLEU, 13a."""
    testset = wmt21()
    check_equal(testset.every(20), own("bleu", 2), peer(sacrebleu.BLEU))
    rivals = {"sacreBLEU 2.6.0": Entrant(peer(sacrebleu.BLEU), 2), "bleuscore 0.2.0": Entrant(rust_bleu, 3)}
    race("BLEU", testset, threads("bleu"), rivals)


def chrf() -> None:
    """chrF and chrF++."""
    testset = wmt21()
    for spec, order in (("chrf", 0), ("chrf++", 2)):
        theirs = peer(sacrebleu.CHRF, word_order=order)
        check_equal(testset.every(20), own(spec, 2), theirs)
        rivals = {"sacreBLEU 2.6.0": Entrant(theirs, 2, every=3)}
        if not order:
            rivals["fastchrf 0.2.1"] = Entrant(rust_chrf, 3)
        race(spec, testset, threads(spec), rivals)


def ter() -> None:
    """TER."""
    testset = wmt21()
    check_equal(testset.every(40), own("ter", 2), peer(sacrebleu.TER))
    race("TER", testset, threads("ter"), {"sacreBLEU 2.6.0": Entrant(peer(sacrebleu.TER), 1, every=20)})
