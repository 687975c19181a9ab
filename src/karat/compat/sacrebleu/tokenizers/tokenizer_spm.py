"""SentencePiece tokenizers; they need the extra `spm`."""

from __future__ import annotations

from typing import ClassVar

from karat.compat.sacrebleu.tokenizers.tokenizer_base import BackedTokenizer


class TokenizerSPM(BackedTokenizer):
    """Pieces of one of the models that sacreBLEU knows."""

    name: ClassVar[str] = "flores101"

    def __init__(self, key: str = "spm") -> None:
        self._key = "flores101" if key == "spm" else key

    def signature(self) -> str:
        """The name in signatures."""
        return self._key


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__(self.name)


class Flores200Tokenizer(Flores101Tokenizer):
    """The model of FLORES-200."""

    name: ClassVar[str] = "flores200"


class spBLEU1KTokenizer(Flores101Tokenizer):  # noqa: N801 - sacreBLEU's name
    """The model of spBLEU-1K."""

    name: ClassVar[str] = "spBLEU-1K"
