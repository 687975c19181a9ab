"""The formats karat writes, one module each; what is written reads back as the same corpus."""

from karat.corpus.writers.base import register_writer, write_corpus, writers

__all__ = ["register_writer", "write_corpus", "writers"]
