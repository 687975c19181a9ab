"""What finds lemmas, tags, chunks, trees and names in texts: programs and models that are installed, by name.

A backend is named with its language: spacy-en. Nothing is fetched when texts are scored: a model is there, or the
line that installs it is said.
"""

from karat.resources.annotators.base import Backend, register
from karat.resources.annotators.registry import (
    annotator,
    annotator_for,
    annotator_names,
    backend_classes,
    check_annotator,
)

__all__ = [
    "Backend",
    "annotator",
    "annotator_for",
    "annotator_names",
    "backend_classes",
    "check_annotator",
    "register",
]
