"""`karat compare`: systems against a baseline."""

from __future__ import annotations

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.running import run
from karat.cli.runs import given_systems
from karat.cli.testing import UNPAIRED_HELP, ScoreFiles, TestOptions, score_file_options, test_options
from karat.errors import InputError
from karat.service.comparing import CompareRequest, compare_systems


@click.command(cls=KaratCommand)
@input_options
@score_file_options
@click.option("--baseline", metavar="NAME", help="The system that others are compared with; the first by default.")
@test_options
@click.option("--unpaired", is_flag=True, help=UNPAIRED_HELP)
@click.option(
    "--non-inferior",
    "margins",
    multiple=True,
    metavar="[METRIC=]MARGIN",
    help="Are systems worse than the baseline by less than this? Exit 0 if shown for all, else 1. Repeat for margins of"
    " single metrics.",
)
@output_options
def command(
    given: InputOptions,
    files: ScoreFiles,
    baseline: str | None,
    tested: TestOptions,
    unpaired: bool,
    margins: tuple[str, ...],
    wanted: OutputOptions,
) -> int:
    """Compare systems with a baseline: which differences are real?

    The first system is the baseline. Several runs of one system are separated by commas.

    \b
    karat compare -r ref.txt base.txt new.txt
    karat compare --corpus all.jsonl --baseline old -m bleu -m chrf --json
    karat compare -r ref.txt base=b1.txt,b2.txt,b3.txt new=n1.txt,n2.txt,n3.txt
    karat compare --scores ratings.tsv sysA sysB
    karat compare -r ref.txt base.txt new.txt -m chrf --non-inferior 0.5
    karat compare -r ref.txt base.txt new.txt -m bleu -m chrf --non-inferior bleu=0.5 --non-inferior chrf=0.3
    """
    options = tested.options()
    by_metric = _margins(margins)
    systems = given_systems(given, files)
    request = CompareRequest(
        evidence=files.request(given, systems.texts),
        unit=files.unit,
        unpaired=unpaired,
        options=options,
        baseline=baseline,
        margin=by_metric.pop("", None),
        margins=tuple(by_metric.items()),
        runs=systems.runs,
    )
    result = run(wanted, lambda listeners: compare_systems(request, listeners))
    return 0 if result.shown else 1


def _margins(given: tuple[str, ...]) -> dict[str, float]:
    """The margin of each metric; that of all others stands under the empty name."""
    margins: dict[str, float] = {}
    for text in given:
        # A spec may have equals signs of its own.
        name, _, number = text.rpartition("=")
        if name in margins:
            raise InputError(f"--non-inferior is given twice for {name or 'all metrics'}: give one margin for each")
        try:
            margins[name] = float(number)
        except ValueError as error:
            raise InputError(f"--non-inferior {text}: give a number, or METRIC=NUMBER such as chrf=0.5") from error
    return margins
