"""Constituents as trees: which nodes stand below which, and what a node looks like to a certain depth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from karat.text.annotation import parents

if TYPE_CHECKING:
    from karat.text.annotation import Annotation

Shape = tuple[str, tuple["Shape", ...]]
"""A label, and the shapes below it from left to right."""


class Tree(NamedTuple):
    """The nodes of a text: labels, children from left to right, and the levels that each has, itself counted in.

    Children come behind their parents in the lists.
    """

    labels: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]
    heights: tuple[int, ...]

    def shapes(self, depth: int) -> list[Shape]:
        """What every node looks like with everything down to a depth, of nodes that have so many levels."""
        shapes: list[Shape] = [(label, ()) for label in self.labels]
        for _ in range(depth - 1):
            below = shapes
            shapes = [
                (label, tuple(below[child] for child in children))
                for label, children in zip(self.labels, self.children, strict=True)
            ]
        return [shape for shape, height in zip(shapes, self.heights, strict=True) if height >= depth]


def tree_of(annotation: Annotation, *, words: bool = False) -> Tree:
    """The constituents of a text, the tags of its words below them, and below these the words if they are wanted."""
    spans = annotation.constituents or ()
    labels = [span.label for span in spans]
    children: list[list[int]] = [[] for _ in spans]
    starts = [span.start for span in spans]
    for node, parent in enumerate(parents(spans)):
        if parent >= 0:
            children[parent].append(node)
    owner = _innermost(annotation)
    for position, tag in enumerate(annotation.tags or ()):
        if owner[position] >= 0:
            children[owner[position]].append(len(labels))
        labels.append(tag)
        children.append([])
        starts.append(position)
        if words:
            children[-1].append(len(labels))
            labels.append(annotation.tokens[position])
            children.append([])
            starts.append(position)
    ordered = [tuple(sorted(below, key=lambda child: (starts[child], child))) for below in children]
    return Tree(tuple(labels), tuple(ordered), _heights(ordered))


def _innermost(annotation: Annotation) -> list[int]:
    """The constituent that each word is directly in, -1 for none: that which comes last in preorder."""
    owner = [-1] * len(annotation.tokens)
    for node, span in zip(count(), annotation.constituents or ()):
        owner[span.start : span.end] = [node] * (span.end - span.start)
    return owner


def _heights(children: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    heights = [1] * len(children)
    for node in range(len(children) - 1, -1, -1):
        heights[node] += max((heights[child] for child in children[node]), default=0)
    return tuple(heights)
