"""Who hears how far a use case has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.scores import SegmentScores


@dataclass(frozen=True)
class Listeners:
    """Called as work goes on: with segments as they are read, their scores as they come, and draws or pairs
    done out of all.

    With segments comes the part of the test set that has been read, where its length is known.
    """

    segments: Callable[[int, float | None], None] | None = None
    scores: Callable[[SegmentScores], None] | None = None
    draws: Callable[[int, int], None] | None = None
    pairs: Callable[[int, int], None] | None = None


SILENT = Listeners()
