"""Patterns of constructions: what a word, its head and its place must be like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import SpecError, did_you_mean
from karat.metrics.annotated.yields import subtrees
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


class Condition(NamedTuple):
    """A field of a word, or of its head, and the values that it may have."""

    field: str
    of_head: bool
    values: frozenset[str]


class Pattern(NamedTuple):
    """What a construction is like: all conditions and places must hold for a word."""

    conditions: tuple[Condition, ...]
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
        return sum(self._holds(annotation, place) for place in range(len(annotation.tokens)))

    def _holds(self, annotation: Annotation, place: int) -> bool:
        heads = annotation.heads or ()
        fits = all(
            _value(annotation, heads[place] if of_head else place, field) in values
            for field, of_head, values in self.conditions
        )
        return fits and all(_IS_THERE[where](place, heads) for where in self.places)


def patterns_of(text: str) -> tuple[Pattern, ...]:
    """The patterns in a text, with semicolons between them."""
    return tuple(Pattern.of(part) for part in text.split(";"))


def _condition(part: str) -> Condition:
    name, _, values = part.partition("=")
    field = name.removeprefix(HEAD)
    if field not in FIELDS:
        raise SpecError(f"a pattern has no field {name!r}.{did_you_mean(field, FIELDS)}")
    return Condition(field, name.startswith(HEAD), frozenset(values.split("|")))


def _value(annotation: Annotation, place: int, field: str) -> str | None:
    """What a word is; None of the head of a root, which is no word."""
    if place < 0:
        return None
    column: Sequence[str] | None = getattr(
        annotation, {"word": "tokens", "tag": "tags", "pos": "pos"}.get(field, f"{field}s")
    )
    return column[place] if column else None


_IS_THERE: dict[str, Callable[[int, Sequence[int]], bool]] = {
    "before": lambda place, heads: place < heads[place],
    "after": lambda place, heads: 0 <= heads[place] < place,
    "first": lambda place, heads: subtrees(heads)[place][0] == 0,
    "last": lambda place, heads: subtrees(heads)[place][-1] == len(heads) - 1,
}
