"""Drawings as SVG text: axes, marks, and labels that keep out of each other's way. Every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10

from karat.report.table import visible

FONT = "ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif"
INK, MUTED, GRID = "#1b1f24", "#57606a", "#e4e7eb"
BLUE, ORANGE, GREEN = "#1f6feb", "#c2410c", "#15803d"
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

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str = GRID, width: float = 1, opacity: float = 1
    ) -> None:
        """A straight line."""
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        faint = f' stroke-opacity="{opacity:g}"' if opacity < 1 else ""
        self.pieces.append(f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{faint}/>')

    def circle(self, x: float, y: float, radius: float, colour: str, hint: str, *, hollow: bool = False) -> None:
        """A mark, with a text that shows when it is pointed at."""
        look = f'fill="white" stroke="{colour}" stroke-width="2"' if hollow else f'fill="{colour}"'
        self.pieces.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {look}><title>{safe(hint)}</title></circle>'
        )

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
        self.pieces.append(f'<text x="{x:.1f}" y="{y:.1f}" {look}>{safe(content)}</text>')

    def render(self) -> str:
        """The whole picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" role="img" font-family="{FONT}">'
        )
        ground = f'<rect width="{self.width:g}" height="{self.height:g}" fill="white"/>'
        return "\n".join([head, f"<title>{safe(self.title)}</title>", ground, *self.pieces, "</svg>", ""])


def safe(text: str) -> str:
    """Text that is text, whatever signs it has."""
    return escape(visible(text))


def text_width(text: str, size: float) -> float:
    """The approximate width of a text."""
    return GLYPH * size * len(text)


def shortened(text: str, most: int) -> str:
    """A text that is no longer than so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


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
