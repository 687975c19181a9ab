"""Columns of text and the tokenizers that cut them."""

from karat.text.column import TextColumn, as_column
from karat.text.tokenizers import Tokenizer, tokenizer, tokenizer_names

__all__ = ["TextColumn", "Tokenizer", "as_column", "tokenizer", "tokenizer_names"]
