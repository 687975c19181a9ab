"""Annotations for tests: drawn by Hypothesis, or made out of a text so that the same text has the same ones."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from hypothesis import strategies as st

from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations, Frame, Span

POS = ("NOUN", "VERB", "DET", "ADP", "PUNCT")
TAGS = ("NN", "VBD", "DT", "IN", ".")
PHRASES = ("NP", "VP", "PP")
RELATIONS = ("nsubj", "det", "obj", "obl")
ENTITIES = ("PERSON", "DATE")
ROLES = ("ARG0", "ARG1", "ARGM-TMP")


def annotation_of(text: str, seed: int = 0) -> Annotation:
    """An annotation of all layers over the words of a text, the same whenever text and seed are."""
    return made(tuple(text.split()), Random(f"{seed} {' '.join(text.split())}"))


def made(tokens: tuple[str, ...], random: Random) -> Annotation:
    """An annotation of all layers, whatever comes."""
    count = len(tokens)
    return Annotation(
        tokens=tokens,
        lemmas=tuple(token.lower()[:3] for token in tokens),
        pos=tuple(random.choice(POS) for _ in tokens),
        tags=tuple(random.choice(TAGS) for _ in tokens),
        chunks=tuple(_pieces(0, count, PHRASES, random, longest=2)),
        constituents=tuple(_tree(0, count, random, depth=3)),
        heads=tuple(random.randrange(-1, position) if position else -1 for position in range(count)),
        relations=tuple(random.choice(RELATIONS) for _ in tokens),
        entities=tuple(_pieces(0, count, ENTITIES, random)),
        frames=tuple(_frames(count, random)),
    )


def _pieces(start: int, end: int, labels: tuple[str, ...], random: Random, longest: int = 99) -> Iterable[Span]:
    """Some spans side by side."""
    while start < end:
        until = random.randint(start + 1, min(end, start + longest))
        if random.random() < 0.8:
            yield Span(random.choice(labels), start, until)
        start = until


def _tree(start: int, end: int, random: Random, depth: int) -> Iterable[Span]:
    if start < end and depth:
        yield Span(random.choice(PHRASES), start, end)
        for part in _pieces(start, end, PHRASES, random):
            yield from _tree(part.start, part.end, random, depth - 1)


def _frames(count: int, random: Random) -> Iterable[Frame]:
    for _ in range(random.randint(0, 2) if count else 0):
        place = random.randrange(count)
        yield Frame(Span("be", place, place + 1), tuple(_pieces(0, count, ROLES, random)))


@st.composite
def annotations(draw: st.DrawFn) -> Annotation:
    """Annotations of some of the layers."""
    tokens = draw(st.lists(st.sampled_from(["the", "cat", "猫", "(", "it's"]), max_size=8))
    whole = made(tuple(tokens), Random(draw(st.integers(0, 1000))))
    left_out = draw(st.sets(st.sampled_from(["lemmas", "pos", "tags", "chunks", "constituents", "entities", "frames"])))
    kept = {name: getattr(whole, name) for name in whole.__dataclass_fields__ if name not in left_out}  # type: ignore[attr-defined]
    return Annotation(**kept)


def annotated(texts: Iterable[str], seed: int = 0) -> TextColumn:
    """A column of texts that come with annotations of all layers."""
    column = TextColumn.of(texts)
    return column.annotated(Annotations.of(annotation_of(text, seed) for text in column))
