"""Tokenizer objects, one module each, as sacreBLEU has them."""

from __future__ import annotations

from importlib import import_module

from karat.compat.sacrebleu.errors import UnknownOptionError
from karat.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from karat.errors import did_you_mean

__all__ = ["BaseTokenizer"]

_CLASSES = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}

TOKENIZERS = _CLASSES.keys()


def make_tokenizer(name: str) -> BaseTokenizer:
    """The tokenizer of that name."""
    if name not in _CLASSES:
        raise UnknownOptionError(f"there is no tokenizer {name!r}.{did_you_mean(name, _CLASSES)}")
    module, cls = _CLASSES[name].split(".")
    tokenizer: BaseTokenizer = getattr(import_module(f"{__name__}.{module}"), cls)()
    return tokenizer
