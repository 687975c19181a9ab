"""`karat analyse buckets`: scores by kinds of segments."""

from __future__ import annotations

import click

from karat.cli.analysing import TextAnalysisOptions, analysis_options, labelled_segments, least_option
from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.service.analysing import LEAST_SEGMENTS, SEGMENT_KINDS, BucketsRequest, analyse_buckets
from karat.service.requests import EvidenceRequest

SEGMENT_LABELS_HELP = "A label per segment: a file with one per line, or FILE:COLUMN of a table; repeat for several."


@click.command(cls=KaratCommand)
@input_options
@click.option("--by", type=click.Choice(SEGMENT_KINDS), multiple=True, help="What segments are sorted by; repeat.")
@click.option("--labels", type=INPUT, multiple=True, metavar="FILE[:COLUMN]", help=SEGMENT_LABELS_HELP)
@least_option(LEAST_SEGMENTS, "segments")
@analysis_options
@output_options
def command(
    given: InputOptions,
    by: tuple[str, ...],
    labels: tuple[str, ...],
    least: int,
    options: TextAnalysisOptions,
    wanted: OutputOptions,
) -> None:
    """Score systems on kinds of segments: short and long ones, documents, domains, hard and easy ones.

    Without --by and --labels these are all kinds that the texts can be sorted by.

    \b
    karat analyse buckets -r ref.txt -s source.txt base.txt new.txt
    karat analyse buckets --corpus all.jsonl -m chrf --by domain --by difficulty
    karat analyse buckets -r ref.txt base.txt new.txt --labels topics.txt
    """
    request = BucketsRequest(
        evidence=evidence_request(given),
        by=by,
        labels=labelled_segments(labels),
        least=least,
        resamples=options.resamples(),
        reading=options.reading(given.threads),
    )
    run(wanted, lambda listeners: analyse_buckets(request, listeners))


def evidence_request(given: InputOptions) -> EvidenceRequest:
    """The texts under all metrics."""
    return EvidenceRequest(
        texts=given.texts(),
        metrics=given.wanted_metrics(),
        columns=given.columns,
        language_pair=given.language_pair,
        targeted=given.post_edits,
        threads=given.threads,
    )
