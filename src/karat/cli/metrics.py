"""`karat metrics`: what there is to measure with."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from karat.metrics.description import Description, describe
from karat.registry import aliases, metric_class, metric_classes

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(name: str | None, as_json: bool) -> None:
    """List the metrics by family, or explain one.

    \b
    karat metrics
    karat metrics bleu
    """
    if name is None:
        found = [describe(cls) for cls in metric_classes().values()]
    else:
        known = name.lower()
        found = [describe(aliases()[known][0] if known in aliases() else metric_class(known))]
    if as_json:
        click.echo(json.dumps({"schema": 1, "metrics": [asdict(one) for one in found]}, ensure_ascii=False, indent=2))
    elif name is None:
        _list(found)
    else:
        _explain(found[0])


def _list(descriptions: list[Description]) -> None:
    from karat.report.table import Cell, Table, print_table

    ordered = sorted(descriptions, key=lambda one: (one.family, one.name))
    rows, sections = [], set()
    for number, one in enumerate(ordered):
        if number == 0 or one.family != ordered[number - 1].family:
            sections.add(number)
        also = ", ".join(one.aliases)
        better = "↑" if one.higher_is_better else "↓"
        rows.append((Cell(one.family), Cell(one.name), Cell(better), Cell(one.summary), Cell(also)))
    headings = ("Family", "Metric", "Best", "What it is", "Also")
    note = "karat metrics NAME explains one: formula, parameters, citation, when not to use it."
    print_table(Table(headings, tuple(rows), (note,), frozenset(sections)), _console(), fold=True)


def _explain(one: Description) -> None:
    from karat.report.table import Cell, Table, print_table

    console = _console()
    direction = "higher is better" if one.higher_is_better else "lower is better"
    console.print(f"{one.display_name} ({one.name}; {direction})\n{one.summary}", soft_wrap=True)
    for title, body in one.sections.items():
        console.print(f"\n{title}", style="bold")
        console.print(body, soft_wrap=True)
    rows = tuple(
        (Cell(item.name), Cell(item.default), Cell("|".join(item.choices) or item.type), Cell(item.help))
        for item in one.parameters
    )
    console.print("\nParameters", style="bold")
    print_table(Table(("Name", "Default", "Values", "What it does"), rows), console, fold=True)
    for alias, spec in one.aliases.items():
        console.print(f"{alias} is short for {spec}")
    console.print(f"Citation: {one.citation}")


def _console() -> Console:
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
