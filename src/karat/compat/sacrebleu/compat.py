"""The functions: a metric made, used and thrown away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from karat.compat.sacrebleu.metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore
from karat.compat.sacrebleu.metrics.base import Streams


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """BLEU of a corpus against K reference streams."""
    metric = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    score: BLEUScore = metric.corpus_score(hypotheses, references)
    return score


def raw_corpus_bleu(hypotheses: Sequence[str], references: Streams, smooth_value: float | None = 0.1) -> BLEUScore:
    """BLEU without tokenisation, with floor smoothing and effective order."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """BLEU of one hypothesis, by default over the orders that it reaches."""
    return _bleu(smooth_method, smooth_value, lowercase, tokenize, use_effective_order).sentence_score(
        hypothesis, references
    )


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Streams,
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """chrF of a corpus against K reference streams."""
    metric = _chrf(char_order, word_order, beta, remove_whitespace, eps_smoothing)
    score: CHRFScore = metric.corpus_score(hypotheses, references)
    return score


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """chrF of one hypothesis."""
    metric = _chrf(char_order, word_order, beta, remove_whitespace, eps_smoothing)
    score: CHRFScore = metric.sentence_score(hypothesis, references)
    return score


def corpus_ter(
    hypotheses: Sequence[str],
    references: Streams,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of a corpus against K reference streams."""
    score: TERScore = _ter(normalized, no_punct, asian_support, case_sensitive).corpus_score(hypotheses, references)
    return score


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of one hypothesis."""
    score: TERScore = _ter(normalized, no_punct, asian_support, case_sensitive).sentence_score(hypothesis, references)
    return score


# A loop over sentences should not pay for the checks of the options each time; no one sees these objects.
@lru_cache(maxsize=16, typed=True)
def _bleu(smooth_method: str, smooth_value: float | None, lowercase: bool, tokenize: str, effective: bool) -> BLEU:
    return BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=effective,
    )


@lru_cache(maxsize=16, typed=True)
def _chrf(char_order: int, word_order: int, beta: int, remove_whitespace: bool, eps_smoothing: bool) -> CHRF:
    return CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        whitespace=not remove_whitespace,
        eps_smoothing=eps_smoothing,
    )


@lru_cache(maxsize=16, typed=True)
def _ter(*options: Any) -> TER:
    return TER(*options)
