"""Contexts: what a metric learns from a whole set of references before it scores any of its segments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from karat.errors import InputError

if TYPE_CHECKING:
    from karat.metrics.base import Metric


class Context(ABC):
    """What a metric learnt from references; immutable, and usable from several threads at once.

    The contexts of blocks of segments, merged, are the context of all of them. Given a context, rows add up.
    """

    @property
    @abstractmethod
    def key(self) -> str:
        """What was learnt, and from which reading of the text: metrics with the same `context_key` may share it."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """A short hash, part of signatures: the same for the same references in any order and in any blocks."""

    @abstractmethod
    def merged(self, others: Sequence[Self]) -> Self:
        """The context of the segments of all of them."""

    def refuse_other(self, metric: Metric) -> None:
        """Refuse a metric that learns something else, or reads text in another way."""
        if metric.context_key is None:
            raise InputError(f"{metric.name} scores every segment by itself: it takes no context")
        if metric.context_key != self.key:
            raise InputError(
                f"this context holds {self.key}, but {metric.spec} needs {metric.context_key}: "
                "fit one with the metric that will use it"
            )
