"""`karat analyse all`: every analysis at once."""

from __future__ import annotations

import click

from karat.cli.analysing import TextAnalysisOptions, analysis_options
from karat.cli.buckets import evidence_request
from karat.cli.command import KaratCommand
from karat.cli.flaws import TERMS_HELP
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.service.analysing_all import AllAnalysesRequest, analyse_all


@click.command(cls=KaratCommand)
@input_options
@click.option("--terms", type=INPUT, metavar="FILE", help=TERMS_HELP)
@click.option("--top", type=click.IntRange(1), default=5, show_default=True, help="N-grams and segments of each kind.")
@click.option("--show", type=click.IntRange(0), default=20, show_default=True, help="Findings shown; JSON has all.")
@analysis_options
@output_options
def command(
    given: InputOptions,
    terms: str | None,
    top: int,
    show: int,
    options: TextAnalysisOptions,
    wanted: OutputOptions,
) -> None:
    """Look at systems in every way: buckets, words, n-grams, errors, findings, segments.

    \b
    karat analyse all --corpus all.jsonl -l de-en
    karat analyse all -s source.txt -r ref.txt base.txt new.txt -m bleu --json
    """
    request = AllAnalysesRequest(
        evidence=evidence_request(given),
        terms=terms,
        top=top,
        shown=show,
        resamples=options.resamples(),
        reading=options.reading(given.threads),
    )
    run(wanted, lambda listeners: analyse_all(request, listeners))
