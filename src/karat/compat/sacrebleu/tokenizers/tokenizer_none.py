"""No tokenizer."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer


class NoneTokenizer(BackedTokenizer):
    """The line as it is."""

    name: ClassVar[str] = "none"

    def __call__(self, line: str) -> str:
        return line
