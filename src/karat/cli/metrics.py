"""`karat metrics`: what there is to measure with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from karat.cli.output import show_warnings
from karat.results.writing import write_json
from karat.service.describing import describe_metrics

if TYPE_CHECKING:
    from rich.console import Console

    from karat.results.metrics import MetricsResult
    from karat.service.vocabulary.metrics import Description


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(name: str | None, as_json: bool) -> None:
    """List the metrics by family, or explain one.

    \b
    karat metrics
    karat metrics bleu
    """
    result = describe_metrics(name)
    if as_json:
        write_json(result, sys.stdout)
    else:
        _show(result)
        show_warnings(result.warnings)


def _show(result: MetricsResult) -> None:
    from rich.console import Console

    from karat.report.table import print_table

    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    for description in result.descriptions if result.explained else ():
        _explain(description, console)
    for table in result.tables():
        print_table(table, console, fold=True)
    for description in result.descriptions if result.explained else ():
        for alias, spec in description.aliases.items():
            console.print(f"{alias} is short for {spec}")
        console.print(f"Citation: {description.citation}")


def _explain(described: Description, console: Console) -> None:
    """What stands before the parameters."""
    direction = "higher is better" if described.higher_is_better else "lower is better"
    console.print(f"{described.display_name} ({described.name}; {direction})\n{described.summary}", soft_wrap=True)
    for title, body in described.sections.items():
        console.print(f"\n{title}", style="bold")
        console.print(body, soft_wrap=True)
    console.print("\nParameters", style="bold")
