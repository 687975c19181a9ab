"""The tokenizer for Japanese: MeCab with its dictionary; needs the extra `ja`."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer


class TokenizerJaMecab(BackedTokenizer):
    """Words as MeCab finds them."""

    name: ClassVar[str] = "ja-mecab"

    def __init__(self) -> None:
        self._signature = self._tokenizer.signature

    def signature(self) -> str:
        """Name, version of MeCab and dictionary."""
        return self._signature
