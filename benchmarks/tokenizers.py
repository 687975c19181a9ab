"""The core's tokenizers beside sacreBLEU's, on one thread; hashing the tokens is included."""

from __future__ import annotations

from functools import partial

from sacrebleu.metrics.bleu import _get_tokenizer

from benchmarks.harness import Entrant, Lines, race, wmt21
from karat import kernels

TOKENIZERS = ("13a", "intl", "zh", "char", "none")


def own(name: str, hypotheses: Lines, _: Lines) -> float:
    """How many tokens karat finds."""
    return kernels.tokenize(kernels.Text(hypotheses), name).token_count


def peer(name: str, hypotheses: Lines, _: Lines) -> float:
    """How many tokens sacreBLEU finds, without its cache of lines seen before."""
    tokenizer = _get_tokenizer(name)()
    call = getattr(type(tokenizer).__call__, "__wrapped__", type(tokenizer).__call__)
    return sum(len(call(tokenizer, line.rstrip()).split()) for line in hypotheses)


def tokenizers() -> None:
    """Every tokenizer of the core that sacreBLEU has too."""
    testset = wmt21()
    for name in TOKENIZERS:
        rival = {"sacreBLEU 2.6.0": Entrant(partial(peer, name), 2, every=3)}
        race(f"tokenizer {name}", testset, {"karat, 1 thread": Entrant(partial(own, name), 10)}, rival)
