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

class PreparedBleu:
    """References made ready for BLEU."""

    def __init__(self, references: Tokens, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> None: ...

    def __len__(self) -> int: ...

    def rows(self, hypotheses: Tokens, max_order: int, reference_length: str, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...

class PreparedChrf:
    """References made ready for chrF."""

    def __init__(self, references: Text, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], char_order: int, word_order: int, beta: float, whitespace: bool, eps_smoothing: bool, threads: int = 0) -> None: ...

    def __len__(self) -> int: ...

    def rows(self, hypotheses: Text, threads: int = 0) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]: ...
