"""The formats karat reads, one module each.

A reader turns one file (or directory) into `Contents`: whichever of source, references, systems, post-edits and
documents it holds. Readers are found by the file's suffix, or named: ``format="tsv"``. Any of them may be compressed
(`.gz`, `.bz2`, `.xz`, `.zst`). A new reader is one module here with a class that `register` decorates, and its test.
"""

from karat.corpus.readers.base import Reader, reader_classes, reader_for, register

__all__ = ["Reader", "reader_classes", "reader_for", "register"]
