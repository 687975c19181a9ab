"""The international tokenizer of mteval-v14."""

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer

_LETTER = "x"


class TokenizerV14International(BackedTokenizer):
    """Unicode punctuation and symbols split off."""

    name: ClassVar[str] = "intl"

    def __call__(self, line: str) -> str:
        if line == line.rstrip():
            return super().__call__(line)
        # White space at the end, which BLEU strips, splits off punctuation after a digit: let a word follow it.
        return super().__call__(line + _LETTER).removesuffix(_LETTER).rstrip()
