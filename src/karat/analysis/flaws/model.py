"""What a search for flaws says: which checks were made, what each found in which segment, and how often."""

from __future__ import annotations

from typing import Literal, get_args

from karat.quick_dataclasses import dataclass

Severity = Literal["minor", "major", "critical"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

Judge = Literal["source", "references", "output", "systems"]
"""What outputs were held against; "output" where a text shows the flaw by itself, "systems" where others show it."""


@dataclass(frozen=True)
class Check:
    """One kind of flaw: its code, how bad it is, what it means; and why it was not looked for, if it was not."""

    code: str
    severity: Severity
    meaning: str
    skipped: str | None = None


@dataclass(frozen=True)
class Flaw:
    """One flaw of one segment of a system; segments are counted from 1, and `document` is None where none is known.

    `lost` are pieces of text that should be there and are not, `added` pieces that are there and should not be.
    """

    code: str
    severity: Severity
    system: str
    segment: int
    against: Judge
    lost: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    document: str | None = None


@dataclass(frozen=True)
class FlawCount:
    """How many segments of a system have a flaw, out of those that could show it."""

    system: str
    code: str
    severity: Severity
    segments: int
    judged: int


@dataclass(frozen=True)
class FlawReport:
    """All flaws of all systems: by system, then by segment, then in the order of `checks`.

    `counts` has an entry for every system and every check that was made, also where nothing was found.
    """

    segments: int
    systems: tuple[str, ...]
    against: Literal["source", "references"]
    checks: tuple[Check, ...]
    counts: tuple[FlawCount, ...]
    flaws: tuple[Flaw, ...]
