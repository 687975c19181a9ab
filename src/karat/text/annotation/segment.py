"""What is known of the words of one text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

from karat.errors import InputError
from karat.quick_dataclasses import dataclass

Layer = Literal["lemmas", "pos", "tags", "chunks", "constituents", "dependencies", "entities", "frames"]
LAYERS: tuple[Layer, ...] = get_args(Layer)
"""What may be known besides the tokens."""

ROOT = -1
"""The head of a token that has none."""


class Span(NamedTuple):
    """Some tokens in a row, from `start` to before `end`, counted from 0."""

    label: str
    start: int
    end: int


class Frame(NamedTuple):
    """A predicate, labelled with its sense or lemma, and the tokens that fill its roles."""

    predicate: Span
    roles: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """The tokens of one text and what is known of them; a layer of which nothing is known is None.

    `pos` are universal tags, `tags` those of the annotator's own set. `chunks` stand in order and do not overlap.
    `constituents` are in preorder, each before those within it, without the tags of single words. `heads` are the
    positions of the tokens that others depend on, -1 where there is none; several such are several sentences.

    >>> Annotation(tokens=("cats", "sleep"), lemmas=("cat", "sleep"), heads=(1, -1), relations=("nsubj", "root")).layers
    ('lemmas', 'dependencies')
    >>> Annotation(tokens=("cats", "sleep"), heads=(1, 0), relations=("nsubj", "root"))
    Traceback (most recent call last):
    ...
    karat.errors.InputError: the heads of token 1 ('cats') lead back to itself
    """

    tokens: tuple[str, ...]
    lemmas: tuple[str, ...] | None = None
    pos: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    chunks: tuple[Span, ...] | None = None
    constituents: tuple[Span, ...] | None = None
    heads: tuple[int, ...] | None = None
    relations: tuple[str, ...] | None = None
    entities: tuple[Span, ...] | None = None
    frames: tuple[Frame, ...] | None = None

    def __post_init__(self) -> None:
        _check_counts(self)
        _check_spans(self)
        if self.chunks is not None:
            _check_order(self.chunks)
        if self.constituents is not None:
            parents(self.constituents)
        if self.heads is not None:
            _check_heads(self.heads, self.tokens)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What is known besides the tokens."""
        return tuple(layer for layer in LAYERS if self.layer(layer) is not None)

    def layer(self, layer: Layer) -> Sequence[Any] | None:
        """What is known in one layer; of dependencies the heads."""
        known: Sequence[Any] | None = self.heads if layer == "dependencies" else getattr(self, layer)
        return known


def parents(constituents: Sequence[Span]) -> tuple[int, ...]:
    """The position of each constituent's parent among them, -1 where it has none.

    >>> parents([Span("S", 0, 3), Span("NP", 0, 2), Span("VP", 2, 3)])
    (-1, 0, 0)
    """
    positions: list[int] = []
    open_: list[int] = []
    for position, span in enumerate(constituents):
        while open_ and constituents[open_[-1]].end <= span.start:
            open_.pop()
        around = constituents[open_[-1]] if open_ else span
        start = constituents[position - 1].start if position else 0
        if not around.start <= span.start < span.end <= around.end or span.start < start:
            raise InputError(
                f"the constituents {_shown(constituents[position - 1])} and {_shown(span)} cross, or are out of order: "
                "each stands before those within it, and before those to the right of it"
            )
        positions.append(open_[-1] if open_ else ROOT)
        open_.append(position)
    return tuple(positions)


def _shown(span: Span) -> str:
    """A span with its tokens counted from 1, as people count."""
    where = f"token {span.end}" if span.end - span.start == 1 else f"tokens {span.start + 1} to {span.end}"
    return f"{span.label} ({where})"


def _check_counts(annotation: Annotation) -> None:
    """Each token has one lemma, one tag, one head."""
    if (annotation.heads is None) != (annotation.relations is None):
        there, absent = ("heads", "relations") if annotation.relations is None else ("relations", "heads")
        raise InputError(f"there are {there} of tokens without {absent}")
    count = len(annotation.tokens)
    for name in ("lemmas", "pos", "tags", "heads", "relations"):
        values = getattr(annotation, name)
        if values is not None and len(values) != count:
            raise InputError(f"{len(values)} {name} for {count} tokens: each token needs one")


def _check_spans(annotation: Annotation) -> None:
    """What is said of several tokens is about tokens that there are."""
    count = len(annotation.tokens)
    for span in _all_spans(annotation):
        if not 0 <= span.start < span.end <= count:
            raise InputError(
                f"{span.label} goes from {span.start} to before {span.end}, and the {count} tokens are counted from 0"
            )


def _all_spans(annotation: Annotation) -> Iterator[Span]:
    yield from annotation.chunks or ()
    yield from annotation.constituents or ()
    yield from annotation.entities or ()
    for frame in annotation.frames or ():
        yield frame.predicate
        yield from frame.roles


def _check_order(chunks: Sequence[Span]) -> None:
    for first, second in pairwise(chunks):
        if second.start < first.end:
            raise InputError(f"the chunks {_shown(first)} and {_shown(second)} overlap or are out of order")


def _check_heads(heads: Sequence[int], tokens: Sequence[str]) -> None:
    """Heads are tokens that there are, and whoever goes from head to head comes to a root."""
    ends = {ROOT}
    for position, token in enumerate(tokens):
        trail: dict[int, None] = {}
        at = position
        while at not in ends and at not in trail:
            trail[at] = None
            if not ROOT <= heads[at] < len(tokens):
                raise InputError(
                    f"the head of token {at + 1} ({tokens[at]!r}) is token {heads[at] + 1}, and there are {len(tokens)}"
                )
            at = heads[at]
        if at in trail:
            raise InputError(f"the heads of token {position + 1} ({token!r}) lead back to itself")
        ends.update(trail)


EMPTY = Annotation(
    tokens=(),
    lemmas=(),
    pos=(),
    tags=(),
    chunks=(),
    constituents=(),
    heads=(),
    relations=(),
    entities=(),
    frames=(),
)
"""All that is known of a text without words."""
