"""sacreBLEU 2.6's interface on karat's core: `import karat.compat.sacrebleu as sacrebleu`.

>>> import karat.compat.sacrebleu as sacrebleu
>>> sacrebleu.corpus_bleu(["The dog bit the man."], [["The dog had bit the man."]]).score
51.15078115793242
"""

from __future__ import annotations

from typing import Any

from karat.compat.sacrebleu import compat, metrics, testsets, tokenizers, utils
from karat.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from karat.compat.sacrebleu.metrics import BLEU, CHRF, TER
from karat.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from karat.compat.sacrebleu.utils import SACREBLEU_DIR, smart_open
from karat.compat.sacrebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "compat",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
    "tokenizers",
    "utils",
]


def __getattr__(name: str) -> Any:
    """Test sets, where sacreBLEU's own package is installed."""
    if name in testsets.FUNCTIONS or name == "DATASETS":
        return getattr(utils, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
