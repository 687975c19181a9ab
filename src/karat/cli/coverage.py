"""`karat analyse coverage`: what several references share."""

from __future__ import annotations

import click

from karat.cli.analysing import TOKENIZE_HELP
from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, output_options, reference_options
from karat.cli.running import run
from karat.service.coverage import CoverageRequest, cover


@click.command(cls=KaratCommand)
@reference_options
@click.option("--max-order", type=click.IntRange(1, 9), default=4, show_default=True, help="The longest n-grams.")
@click.option("--tokenize", metavar="NAME", help=TOKENIZE_HELP)
@click.option("--lowercase", is_flag=True, help="Ignore case.")
@output_options
def command(
    given: InputOptions,
    max_order: int,
    tokenize: str | None,
    lowercase: bool,
    wanted: OutputOptions,
) -> None:
    """Tell how many n-grams are in one, in two, ... of the references.

    The n-grams of the references come first, then those that each system shares with them, then what fewer references
    would have shown.

    \b
    karat analyse coverage -r refA.txt -r refB.txt -r refC.txt
    karat analyse coverage -r refA.txt -r refB.txt sys.txt --max-order 2 --format csv
    """
    request = CoverageRequest(
        texts=given.texts(references_are_enough=True),
        max_order=max_order,
        tokenize=tokenize,
        lowercase=lowercase,
        threads=given.threads,
    )
    run(wanted, lambda _: cover(request))
