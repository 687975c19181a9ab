"""Writes a meta-evaluation as pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.report.meta_plots import heat_map, scatter
from karat.whole_file import make_directory, write_whole_file

if TYPE_CHECKING:
    from karat.meta.study import TaskStudy


def pictures(tasks: Sequence[TaskStudy]) -> Iterator[tuple[str, str]]:
    """File names and pictures: a scatter plot for each metric, a heat map for each comparison."""
    for task in tasks:
        prefix = f"{_file_name(task.label)}." if len(tasks) > 1 else ""
        for metric, systems in task.scatter.items():
            if len(systems) > 1:
                yield f"{prefix}scatter.{_file_name(metric)}.svg", scatter(task, metric).render()
        for level, contests in task.contests:
            if contests.pairs:
                name = f"{prefix}metrics.{level}.{contests.measure}.{contests.grouping}.svg"
                yield name, heat_map(contests, level).render()


def write_pictures(tasks: Sequence[TaskStudy], directory: str) -> list[str]:
    """Write the pictures into a directory, which is made if need be; the names of the files."""
    target = make_directory(directory)
    names = []
    for name, text in pictures(tasks):
        write_whole_file(target / name, text.encode())
        names.append(name)
    return names


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.") or "metric"
