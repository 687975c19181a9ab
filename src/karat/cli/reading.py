"""`karat analyse segments`: the segments most worth reading."""

from __future__ import annotations

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.service.reading import DEFAULT_METRICS, ReadingRequest, choose_segments

RATINGS_HELP = "Judgements of people, to find where metrics disagree with them."


@click.command(cls=KaratCommand)
@input_options
@click.option("--ratings", type=INPUT, metavar="FILE", help=RATINGS_HELP)
@click.option("--criterion", "criteria", multiple=True, metavar="NAME", help="Only this criterion; all by default.")
@click.option("--count", type=click.IntRange(1), default=10, show_default=True, help="Segments for each reason.")
@click.option(
    "--per-document", type=click.IntRange(0), default=2, show_default=True, help="Of one document; 0 is no limit."
)
@click.option("--baseline", metavar="NAME", help="The system that differences are from; the first by default.")
@output_options
def command(
    given: InputOptions,
    ratings: str | None,
    criteria: tuple[str, ...],
    count: int,
    per_document: int,
    baseline: str | None,
    wanted: OutputOptions,
) -> None:
    """Choose the segments most worth reading.

    Those where systems differ most, where metrics disagree most, where metrics and people do (--ratings), and those
    that decide the difference between systems, by the jackknife. The first metric judges systems and influence.

    \b
    karat analyse segments -r ref.txt a.txt b.txt -m chrf -m bleu
    karat analyse segments --corpus all.jsonl --ratings ratings.tsv --count 5 --json
    """
    request = ReadingRequest(
        texts=given.texts(),
        metrics=given.metrics or DEFAULT_METRICS,
        ratings=ratings,
        criteria=criteria,
        count=count,
        per_document=per_document or None,
        baseline=baseline,
        targeted=given.post_edits,
        threads=given.threads,
    )
    run(wanted, lambda listeners: choose_segments(request, listeners))
