"""Backends by name, and the one for a language."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from karat.errors import SpecError, did_you_mean
from karat.plugins import load_plugins
from karat.resources.annotators.base import Backend, registered
from karat.resources.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.text.annotation import Layer

OWN = ("spacy", "hanta", "simplemma")
"""The modules of karat's own backends, those first that are taken first for a language."""


@cache
def backend_classes() -> dict[str, type[Backend]]:
    """Every backend karat has, its own and those of installed plug-ins, by name."""
    for module in OWN:
        importlib.import_module(f"karat.resources.annotators.{module}")
    load_plugins("karat.annotators", registered)
    return dict(registered)


def annotator_names() -> tuple[str, ...]:
    """The names of all backends, each with each of its languages."""
    return tuple(f"{name}-{language}" for name, backend in backend_classes().items() for language in backend.languages)


@cache
def annotator(name: str) -> Backend:
    """The backend of that name and language, such as spacy-en; program and model are loaded when they are needed."""
    backend, _, language = name.rpartition("-")
    known = backend_classes().get(backend)
    if known is None or language not in known.languages:
        alike = [
            other for other in annotator_names() if other.startswith(f"{backend}-") or other.endswith(f"-{language}")
        ]
        every = [f"{other}-XX" for other in backend_classes()]
        raise SpecError(f"there is no annotator {name[:40]!r}.{did_you_mean(name, alike or every)}")
    return known(language)


def annotator_for(language: str, layers: Sequence[Layer]) -> str | None:
    """The name of the first of karat's own backends that finds these layers in a language, installed or not.

    >>> annotator_for("en-GB", ("pos",)), annotator_for("deu", ("lemmas",)), annotator_for("de", ("frames",))
    ('spacy-en', 'hanta-de', None)
    """
    code = language_code(language)
    classes = backend_classes()
    for name in OWN:
        if code in classes[name].languages and set(layers) <= set(classes[name].layers):
            return f"{name}-{code}"
    return None


def check_annotator(name: str, layers: Sequence[Layer], metric: str) -> None:
    """Refuse a backend that does not exist, or does not find all that a metric wants."""
    offered = annotator(name).layers
    if lacking := [layer for layer in layers if layer not in offered]:
        raise SpecError(f"{metric} wants {' and '.join(lacking)}, and {name} finds only {', '.join(offered)}")
