"""Writes a meta-evaluation as pictures and as one page of HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from karat.report.meta import meta_tables
from karat.report.meta_plots import heat_map, scatter
from karat.report.svg import safe
from karat.report.table import to_html
from karat.whole_file import make_directory, write_whole_file

if TYPE_CHECKING:
    from karat.meta.study import TaskStudy


def pictures(tasks: Sequence[TaskStudy]) -> Iterator[tuple[str, str]]:
    """File names and pictures: a scatter plot for each metric, a heat map for each comparison."""
    for task in tasks:
        prefix = f"{_file_name(task.label)}." if len(tasks) > 1 else ""
        for metric, systems in task.scatter.items():
            if len(systems) > 1:
                yield f"{prefix}scatter.{_file_name(metric)}.svg", scatter(task, metric)
        for level, contests in task.contests:
            if contests.pairs:
                name = f"{prefix}metrics.{level}.{contests.measure}.{contests.grouping}.svg"
                yield name, heat_map(contests, level)


def write_pictures(tasks: Sequence[TaskStudy], directory: str) -> list[str]:
    """Write the pictures into a directory, which is made if need be; the names of the files."""
    target = make_directory(directory)
    names = []
    for name, text in pictures(tasks):
        write_whole_file(target / name, text.encode())
        names.append(name)
    return names


def write_page(
    tasks: Sequence[TaskStudy],
    averages: Sequence[Mapping[str, Any]],
    weights: Mapping[str, float],
    path: str,
    *,
    digits: int,
) -> None:
    """Everything in one page of HTML that needs nothing else."""
    parts = [
        f"<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Meta-evaluation</title><style>{STYLE}</style>"
    ]
    parts.append("<h1>How well metrics agree with people</h1>")
    parts += [to_html(table) for table in meta_tables(tasks, averages, weights, digits, detailed=False)]
    parts.append("<h2>Pictures</h2><div class='pictures'>")
    parts += [f"<figure id='{safe(name)}'>{text}</figure>" for name, text in pictures(tasks)]
    parts.append("</div><h2>All measures</h2>")
    parts += [to_html(table) for table in meta_tables(tasks, averages, weights, digits, detailed=True)]
    write_whole_file(path, "\n".join([*parts, "</html>", ""]).encode())


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "metric"


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; text-align: left; white-space: nowrap; } td.number { text-align: right; }
thead th { border-bottom: 2px solid #1b1f24; } tr.section td { border-top: 1px solid #d0d7de; }
td.number { font-variant-numeric: tabular-nums; } td.best { font-weight: 600; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; max-width: 100%; overflow-x: auto; }
.notes { color: #57606a; font-size: 13px; } svg { max-width: 100%; height: auto; }
"""
