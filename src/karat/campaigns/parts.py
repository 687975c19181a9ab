"""What is on a screen: translations, each with its own answers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from karat.campaigns.said import Mark
from karat.quick_dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TaskPart:
    """One translation that gets its own answers; `shown` is what raters read, which controls may have changed.

    Its `systems` are those that made it, where the task has translations of several. Spans of the `source` may be
    marked where it is here, and errors may be `offered`. What is translated from `scratch` is not shown at all. `gold`
    are the right answers by question, where they are known.
    """

    segment: str
    shown: str
    systems: tuple[str, ...] = ()
    source: str | None = None
    offered: tuple[Mark, ...] = ()
    scratch: bool = False
    gold: Mapping[str, float] | None = None
    gold_spans: Mapping[str, tuple[Mark, ...]] | None = None


@dataclass(frozen=True, kw_only=True)
class RatingTask:
    """What a rater has on one screen: a segment, or a document, of one system, or of several beside each other.

    Parts are row by row; where there are several columns the task has no `system` of its own. `control` is that of
    ratings, and `origin` the task that a repeat or a damaged translation goes with. Where it is `loud`, raters are told
    at once whether they answered well, and if not, the `explanation`.
    """

    number: int
    system: str
    parts: tuple[TaskPart, ...]
    document: str | None = None
    control: str | None = None
    origin: int | None = None
    loud: bool = False
    explanation: str | None = None

    @property
    def columns(self) -> int:
        """How many translations stand beside each other."""
        return sum(1 for _ in takewhile(lambda part: part.segment == self.parts[0].segment, self.parts))

    def systems_of(self, part: TaskPart) -> tuple[str, ...]:
        """Whose output a part is; equal outputs are shown once."""
        return part.systems or (self.system,)
