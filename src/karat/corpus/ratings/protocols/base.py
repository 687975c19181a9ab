"""What a protocol is: how people are asked, and what their answers mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

from karat.errors import SpecError, did_you_mean
from karat.quick_dataclasses import dataclass

_registered: dict[str, Protocol] = {}


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The values an answer may have; None is no limit. `labels` are what raters read beside some of the values."""

    minimum: float | None = None
    maximum: float | None = None
    whole: bool = False
    labels: tuple[tuple[float, str], ...] = ()
    higher_is_better: bool = True

    @property
    def points(self) -> int | None:
        """How many values there are, if they can be counted."""
        if not self.whole or self.minimum is None or self.maximum is None:
            return None
        return int(self.maximum - self.minimum) + 1

    def normalised(self, value: float) -> float | None:
        """ARPA's (p - 1) / (S - 1), for any scale with two ends: 0 is the worst, 1 the best."""
        if self.minimum is None or self.maximum is None:
            return None
        share = (value - self.minimum) / (self.maximum - self.minimum)
        return share if self.higher_is_better else 1 - share

    def holds(self, value: float) -> bool:
        """Whether a value is on the scale.

        >>> [Scale(minimum=1, maximum=5, whole=True).holds(value) for value in (1, 2.5, 6)]
        [True, False, False]
        """
        if not math.isfinite(value) or (self.whole and value != int(value)):
            return False
        return (self.minimum is None or self.minimum <= value) and (self.maximum is None or value <= self.maximum)

    def says(self) -> str:
        """The range in words.

        >>> Scale(minimum=1, maximum=5, whole=True).says()
        'a whole number from 1 to 5'
        """
        kind = "a whole number" if self.whole else "a number"
        ends = [f"{word} {end:g}" for word, end in (("from", self.minimum), ("to", self.maximum)) if end is not None]
        return " ".join([kind, *ends])


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """How people are asked: `scales` by criterion, the labels that may be answers, the columns a row must fill.

    `open_criteria` says whether other criteria than those named may be asked for, on the `open_scale`. The texts make
    the page of the protocol: `definition` what raters do, `formula` how answers become a score, and `choice` what karat
    decided.
    """

    name: str
    title: str
    summary: str
    citation: str
    scales: Mapping[str, Scale]
    answers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ("value",)
    open_criteria: bool = False
    open_scale: Scale = Scale()
    definition: str = ""
    formula: str = ""
    use_when: str = ""
    avoid_when: str = ""
    choice: str = ""
    aliases: tuple[str, ...] = field(default=())

    @property
    def criterion(self) -> str:
        """What is asked for where nothing else is said."""
        return next(iter(self.scales))

    def scale(self, criterion: str) -> Scale:
        """The scale of a criterion."""
        if criterion in self.scales:
            return self.scales[criterion]
        if self.open_criteria:
            return self.open_scale
        raise SpecError(f"{self.name} has no criterion {criterion!r}.{did_you_mean(criterion, self.scales)}")


def register_protocol(protocol: Protocol) -> Protocol:
    """Make a protocol known under its name and aliases."""
    for name in (protocol.name, *protocol.aliases):
        if name in _registered:
            raise SpecError(f"there are two protocols named {name!r}")
        _registered[name] = protocol
    return protocol


def registered() -> dict[str, Protocol]:
    """Every protocol by each of its names."""
    return _registered
