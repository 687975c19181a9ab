"""Predicted tags of words, OK or BAD: Matthews' correlation and F1-multi.

Matthews (1975); Bojar et al. (2016), Findings of the 2016 Conference on Machine Translation, for F1-multi: the F1 of
OK times that of BAD.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any

from karat.errors import InputError


@dataclass(frozen=True)
class TagCounts:
    """How often a word is (true, predicted): both BAD, BAD taken for OK, OK taken for BAD, both OK."""

    bad: int
    missed: int
    alarm: int
    ok: int

    def __add__(self, other: TagCounts) -> TagCounts:
        return TagCounts(self.bad + other.bad, self.missed + other.missed, self.alarm + other.alarm, self.ok + other.ok)

    @property
    def words(self) -> int:
        """How many words there are."""
        return self.bad + self.missed + self.alarm + self.ok

    @property
    def mcc(self) -> float:
        """Matthews' correlation; NaN where one side has one kind of tag only."""
        margins = (self.bad + self.missed) * (self.bad + self.alarm) * (self.ok + self.missed) * (self.ok + self.alarm)
        return (self.bad * self.ok - self.missed * self.alarm) / sqrt(margins) if margins else nan

    @property
    def f1_bad(self) -> float:
        """F1 of the words that are BAD."""
        return _f1(self.bad, self.missed, self.alarm)

    @property
    def f1_ok(self) -> float:
        """F1 of the words that are OK."""
        return _f1(self.ok, self.alarm, self.missed)

    @property
    def f1_multi(self) -> float:
        """The product of both."""
        return self.f1_bad * self.f1_ok

    def to_json(self) -> dict[str, Any]:
        """The JSON form; what is not defined is null."""
        values = {"mcc": self.mcc, "f1_multi": self.f1_multi, "f1_bad": self.f1_bad, "f1_ok": self.f1_ok}
        # The names with hyphens came first, and stay for those who read them.
        values |= {name.replace("_", "-"): value for name, value in values.items()}
        return {
            "words": self.words,
            "counts": {"bad": self.bad, "missed": self.missed, "alarm": self.alarm, "ok": self.ok},
            **{name: None if isnan(value) else value for name, value in values.items()},
        }


def tag_counts(gold: Iterable[str], predicted: Iterable[str], where: str = "tags") -> list[TagCounts]:
    """The counts of each line of tags, which are OK or BAD between spaces.

    >>> counts = tag_counts(["OK BAD OK", "BAD"], ["OK BAD BAD", "OK"])
    >>> total = sum(counts, TagCounts(0, 0, 0, 0))
    >>> total.f1_bad, round(total.f1_ok, 4), total.mcc
    (0.5, 0.5, 0.0)
    """
    truth, guesses = list(gold), list(predicted)
    if len(truth) != len(guesses):
        raise InputError(f"{where}: {len(guesses)} lines of predicted tags, but {len(truth)} lines of true ones")
    return [
        _line_counts(line.split(), guess.split(), f"{where}, line {number}")
        for number, (line, guess) in enumerate(zip(truth, guesses, strict=True), 1)
    ]


def _line_counts(truth: list[str], guess: list[str], where: str) -> TagCounts:
    if len(truth) != len(guess):
        raise InputError(f"{where}: {len(guess)} predicted tags, but {len(truth)} true ones: give one for each word")
    for tag in (*truth, *guess):
        if tag not in ("OK", "BAD"):
            raise InputError(f"{where}: the tag {tag!r} is neither OK nor BAD")
    kinds = list(zip(truth, guess, strict=True))
    return TagCounts(*(kinds.count(kind) for kind in (("BAD", "BAD"), ("BAD", "OK"), ("OK", "BAD"), ("OK", "OK"))))


def _f1(hits: int, misses: int, alarms: int) -> float:
    return 2 * hits / (2 * hits + misses + alarms) if hits else 0.0
