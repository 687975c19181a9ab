"""The tokenizer for Korean: MeCab with its dictionary; needs the extra `ko`."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer


class TokenizerKoMecab(BackedTokenizer):
    """Words as MeCab finds them."""

    name: ClassVar[str] = "ko-mecab"

    def __init__(self) -> None:
        self._signature = self._tokenizer.signature

    def signature(self) -> str:
        """Name, version of MeCab and dictionary."""
        return self._signature
