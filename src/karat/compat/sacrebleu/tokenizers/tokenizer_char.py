"""Characters as tokens."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer


class TokenizerChar(BackedTokenizer):
    """A space between all characters, white space included."""

    name: ClassVar[str] = "char"

    def __call__(self, line: str) -> str:
        return " ".join(line)
