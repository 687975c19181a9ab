"""Drawings as SVG text: axes, marks, and labels that keep out of each other's way. Every text is escaped.

Colours are variables of the page that a drawing stands in, so that it turns dark with it; a drawing by itself has them
resolved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10

from karat.report.page.signs import with_names_isolated
from karat.report.table import visible

FONT = "ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif"
GROUND = "var(--ground, #ffffff)"
INK, MUTED, GRID = "var(--ink, #1b1f24)", "var(--muted, #57606a)", "var(--grid, #e4e7eb)"
RULE = "var(--rule, #9aa4af)"
BLUE, ORANGE, GREEN = "var(--blue, #1f6feb)", "var(--orange, #c2410c)", "var(--green, #15803d)"
_VARIABLE = re.compile(r"var\(--[a-z0-9-]+, (#[0-9a-f]{3,8})\)")
PIXELS_OF_REM = 16
GLYPH = 0.6
"""The width of a letter in its height: wide enough for any sans-serif."""


@dataclass(frozen=True)
class Box:
    """A rectangle that something fills."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether two rectangles share any area."""
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)

    def inside(self, other: Box) -> bool:
        """Whether it lies within another."""
        across = other.left <= self.left and self.right <= other.right
        return across and other.top <= self.top and self.bottom <= other.bottom


