"""The tokenizer for Chinese."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import CoreTokenizer


class TokenizerZh(CoreTokenizer):
    """Chinese characters stand alone; the rest is cut by the rules of 13a."""

    name: ClassVar[str] = "zh"
