"""Pictures of an audit: length against orderings, as in the paper's figure 1, and metrics against people (2 to 4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from karat.report.meta_plots import HEIGHT, MARGIN, WIDTH, axes
from karat.report.svg import BLUE, MUTED, ORANGE, Axis, Box, Drawing, Label, place_labels, shortened
from karat.whole_file import make_directory, write_whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.analysis.audit.model import Audit, FreedomPoint, PeopleFit

FRAME = Box(MARGIN.left, MARGIN.top, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom)

SMALLEST, MOST_GROWN = 3, 9
"""The radius of one segment; the mark of so many, and of more, is the largest."""


def write_audit_pictures(audit: Audit, directory: str) -> list[str]:
    """Write the pictures into a directory, which is made if need be; the names of the files."""
    target = make_directory(directory)
    names = []
    for name, text in audit_pictures(audit):
        write_whole_file(target / name, text.encode())
        names.append(name)
    return names


def audit_pictures(audit: Audit) -> Iterator[tuple[str, str]]:
    """The pictures with names for their files."""
    for number, system in enumerate(audit.systems, 1):
        yield f"orderings-{number}-{_plain(system)}.svg", orderings_plot(audit, system).render()
    for number, fit in enumerate(audit.fits, 1):
        yield f"people-{number}-{_plain(fit.criterion)}-{_plain(fit.measure)}.svg", people_plot(fit)


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40]


def orderings_plot(audit: Audit, system: str) -> Drawing:
    """The segments of a system: their length, and the number of orderings that score at least as high."""
    points = audit.points(system)
    title = f"Orderings of {shortened(system, 40)} that score at least as high"
    drawing = Drawing(WIDTH, HEIGHT, title, description=_told(points))
    across = Axis.over([0.0, *(float(point.tokens) for point in points)], FRAME.left, FRAME.right)
    up = Axis.over([0.0, *(point.log10_orderings for point in points)], FRAME.bottom, FRAME.top)
    axes(drawing, FRAME, across, up, "tokens of the segment", "log10 of the number of orderings")
    for point in points:
        hint = f"{_segments(point)} of {point.tokens} tokens: {point.phrases} phrases, {_orderings(point)} orderings"
        radius = SMALLEST * min(point.segments, MOST_GROWN) ** 0.5
        drawing.circle(across(point.tokens), up(point.log10_orderings), radius, BLUE, hint, hollow=True)
    drawing.text(FRAME.left, 26, title, size=16, bold=True)
    drawing.text(FRAME.left, 46, shortened(audit.signature, 110), size=12, colour=MUTED)
    return drawing


def _told(points: Sequence[FreedomPoint]) -> str:
    if not points:
        return ""
    freest = max(points, key=lambda point: point.log10_orderings)
    count = sum(point.segments for point in points)
    return (
        f"{count:,} segment{'s' * (count != 1)} by their tokens and the logarithm of the number of orderings of their "
        f"phrases that BLEU scores no lower; at most {_orderings(freest)}, at {freest.tokens} tokens."
    )


def _segments(point: FreedomPoint) -> str:
    return f"{point.segments:,} segment{'s' * (point.segments != 1)}"


def _orderings(point: FreedomPoint) -> str:
    return f"10^{point.log10_orderings:.1f}"


def people_plot(fit: PeopleFit) -> str:
    """Every system under people and under a metric; outliers are marked."""
    title = shortened(f"{fit.measure} against {fit.criterion}", 60)
    drawing = Drawing(WIDTH, HEIGHT, title)
    across = Axis.over([point.judgement for point in fit.points], FRAME.left, FRAME.right)
    up = Axis.over([point.score for point in fit.points], FRAME.bottom, FRAME.top)
    axes(drawing, FRAME, across, up, f"people: {shortened(fit.criterion, 60)}", fit.measure)
    labels = []
    for point in fit.points:
        colour = ORANGE if point.outlier else BLUE
        x, y = across(point.judgement), up(point.score)
        drawing.circle(x, y, 4.5, colour, f"{point.system}: {point.judgement:.4g}, {point.score:.4g}")
        labels.append(Label(x, y, shortened(point.system, 28), colour))
    for box, label, anchor in place_labels(labels, FRAME):
        x = {"start": box.left, "end": box.right, "middle": (box.left + box.right) / 2}[anchor]
        drawing.text(x, box.bottom - 2.5, label.text, size=11, anchor=anchor, colour=label.colour)
    drawing.text(FRAME.left, 26, title, size=16, bold=True)
    shares = (("R²", fit.r2), ("without outliers", fit.r2_without_outliers))
    caption = ", ".join(f"{name} {value:.3f}" for name, value in shares if value is not None)
    drawing.text(FRAME.left, 46, caption, size=12, colour=MUTED)
    return drawing.render()