@dataclass
class Drawing:
    """An SVG picture that grows piece by piece."""

    width: float
    height: float
    title: str
    pieces: list[str] = field(default_factory=list)
    description: str = ""

    def across(self, x: float) -> str:
        """A place from left to right as it is written."""
        return f"{x:.1f}"

    def down(self, y: float) -> str:
        """A place from top to bottom as it is written."""
        return f"{y:.1f}"

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str = GRID, width: float = 1, opacity: float = 1
    ) -> None:
        """A straight line."""
        across, down = self.across, self.down
        ends = f'x1="{across(x1)}" y1="{down(y1)}" x2="{across(x2)}" y2="{down(y2)}"'
        faint = f' stroke-opacity="{opacity:g}"' if opacity < 1 else ""
        self.pieces.append(f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{faint}/>')

    def circle(self, x: float, y: float, radius: float, colour: str, hint: str, *, hollow: bool = False) -> None:
        """A mark, with a text that shows when it is pointed at."""
        look = f'fill="{GROUND}" stroke="{colour}" stroke-width="2"' if hollow else f'fill="{colour}"'
        place = f'cx="{self.across(x)}" cy="{self.down(y)}" r="{radius:g}"'
        self.pieces.append(f"<circle {place} {look}><title>{safe(hint)}</title></circle>")

    def rectangle(self, box: Box, colour: str, hint: str = "") -> None:
        """A filled rectangle."""
        size = f'width="{box.right - box.left:.1f}" height="{box.bottom - box.top:.1f}"'
        title = f"<title>{safe(hint)}</title>" if hint else ""
        self.pieces.append(f'<rect x="{box.left:.1f}" y="{box.top:.1f}" {size} fill="{colour}">{title}</rect>')

    def text(
        self,
        x: float,
        y: float,
        content: str,
        *,
        size: float = 12,
        anchor: str = "start",
        colour: str = INK,
        turn: float = 0,
        bold: bool = False,
    ) -> None:
        """A text; `turn` is in degrees about its place."""
        turned = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
        weight = ' font-weight="600"' if bold else ""
        look = f'font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"{weight}{turned}'
        self.pieces.append(f'<text x="{self.across(x)}" y="{self.down(y)}" {look}>{safe(content)}</text>')

    def whisker(self, low: float, high: float, y: float, colour: str, width: float = 1.6) -> None:
        """A level error bar with ends."""
        ends = f"M{low:.1f} {y - 4:.1f}v8M{low:.1f} {y:.1f}H{high:.1f}M{high:.1f} {y - 4:.1f}v8"
        self.pieces.append(f'<path d="{ends}" stroke="{colour}" stroke-width="{width:g}" fill="none"/>')

    def render(self) -> str:
        """The whole picture as a file of its own, its variables resolved."""
        ground = f'<rect width="{self.width:g}" height="{self.height:g}" fill="{GROUND}"/>'
        return resolved("\n".join([self._head('role="img"'), *self._told(), ground, *self.pieces, "</svg>", ""]))

    def embedded(self, key: str) -> str:
        """The picture as a part of a page, in whose colours it is drawn; `key` is what its ids begin with."""
        role = f'role="img" aria-labelledby="{key}-title{f" {key}-desc" if self.description else ""}"'
        return "\n".join([self._head(role), *self._told(key), *self.pieces, "</svg>"])

    def _head(self, attributes: str) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg" {self._size()} {attributes} font-family="{FONT}">'

    def _size(self) -> str:
        size = f"{self.width:g} {self.height:g}"
        return f'viewBox="0 0 {size}" width="{self.width:g}" height="{self.height:g}"'

    def _told(self, key: str = "") -> list[str]:
        """The title and the description, which have ids where there is something for these to begin with."""
        texts = (("title", self.title), ("desc", self.description))
        ids = {name: f' id="{key}-{name}"' if key else "" for name, _ in texts}
        return [f"<{name}{ids[name]}>{safe(text)}</{name}>" for name, text in texts if text]


@dataclass
class FluidDrawing(Drawing):
    """A drawing as wide as its place on a page: across, places are percents; down, they keep to the lines of text.

    What stands left of 0 is seen in a file of its own only, where `width` is that of the rest.
    """

    def across(self, x: float) -> str:
        """A share of the width."""
        return f"{x:.2f}%"

    def down(self, y: float) -> str:
        """A height that grows with the letters of the page."""
        return f"{y / PIXELS_OF_REM:.4g}rem"

    def _size(self) -> str:
        return (
            f'width="100%" height="{self.down(self.height)}" data-width="{self.width:g}" data-height="{self.height:g}"'
        )


def resolved(svg: str) -> str:
    """A drawing in the colours of a light page, whatever shows it.

    >>> resolved('<rect fill="var(--ink, #1b1f24)"/>')
    '<rect fill="#1b1f24"/>'
    """
    return _VARIABLE.sub(r"\1", svg)


def safe(text: str) -> str:
    """Text that is text, whatever signs it has; names that are read from right to left keep their places in it."""
    return escape(with_names_isolated(visible(text)))


def text_width(text: str, size: float) -> float:
    """The approximate width of a text."""
    return GLYPH * size * len(text)


def shortened(text: str, most: int) -> str:
    """A text that is no longer than so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def cut_middle(name: str, most: int) -> str:
    """A name of no more than so many characters: names that begin alike are told apart by their ends.

    >>> cut_middle("test.en-de.hyp.system-1", 12), cut_middle("system-1", 12)
    ('test.e…tem-1', 'system-1')
    """
    end = (most - 1) // 2
    return name if len(name) <= most else f"{name[: most - 1 - end]}…{name[-end:]}"


@dataclass(frozen=True)
class Axis:
    """Maps values onto a stretch of the picture, with round ticks."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float) -> Axis:
        """An axis that holds all values with some room at both ends."""
        known = list(values)
        low, high = min(known), max(known)
        room = 0.08 * (high - low) or abs(high) * 0.1 or 1.0
        return cls(low - room, high + room, start, end)

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, about: int = 6) -> list[float]:
        """Round numbers on the axis."""
        rough = (self.high - self.low) / about
        power = 10.0 ** floor(log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        first, last = ceil(self.low / step), floor(self.high / step)
        return [round(number * step, 12) for number in range(first, last + 1)]


@dataclass(frozen=True)
class LogAxis:
    """Maps positive values onto a stretch of the picture by their logarithms, with powers of ten as ticks."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float) -> LogAxis:
        """An axis from the power of ten below all values to the one above."""
        known = list(values)
        low, high = floor(log10(min(known))), ceil(log10(max(known)))
        return cls(10.0**low, 10.0 ** max(high, low + 1), start, end)

    def __call__(self, value: float) -> float:
        share = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 6) -> list[float]:
        """Powers of ten on the axis, about so many."""
        first, last = round(log10(self.low)), round(log10(self.high))
        step = max(1, ceil((last - first) / about))
        return [10.0**power for power in range(first, last + 1, step)]


@dataclass(frozen=True)
class Bands:
    """Gives every category its stretch of the picture, all of one width.

    >>> bands = Bands(("a", "b"), 0, 100)
    >>> bands("b"), bands.width
    (75.0, 50.0)
    """

    names: tuple[str, ...]
    start: float
    end: float

    @property
    def width(self) -> float:
        """How wide one of them is."""
        return (self.end - self.start) / len(self.names)

    def __call__(self, name: str) -> float:
        return self.start + (self.names.index(name) + 0.5) * self.width


@dataclass(frozen=True)
class Label:
    """A text to be placed beside a mark."""

    x: float
    y: float
    text: str
    colour: str = INK


def place_labels(
    labels: Sequence[Label], frame: Box, *, size: float = 11, gap: float = 7, obstacles: Sequence[Box] = ()
) -> list[tuple[Box, Label, str]]:
    """Where labels can stand without covering marks, obstacles, each other, or leaving the frame."""
    taken = [*obstacles, *(Box(label.x - 5, label.y - 5, label.x + 5, label.y + 5) for label in labels)]
    placed = []
    for label in labels:
        box, anchor = _free_place(label, taken, frame, size, gap)
        taken.append(box)
        placed.append((box, label, anchor))
    return placed


def _free_place(label: Label, taken: Sequence[Box], frame: Box, size: float, gap: float) -> tuple[Box, str]:
    """The nearest place that nothing has taken; where there is none, the nearest one inside the frame."""
    width = text_width(label.text, size)
    spots = [spot for step in range(14) for spot in _spots(label, width, size, gap, step)]
    boxes = [(Box(left, top, left + width, top + size * 1.2), anchor) for left, top, anchor in spots]
    inside = [(box, anchor) for box, anchor in boxes if box.inside(frame)]
    free = (place for place in inside if not any(place[0].meets(other) for other in taken))
    return next(free, (inside or boxes)[0])


def _spots(label: Label, width: float, size: float, gap: float, step: int) -> list[tuple[float, float, str]]:
    """Left and upper edges of eight places around a mark, further away with every step."""
    away = step * size * 0.5
    above, below, beside = label.y - size * 1.2 - 2 - away, label.y + 2 + away, label.y - size * 0.6
    right, left, centre = label.x + gap, label.x - gap - width, label.x - width / 2
    return [
        (right, above, "start"),
        (left, above, "end"),
        (right, below, "start"),
        (left, below, "end"),
        (right + away, beside, "start"),
        (left - away, beside, "end"),
        (centre, above - gap, "middle"),
        (centre, below + gap, "middle"),
    ]
