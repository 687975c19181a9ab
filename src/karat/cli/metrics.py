"""`karat metrics`: what there is to measure with."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import click

from karat.cli.command import KaratCommand
from karat.cli.output import destination, show_warnings
from karat.cli.parameters import METRIC
from karat.report.forms import console_on
from karat.report.formulas import plain_text
from karat.report.plain import aligned
from karat.results.writing import write_json
from karat.service.describing import describe_metrics

if TYPE_CHECKING:
    from rich.console import Console

    from karat.results.metrics import MetricsResult
    from karat.service.vocabulary.metrics import Description


@click.command(cls=KaratCommand)
@click.argument("name", type=METRIC, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(name: str | None, as_json: bool) -> None:
    """List the metrics by family, or explain one.

    \b
    karat metrics
    karat metrics bleu
    """
    result = describe_metrics(name)
    with destination(None) as out:
        if as_json:
            write_json(result, out)
        else:
            _show(result, out)
    if not as_json:
        show_warnings(result.warnings)


def _show(result: MetricsResult, out: TextIO) -> None:
    from karat.report.table import print_table

    console = console_on(out)
    for description in result.descriptions if result.explained else ():
        _explain(description, console)
    for table in result.tables():
        if console.is_terminal:
            print_table(table, console)
        else:
            console.print("\n".join(aligned(table)), soft_wrap=True)
    for description in result.descriptions if result.explained else ():
        _cite(description, console)


def _explain(described: Description, console: Console) -> None:
    """What stands before the parameters."""
    direction = "higher is better" if described.higher_is_better else "lower is better"
    console.print(
        f"{described.display_name} ({described.name}; {direction})\n{described.summary}",
        soft_wrap=not console.is_terminal,
    )
    for title, body in described.sections.items():
        console.print(f"\n{title}", style="bold")
        console.print(body if title == "Example" else plain_text(body), soft_wrap=not console.is_terminal)
    console.print("\nParameters", style="bold")


def _cite(described: Description, console: Console) -> None:
    """What stands after the parameters."""
    for alias, spec in described.aliases.items():
        console.print(f"{alias} is short for {spec}", soft_wrap=not console.is_terminal)
    console.print("\nCitation", style="bold")
    console.print(described.reference, soft_wrap=not console.is_terminal)
    if described.reference != described.citation:
        console.print(f"BibTeX key: {described.citation}", soft_wrap=True)
