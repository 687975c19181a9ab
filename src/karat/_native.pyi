"""The compiled core of karat. Import karat.kernels instead."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class Text:
    """An immutable column of strings."""

    def __init__(self, lines: list[str]) -> None: ...

    def __len__(self) -> int: ...

    def to_list(self) -> list[str]: ...

    def arena(self) -> bytes:
        """The UTF-8 bytes of all strings, one after the other."""

    def offsets(self) -> bytes:
        """
        Where each string starts in the arena, and where the last ends, as 64-bit integers.
        """

class Tokens:
    """An immutable column of token sequences."""

    def __len__(self) -> int: ...

    @property
    def token_count(self) -> int: ...

    def to_lists(self) -> list[list[str]]: ...

def tokenize(text: Text, tokenizer: str, threads: int = 0) -> Tokens: ...

def ter_rows(hypotheses: Tokens, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], full: bool, threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]: ...

def ter_alignment(hypotheses: Tokens, references: Tokens, hypothesis: int, reference: int, full: bool) -> tuple[int, list[tuple[int, int, int]], str]: ...

def tercom_normalize(text: Text, normalized: bool, no_punct: bool, asian_support: bool, threads: int) -> Text: ...
