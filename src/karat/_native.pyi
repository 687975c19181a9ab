"""The compiled core of karat. Import karat.kernels instead."""

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
