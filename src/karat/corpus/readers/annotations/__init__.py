"""Files of annotations, one for each text: CoNLL-U, trees in brackets, JSONL."""

from karat.corpus.readers.annotations.reading import (
    SUFFIXES,
    is_annotations,
    read_annotations,
    read_placed,
)

__all__ = ["SUFFIXES", "is_annotations", "read_annotations", "read_placed"]
