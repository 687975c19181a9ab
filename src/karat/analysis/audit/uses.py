"""What BLEU is good for and what not, after section 6 of Callison-Burch, Osborne and Koehn (2006)."""

from __future__ import annotations

from dataclasses import dataclass

from karat.analysis.audit.model import SignalKind


@dataclass(frozen=True)
class Uses:
    """What the score may be used for, and what not."""

    appropriate: tuple[str, ...]
    inappropriate: tuple[str, ...]


USES = Uses(
    appropriate=(
        "following broad, gradual changes of one system",
        "comparing systems that translate by similar means",
        "tuning the parameters of a system",
    ),
    inappropriate=(
        "comparing systems that translate by very different means, or machines with people",
        "looking for improvements of what n-grams do not capture, such as meaning or the right name",
        "watching improvements that show in few sentences of a test set",
    ),
)

SIGNALS = (
    SignalKind(
        "different-kinds",
        "systems of different kinds",
        "The two outputs share fewer n-grams with each other than with the closest reference, in the mean of both.",
        "BLEU is unfair to the one that words things its own way: let people compare these two.",
    ),
    SignalKind(
        "little-power",
        "too little power",
        "The difference is smaller than what this test set shows four times out of five.",
        "A test set of this size misses many differences like this one: test it before you report it.",
    ),
    SignalKind(
        "few-segments",
        "a difference in few segments",
        "Half of all that moves the difference, either way, sits in at most one segment in twenty.",
        "Read these segments: BLEU is no measure of improvements that occur infrequently.",
    ),
    SignalKind(
        "close-reference",
        "a reference close to one system",
        "A reference is one system's output, word for word, in many segments, and far less often the other's.",
        "The reference may have been made from the system's output: score against another one.",
    ),
    SignalKind(
        "metrics-disagree",
        "metrics disagree",
        "One metric puts one system first and another metric puts the other first, beyond chance for at least one.",
        "Neither verdict stands by itself: find out what the metrics see differently, or ask people.",
    ),
)
