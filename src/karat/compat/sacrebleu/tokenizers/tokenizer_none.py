"""No tokenizer."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import CoreTokenizer


class NoneTokenizer(CoreTokenizer):
    """The line as it is."""

    name: ClassVar[str] = "none"

    def __call__(self, line: str) -> str:
        return line
