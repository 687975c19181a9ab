"""The tokenizer of mteval-v13a, BLEU's default."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer


class Tokenizer13a(BackedTokenizer):
    """Entities unescaped, then ASCII punctuation split off."""

    name: ClassVar[str] = "13a"
