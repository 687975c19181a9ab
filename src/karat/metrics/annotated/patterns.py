"""Patterns of constructions: what a word, its head and its place must be like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import SpecError, did_you_mean
from karat.text.annotation import LAYERS, Layer

if TYPE_CHECKING:
    from karat.text.annotation import Annotation

FIELDS: dict[str, Layer | None] = {
    "relation": "dependencies",
    "word": None,
    "lemma": "lemmas",
    "pos": "pos",
    "tag": "tags",
}
"""What can be asked of a word, and the layer that tells it."""
HEAD = "head."
PLACES = ("before", "after", "first", "last")
"""Where a word stands: before or after its head, or with its dependents at the beginning or the end of the text."""


class WordCondition(NamedTuple):
    """A field of a word, or of its head, and the values that it may have."""

    field: str
    of_head: bool
    values: frozenset[str]


class Pattern(NamedTuple):
    """What a construction is like: all conditions and places must hold for a word."""

    conditions: tuple[WordCondition, ...]
    places: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Pattern:
        """The pattern in a text.

        >>> Pattern.of("relation=advcl|obl first").places
        ('first',)
        """
        parts = text.split()
        if not parts:
            raise SpecError("a pattern has no condition: write FIELD=VALUE, such as relation=advcl")
        conditions = tuple(_condition(part) for part in parts if "=" in part)
        places = tuple(part for part in parts if "=" not in part)
        for place in places:
            if place not in PLACES:
                raise SpecError(f"a pattern has no place {place!r}.{did_you_mean(place, PLACES)}")
        return cls(conditions, places)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What must be known to look for it."""
        asked = {FIELDS[condition.field] for condition in self.conditions} | {"dependencies"}
        return tuple(layer for layer in LAYERS if layer in asked)

    def count(self, annotation: Annotation) -> int:
        """How often a text has it."""
        heads = annotation.heads or ()
        stretches = _stretches(heads) if {"first", "last"}.intersection(self.places) else []
        tests: dict[str, Callable[[int], bool]] = {
            "before": lambda place: place < heads[place],
            "after": lambda place: 0 <= heads[place] < place,
            "first": lambda place: stretches[place][0] == 0,
            "last": lambda place: stretches[place][1] == len(heads) - 1,
        }
        places = (place for place in range(len(annotation.tokens)) if self._fits(annotation, place))
        return sum(all(tests[where](place) for where in self.places) for place in places)

    def _fits(self, annotation: Annotation, place: int) -> bool:
        heads = annotation.heads or ()
        return all(
            _value(annotation, heads[place] if of_head else place, field) in values
            for field, of_head, values in self.conditions
        )


def patterns_of(text: str) -> tuple[Pattern, ...]:
    """The patterns in a text, with semicolons between them."""
    return tuple(Pattern.of(part) for part in text.split(";"))


def _condition(part: str) -> WordCondition:
    name, _, values = part.partition("=")
    field = name.removeprefix(HEAD)
    if field not in FIELDS:
        raise SpecError(f"a pattern has no field {name!r}.{did_you_mean(field, FIELDS)}")
    return WordCondition(field, name.startswith(HEAD), frozenset(values.split("|")))


def _value(annotation: Annotation, place: int, field: str) -> str | None:
    """What a word is; None of the head of a root, which is no word."""
    if place < 0:
        return None
    column: Sequence[str] | None = getattr(
        annotation, {"word": "tokens", "tag": "tags", "pos": "pos"}.get(field, f"{field}s")
    )
    return column[place] if column else None


def _stretches(heads: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last word among each word and all that depends on it."""
    first, last = list(range(len(heads))), list(range(len(heads)))
    for place in range(len(heads)):
        at = heads[place]
        while at >= 0:
            first[at], last[at] = min(first[at], place), max(last[at], place)
            at = heads[at]
    return list(zip(first, last, strict=True))
