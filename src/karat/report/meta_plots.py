"""Pictures of a meta-evaluation: systems under people and under a metric, and which metric beats which."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from karat.report.numbers import fixed
from karat.report.sentences import p_is
from karat.report.svg import (
    BLUE,
    GREEN,
    GRID,
    INK,
    MUTED,
    ORANGE,
    Axis,
    Box,
    Drawing,
    Label,
    cut_middle,
    place_labels,
    shortened,
    text_width,
)
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.meta.contests import Contests
    from karat.meta.study import TaskStudy
    from karat.meta.system_scores import SystemScore

WIDTH, HEIGHT = 760, 520
MARGIN = Box(72, 64, 24, 84)
FAR = 12
"""A label that is further from its mark gets a line to it."""


def scatter(task: TaskStudy, metric: str) -> Drawing:
    """Every system's score under the metric against that of people, with intervals; outliers and people are marked."""
    systems = task.scatter[metric]
    drawing = Drawing(WIDTH, HEIGHT, f"{metric} against {task.gold}", description=_caption(task, metric))
    frame = Box(MARGIN.left, MARGIN.top, WIDTH - MARGIN.right, HEIGHT - MARGIN.bottom)
    judgements = [value for system in systems for value in (system.gold, *(system.gold_interval or ()))]
    scores = [value for system in systems for value in (system.score, *(system.score_interval or ()))]
    across = Axis.over(judgements, frame.left, frame.right)
    up = Axis.over(scores, frame.bottom, frame.top)
    turned = "" if task.gold_higher_is_better else ", turned round: lower is better"
    axes(drawing, frame, across, up, f"people: {shortened(task.gold, 60 - len(turned))}{turned}", metric)
    for system in systems:
        _mark(drawing, system, across, up)
    labels = [
        Label(across(system.gold), up(system.score), cut_middle(system.system, 28), _colour(system))
        for system in systems
    ]
    bars = [bar for system in systems for bar in _bars(system, across, up)]
    for box, label, anchor in place_labels(labels, frame, obstacles=bars):
        x = {"start": box.left, "end": box.right, "middle": (box.left + box.right) / 2}[anchor]
        edge = box.bottom if box.bottom < label.y else box.top
        if abs(edge - label.y) > FAR:
            drawing.line(label.x, label.y, min(max(label.x, box.left), box.right), edge, label.colour, 0.8, 0.5)
        drawing.text(x, box.bottom - 2.5, label.text, size=11, anchor=anchor, colour=label.colour)
    drawing.text(frame.left, 26, shortened(f"{metric} against {task.gold}", 60), size=16, bold=True)
    drawing.text(frame.left, 46, shortened(_caption(task, metric), 110), size=12, colour=MUTED)
    _legend(drawing, task, systems, frame)
    return drawing


def axes(drawing: Drawing, frame: Box, across: Axis, up: Axis, gold_label: str, metric_label: str) -> None:
    for value in across.ticks():
        drawing.line(across(value), frame.top, across(value), frame.bottom)
        drawing.text(across(value), frame.bottom + 16, f"{value:g}", size=11, anchor="middle", colour=MUTED)
    for value in up.ticks():
        drawing.line(frame.left, up(value), frame.right, up(value))
        drawing.text(frame.left - 8, up(value) + 4, f"{value:g}", size=11, anchor="end", colour=MUTED)
    drawing.line(frame.left, frame.bottom, frame.right, frame.bottom, MUTED)
    drawing.line(frame.left, frame.top, frame.left, frame.bottom, MUTED)
    middle = (frame.left + frame.right) / 2
    drawing.text(middle, frame.bottom + 36, gold_label, size=12, anchor="middle")
    drawing.text(18, (frame.top + frame.bottom) / 2, shortened(metric_label, 48), size=12, anchor="middle", turn=-90)


def _mark(drawing: Drawing, system: SystemScore, across: Axis, up: Axis) -> None:
    x, y, colour = across(system.gold), up(system.score), _colour(system)
    for bar in _bars(system, across, up):
        drawing.line(bar.left, bar.top, bar.right, bar.bottom, colour, 1.4, 0.55)
    hint = f"{system.system}: {system.gold:.4g}, {system.score:.4g}"
    drawing.circle(x, y, 4.5, colour, hint, hollow=system.human)


def _bars(system: SystemScore, across: Axis, up: Axis) -> list[Box]:
    """The two bars of a mark: lines, that is boxes without any height or width."""
    x, y = across(system.gold), up(system.score)
    bars = []
    if system.gold_interval is not None:
        bars.append(Box(across(system.gold_interval[0]), y, across(system.gold_interval[1]), y))
    if system.score_interval is not None:
        bars.append(Box(x, up(system.score_interval[1]), x, up(system.score_interval[0])))
    return bars


def _colour(system: SystemScore) -> str:
    return GREEN if system.human else ORANGE if system.outlier else BLUE


