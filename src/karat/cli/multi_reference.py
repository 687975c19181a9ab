"""`karat analyse multi-reference`: Qin and Specia's experiment."""

from __future__ import annotations

from functools import partial

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.results.multi_reference import EXPERIMENT_DIGITS
from karat.service.multi_reference import DEFAULT_METRICS, MultiReferenceRequest, multi_reference

RATINGS_HELP = "Judgements of adequacy, fluency, ... of segments."


@click.command(cls=KaratCommand)
@input_options
@click.option("--ratings", type=INPUT, required=True, metavar="FILE", help=RATINGS_HELP)
@click.option("--criterion", "criteria", multiple=True, metavar="NAME", help="Only this criterion; all by default.")
@partial(output_options, digits=EXPERIMENT_DIGITS)
def command(given: InputOptions, ratings: str, criteria: tuple[str, ...], wanted: OutputOptions) -> None:
    """Do Qin and Specia's experiment: metrics against people where there are several references.

    Agreement of people by system, then Pearson's correlation over systems, over documents and over segments. The
    metrics are BLEU, BM, BMA, NIST and NM unless -m names others.

    \b
    karat analyse multi-reference --corpus all.jsonl --ratings ratings.tsv
    karat analyse multi-reference -r refA.txt -r refB.txt a.txt b.txt c.txt --ratings ratings.csv -m bleu -m chrf
    """
    request = MultiReferenceRequest(
        texts=given.texts(),
        ratings=ratings,
        metrics=given.metrics or DEFAULT_METRICS,
        criteria=criteria,
        targeted=given.post_edits,
        threads=given.threads,
    )
    run(wanted, lambda listeners: multi_reference(request, listeners))
