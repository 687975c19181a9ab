"""The rules for ASCII punctuation that 13a and zh share."""

from __future__ import annotations

import re

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

_RULES = [
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),  # all ASCII punctuation but ' , - .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]


class TokenizerRegexp(BaseTokenizer):
    """Splits off ASCII punctuation; a period or comma stays inside a number, and so does a hyphen before one."""

    def signature(self) -> str:
        """The name in signatures."""
        return "re"

    def __call__(self, line: str) -> str:
        for pattern, replacement in _RULES:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())
