"""`karat power`: what a test set can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.running import run
from karat.cli.runs import refuse_runs
from karat.cli.testing import ALPHA_HELP, ScoreFiles, score_file_options, texts_of
from karat.errors import InputError
from karat.service.comparing import PowerRequest, plan, plan_assumed
from karat.service.listening import Listeners

if TYPE_CHECKING:
    from karat.results.comparisons import PowerResult


@click.command(cls=KaratCommand)
@input_options
@score_file_options
@click.option("--baseline", metavar="NAME", help="The system that others are compared with; the first by default.")
@click.option(
    "--difference", type=float, metavar="D", help="Tell what it takes to find this difference; the one seen by default."
)
@click.option("--sd", type=float, metavar="X", help="Instead of systems: the standard deviation of unit differences.")
@click.option("--units", type=int, metavar="N", help="With --sd: the number of units.")
@click.option("--power", type=float, default=0.8, show_default=True, help="The probability to find a difference.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help=ALPHA_HELP)
@output_options
def command(
    given: InputOptions,
    files: ScoreFiles,
    baseline: str | None,
    difference: float | None,
    sd: float | None,
    units: int | None,
    power: float,
    alpha: float,
    wanted: OutputOptions,
) -> None:
    """Tell which differences a test set can show, and how many segments a difference needs.

    \b
    karat power -r ref.txt base.txt new.txt -m bleu --difference 0.5
    karat power --sd 12 --units 1000 --difference 1
    """
    assumed = sd is not None or units is not None
    if assumed and (
        sd is None or units is None or given.systems or given.has_texts or files.scores or files.stored or given.metrics
    ):
        raise InputError("--sd and --units belong together, and take the place of systems, references and metrics")

    def work(listeners: Listeners) -> PowerResult:
        if sd is not None and units is not None:
            unit = files.unit or "segment"
            return plan_assumed(sd, units, unit=unit, difference=difference, alpha=alpha, power=power)
        refuse_runs(given, "power")
        evidence = files.request(given, texts_of(given, files))
        request = PowerRequest(
            evidence=evidence, unit=files.unit, baseline=baseline, difference=difference, alpha=alpha, power=power
        )
        return plan(request, listeners)

    run(wanted, work)
