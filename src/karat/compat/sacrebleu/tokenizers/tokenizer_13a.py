"""The tokenizer of mteval-v13a, BLEU's default."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import CoreTokenizer


class Tokenizer13a(CoreTokenizer):
    """Entities unescaped, then ASCII punctuation split off."""

    name: ClassVar[str] = "13a"
