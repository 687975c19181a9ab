"""The tokenizer for Chinese."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer


class TokenizerZh(BackedTokenizer):
    """Chinese characters stand alone; the rest is cut by the rules of 13a."""

    name: ClassVar[str] = "zh"