def _caption(task: TaskStudy, metric: str) -> str:
    """Pearson's correlation, with and without outliers, where it is defined."""
    said = [part for part in (task.label,) if part]
    for which, entries in (("", task.measures), (" without outliers", task.without_outliers)):
        for entry in entries:
            agreement = entry.agreement
            if (entry.metric, *entry.key) == (metric, "system", "pearson", "none") and not isnan(agreement.value):
                r2 = f"R² {fixed(agreement.value**2, 2)}"
                said.append(f"Pearson {fixed(agreement.value, 3)}, {r2} ({agreement.n} systems{which})")
    return "; ".join(said)


def _legend(drawing: Drawing, task: TaskStudy, systems: Sequence[SystemScore], frame: Box) -> None:
    humans = {system.system for system in systems if system.human}
    counted = "" if humans & set(task.systems) else ", not counted"
    kinds = [(BLUE, "system", False)]
    kinds += [(ORANGE, "outlier", False)] if any(system.outlier for system in systems) else []
    kinds += [(GREEN, f"human output{counted}", True)] if humans else []
    x, y = frame.left, HEIGHT - 18
    for colour, name, hollow in kinds:
        drawing.circle(x + 5, y - 4, 4.5, colour, name, hollow=hollow)
        drawing.text(x + 15, y, name, size=11, colour=MUTED)
        x += 34 + text_width(name, 11)
    if any(system.gold_interval or system.score_interval for system in systems):
        bars = f"bars: {percent(task.settings.confidence)} % intervals over segments"
        drawing.text(frame.right, y, bars, size=11, anchor="end", colour=MUTED)


CELL = 30


def heat_map(contests: Contests, level: str) -> Drawing:
    """Which metric (row) is better than which (column), by the p of that being chance; lines part clusters."""
    names = [cut_middle(name, 30) for name in contests.order]
    side = 24 + max(text_width(name, 11) for name in names)
    size = CELL * len(names)
    grouping = "" if contests.grouping == "none" else f" by {contests.grouping}"
    heading = f"{level} {contests.measure}{grouping}"
    note = f"Is the row better than the column? p, {contests.options.test}, correction {contests.options.correction}"
    left, top = side, 72 + side * 0.85
    width = max(left + size + side * 0.6, text_width(note, 11), text_width(heading, 17)) + 24
    drawing = Drawing(width, top + size + 24, f"metrics under {heading}")
    p = {(pair.metric, pair.other): pair.p_adjusted for pair in contests.pairs if not isnan(pair.p_adjusted)}
    for i, row in enumerate(contests.order):
        drawing.text(left - 8, top + CELL * (i + 0.5) + 4, names[i], size=11, anchor="end")
        drawing.text(left + CELL * (i + 0.5) + 4, top - 8, names[i], size=11, turn=-55)
        for j, column in enumerate(contests.order):
            box = Box(left + CELL * j, top + CELL * i, left + CELL * (j + 1) - 1, top + CELL * (i + 1) - 1)
            value = p.get((row, column))
            drawing.rectangle(box, _shade(value, contests.options.alpha), _hint(row, column, value))
            if value is not None and i < j:
                drawing.text(
                    (box.left + box.right) / 2,
                    box.top + CELL / 2 + 4,
                    _short_p(value),
                    size=10,
                    anchor="middle",
                    colour="var(--on-strong, #ffffff)" if value <= contests.options.alpha else INK,
                )
    _cluster_lines(drawing, contests.clusters, left, top, size)
    drawing.text(16, 26, heading, size=15, bold=True)
    drawing.text(16, 46, note, size=11, colour=MUTED)
    return drawing


def _shade(p: float | None, alpha: float) -> str:
    if p is None:
        return "var(--shade-none, #f6f8fa)"
    limits = (alpha / 50, alpha / 5, alpha, 2 * alpha)
    shades = ("#0b3d91", "#1f6feb", "#4f8ef7", "#cfe0fc")
    shade = next((number for number, limit in enumerate(limits) if p <= limit), None)
    return "var(--shade-0, #e9edf2)" if shade is None else f"var(--shade-{4 - shade}, {shades[shade]})"


def _hint(row: str, column: str, p: float | None) -> str:
    return f"{row} better than {column}: {p_is(p)}" if p is not None else ""


def _short_p(p: float) -> str:
    """A p-value that fits into a cell: no p is 0."""
    return "<.01" if p < 0.005 else f"{p:.2f}".removeprefix("0")


def _cluster_lines(drawing: Drawing, clusters: Sequence[int], left: float, top: float, size: float) -> None:
    for i in range(1, len(clusters)):
        if clusters[i] != clusters[i - 1]:
            y = top + CELL * i - 0.5
            drawing.line(left, y, left + size, y, INK, 1.2)
    drawing.line(left, top + size, left + size, top + size, GRID)
