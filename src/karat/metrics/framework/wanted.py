"""What a metric measures with, and what is said where that was not given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import Metric
    from karat.text import TextColumn

_UNMADE = {"constituents", "frames"}
"""Layers that come from files or plug-ins: none of the backends here makes them."""

Named = Iterable[tuple[str, "TextColumn"]]
"""Texts, and whose they are."""


def wants_more(metric: Metric) -> bool:
    """Whether a metric wants anything besides the texts of hypotheses and references."""
    return metric.wants != {"references"} or bool(metric.layers)


def lack_in(metric: Metric, references: References, systems: Mapping[str, TextColumn]) -> str | None:
    """What a metric wants that references, and what stands beside them, or the outputs of systems lack."""
    outputs = ((f"system {name}", column) for name, column in systems.items())
    beside = _texts_beside(metric, references)
    return _lack_of_texts(metric, references) or lack_of_layers(metric, chain(beside, outputs))


def refuse_lack(metric: Metric, references: References) -> None:
    """Refuse to measure without the references, sources or annotations that the metric wants."""
    if (lack := lack_in(metric, references, {})) is not None:
        raise InputError(f"{metric.name}: {lack}")


def _lack_of_texts(metric: Metric, references: References) -> str | None:
    """What a metric has nothing to measure with, and the option that gives it."""
    if metric.wants != {"sources"} and not references.counts.all():
        number = int(np.argmin(references.counts)) + 1
        return f"references are wanted, and segment {number} has none: add -r FILE, or in Python give references=[...]"
    if "sources" in metric.wants and references.sources is None:
        return "the source is wanted, and was not given: add -s FILE, or in Python sources=[...]"
    return None


def _texts_beside(metric: Metric, references: References) -> Named:
    """What a metric measures with besides hypotheses."""
    if metric.wants != {"sources"}:
        yield "the references", references.column
    if "sources" in metric.wants and references.sources is not None:
        yield "the source", references.sources


def lack_of_layers(metric: Metric, texts: Named) -> str | None:
    """What is not known of the words of some texts, and what makes it known."""
    if not metric.given_layers:
        return None
    for whose, column in texts:
        there = () if column.given_annotations is None else column.given_annotations.layers
        if lacking := [layer for layer in metric.given_layers if layer not in there]:
            remedies = "add --annotations NAME=FILE"
            if not _UNMADE.intersection(lacking):
                remedies += (
                    ", name the languages with -l XX-YY, or write in the metric what is to make them, annotate=NAME"
                )
            return f"{' and '.join(lacking)} of {whose} are wanted, and were not given: {remedies}"
    return None
