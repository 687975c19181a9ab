"""Columns of text and the tokenizers that cut them."""

from karat.text.column import TextColumn, as_column
from karat.text.tokenizers import (
    Tokenizer,
    TokenizerDescription,
    default_tokenizer,
    describe_tokenizer,
    has_spaces,
    needs_spaces,
    tokenizer,
    tokenizer_names,
)

__all__ = [
    "TextColumn",
    "Tokenizer",
    "TokenizerDescription",
    "as_column",
    "default_tokenizer",
    "describe_tokenizer",
    "has_spaces",
    "needs_spaces",
    "tokenizer",
    "tokenizer_names",
]
