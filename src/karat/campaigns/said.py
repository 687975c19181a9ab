"""What raters say of a translation, as it is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from karat.campaigns.declared import built, stored
from karat.campaigns.questions import MarkedText
from karat.quick_dataclasses import dataclass

Fate = Literal["made", "kept", "changed", "removed"]


@dataclass(frozen=True, kw_only=True)
class Mark:
    """An error: code points `start` up to, not including, `end` of a text; or a token that stands behind it."""

    text: MarkedText = "hypothesis"
    start: int | None = None
    end: int | None = None
    category: str | None = None
    severity: str | None = None
    token: str | None = None


@dataclass(frozen=True, kw_only=True)
class AnsweredSpan(Mark):
    """A mark that a rater made or, where some were `offered`, what became of one; `hash` is that of the marked text."""

    hash: str
    fate: Fate = "made"
    offered: int | None = None

    @property
    def mark(self) -> Mark:
        """What is marked, whoever marked it."""
        return Mark(
            text=self.text,
            start=self.start,
            end=self.end,
            category=self.category,
            severity=self.severity,
            token=self.token,
        )


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One change of a text: from the code point `start`, so many are `removed` and others inserted, at this second."""

    at: float
    start: int
    removed: int
    inserted: str


@dataclass(frozen=True, kw_only=True)
class Log:
    """How a text was written: active seconds, pauses of a second or more, keys pressed, and every change."""

    seconds: float
    pauses: tuple[float, ...]
    keystrokes: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, kw_only=True)
class Written:
    """A text that a rater wrote or corrected."""

    text: str
    log: Log | None = None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a rater says of one translation: answers by the names of questions, or why it cannot be judged.

    Numbers are in `values`: points, choices (counted from 0) and ranks. `words` is how many had been uncovered.
    `seconds` is how long it was in front of the rater, pauses left out.
    """

    values: Mapping[str, float]
    seconds: float
    spans: Mapping[str, tuple[AnsweredSpan, ...]] = field(default_factory=dict)
    texts: Mapping[str, Written] = field(default_factory=dict)
    words: Mapping[str, int] = field(default_factory=dict)
    broken: str | None = None
    comment: str | None = None

    def stored(self) -> dict[str, Any]:
        """As JSON has it."""
        known: dict[str, Any] = stored(self)
        return known

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Answer:
        """An answer out of JSON."""
        answer: Answer = built(cls, table, "")
        return answer


def hash_of(text: str) -> str:
    """What tells whether offsets are those of this text."""
    return hashlib.sha256(text.encode()).hexdigest()
