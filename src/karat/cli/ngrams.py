"""`karat analyse ngrams`: which n-grams stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.analysing import TextAnalysisOptions, analysis_options, least_option
from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, output_options, text_options
from karat.cli.running import run
from karat.service.analysing import LEAST_OCCURRENCES, SELECTIONS, NgramChoice, NgramsRequest, analyse_ngrams

if TYPE_CHECKING:
    from karat.service.analysing import Selection

SELECT_HELP = "Rank by log-odds, or by the weights of a perceptron that learns to prefer references."
SMOOTHING_HELP = "What is added to both counts of log-odds."


@click.command(cls=KaratCommand)
@text_options
@click.option("--max-order", type=click.IntRange(1, 9), default=4, show_default=True, help="The longest n-grams.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="N-grams of each kind.")
@click.option("--select", type=click.Choice(SELECTIONS), default="log-odds", show_default=True, help=SELECT_HELP)
@click.option(
    "--smoothing",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    metavar="A",
    help=SMOOTHING_HELP,
)
@least_option(LEAST_OCCURRENCES, "occurrences")
@analysis_options
@output_options
def command(
    given: InputOptions,
    max_order: int,
    top: int,
    select: Selection,
    smoothing: float,
    least: int,
    options: TextAnalysisOptions,
    wanted: OutputOptions,
) -> None:
    """Find what systems write too often and too rarely, and what one gets right that another does not.

    \b
    karat analyse ngrams -r ref.txt base.txt new.txt
    karat analyse ngrams -r ref.txt base.txt new.txt --max-order 2 --top 20 --json
    karat analyse ngrams -r ref.txt new.txt --select discriminative
    """
    request = NgramsRequest(
        texts=given.texts(),
        choice=NgramChoice(max_order, top, smoothing, select),
        least=least,
        resamples=options.resamples(),
        reading=options.reading(given.threads),
    )
    run(wanted, lambda listeners: analyse_ngrams(request, listeners))
