"""`karat report`: everything about systems on one page."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.cli.runs import given_systems
from karat.cli.testing import ScoreFiles, TestOptions, score_file_options, test_options
from karat.errors import InputError
from karat.report.forms import FORMS

if TYPE_CHECKING:
    from karat.service.human import HumanRequest

RATINGS_HELP = "What people said of the systems, in any format that karat reads; repeat for several."
SEGMENTS_HELP = "How many segments can be read one by one; all by default, 0 for none."
BASELINE_HELP = "The system that differences are shown from at first; the best by default."


@click.command(cls=KaratCommand)
@input_options
@score_file_options
@test_options
@click.option("--baseline", metavar="NAME", help=BASELINE_HELP)
@click.option("--ratings", type=INPUT, multiple=True, metavar="FILE", help=RATINGS_HELP)
@click.option("--redact", is_flag=True, help="Leave all texts out.")
@click.option("--max-segments", type=click.IntRange(0), metavar="N", help=SEGMENTS_HELP)
@partial(output_options, forms=("html", *FORMS))
def command(
    given: InputOptions,
    files: ScoreFiles,
    tested: TestOptions,
    baseline: str | None,
    ratings: tuple[str, ...],
    redact: bool,
    max_segments: int | None,
    wanted: OutputOptions,
) -> None:
    """Write one page about systems: who is best, how sure that is, where they differ, and what people said.

    The page needs no network and no server: open it from disk, mail it, keep it with the paper. Several runs of one
    system are separated by commas.

    \b
    karat report -r ref.txt -s src.txt sysA.txt sysB.txt -o report.html
    karat report --corpus all.jsonl -m bleu -m chrf --ratings ratings.tsv -o report.html
    karat report --corpus all.jsonl --baseline old --json
    karat report -r ref.txt old=o1.txt,o2.txt,o3.txt new=n1.txt,n2.txt,n3.txt -o report.html
    """
    from karat.service.reporting import ReportRequest, report

    if wanted.form == "html" and wanted.output is None and sys.stdout is not None and sys.stdout.isatty():
        raise InputError("a page is not for terminals: name a file with -o report.html")
    systems = given_systems(given, files)
    request = ReportRequest(
        evidence=files.request(given, systems.texts),
        unit=files.unit,
        options=tested.options(),
        baseline=baseline,
        ratings=_ratings(ratings, given, files, tested),
        redact=redact,
        max_segments=max_segments,
        runs=systems.runs,
    )
    run(wanted, lambda listeners: report(request, listeners))


def _ratings(
    paths: tuple[str, ...], given: InputOptions, files: ScoreFiles, tested: TestOptions
) -> HumanRequest | None:
    """The ratings, looked at as `karat human` does with the same unit, seed, level and correction."""
    from karat.service.human import HumanRequest
    from karat.service.vocabulary.ratings import AnalysisPlan

    if not paths:
        return None
    return HumanRequest(
        paths=paths,
        criteria=files.criteria,
        language_pair=given.language_pair,
        columns=given.columns,
        plan=AnalysisPlan(unit=files.unit, seed=tested.seed, alpha=tested.alpha, correction=tested.correction),
    )
