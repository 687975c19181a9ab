"""What is known of the words of texts: lemmas, tags, chunks, trees, names, frames."""

from karat.text.annotation.annotator import Annotator
from karat.text.annotation.brackets import bracketed
from karat.text.annotation.column import Annotations
from karat.text.annotation.segment import LAYERS, Annotation, Frame, Layer, Span, parents

__all__ = ["LAYERS", "Annotation", "Annotations", "Annotator", "Frame", "Layer", "Span", "bracketed", "parents"]
