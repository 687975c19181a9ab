"""The tokenizer of TER."""

from __future__ import annotations

from karat import kernels
from karat.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """Case, normalisation and punctuation as tercom treats them.

    >>> TercomTokenizer(normalized=True)("It's over.")
    "it 's over ."
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        """The name in signatures."""
        return "tercom"

    def __call__(self, sent: str) -> str:
        text = sent if self._case_sensitive else sent.lower()
        column = kernels.tercom_normalize(
            kernels.Text([text]),
            normalized=self._normalized,
            no_punct=self._no_punct,
            asian_support=self._asian_support,
            threads=1,
        )
        return " ".join(column.to_list()[0].split())
