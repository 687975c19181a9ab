"""The options that commands about significance share: what is tested, on what, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import click

from karat.cli.inputs import Command, InputOptions, OutputOptions, packed
from karat.cli.output import Destination, Progress, show_warnings
from karat.errors import InputError
from karat.findings import Unit
from karat.report.comparison_writers import write_findings
from karat.service.comparing import Listeners
from karat.service.evidence import EvidenceRequest
from karat.significance import CORRECTIONS, DEFAULT_SEED, TESTS, Options

if TYPE_CHECKING:
    from karat.findings import Findings
    from karat.service.inputs import Input
    from karat.significance.draws import Kind
    from karat.significance.intervals import Method
    from karat.significance.multiple import Correction
    from karat.significance.paired import Test

UNITS = get_args(Unit)
UNIT_HELP = "What is drawn at random; documents where they are known."
CRITERION_HELP = "With ratings: what to compare, such as adequacy; all by default."
ALPHA_HELP = "The level of significance; intervals have 1 less this."


@dataclass(frozen=True)
class TestOptions:
    """What the command line says about the test."""

    test: Test
    n: int | None
    seed: int
    alpha: float
    correction: Correction
    resample: Kind
    interval: Method

    def options(self) -> Options:
        """The same for the library; the unit is known later."""
        return Options(
            test=self.test,
            n=self.n,
            seed=self.seed,
            level=self.alpha,
            correction=self.correction,
            resample=self.resample,
            interval=self.interval,
        )


@dataclass(frozen=True)
class ScoreFiles:
    """Segment scores from elsewhere, and the unit of all."""

    scores: tuple[str, ...]
    criteria: tuple[str, ...]
    unit: Unit | None

    def request(self, given: InputOptions, texts: Input | None) -> EvidenceRequest:
        """Where the evidence comes from."""
        return EvidenceRequest(
            texts=texts,
            metrics=given.wanted_metrics() if texts is not None else (),
            outside=self.scores,
            criteria=self.criteria,
            systems=given.systems if texts is None else (),
            unit=self.unit,
            targeted=given.post_edits,
            threads=given.threads,
        )

    def only(self, given: InputOptions) -> bool:
        """Whether there are no texts to score; what only texts have a use for is then refused."""
        if not self.scores or given.has_texts:
            return False
        if given.metrics or given.source or given.documents:
            raise InputError("-m, -s and --documents are about texts: add references with -r, or leave them out")
        return True


def _resampling_options() -> tuple[Callable[[Command], Command], ...]:
    return (
        click.option("--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True, help="0 is a seed."),
        click.option(
            "--resample",
            type=click.Choice(["full", "half"]),
            default="full",
            show_default=True,
            help="Draw as many units as there are with replacement, or half without.",
        ),
        click.option("--interval", type=click.Choice(["percentile", "bca"]), default="percentile", show_default=True),
    )


RESAMPLING_OPTIONS = _resampling_options()


def test_options(command: Command) -> Command:
    """Give a command the options of `TestOptions`, as its argument `tested`."""
    return packed(
        command,
        "tested",
        TestOptions,
        click.option("--test", type=click.Choice(TESTS), default="randomization", show_default=True),
        click.option("-n", type=int, metavar="N", help="Draws: 10,000 shuffles or 1,000 resamples by default."),
        click.option("--alpha", type=float, default=0.05, show_default=True, help=ALPHA_HELP),
        click.option("--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True),
        *RESAMPLING_OPTIONS,
    )


def score_file_options(command: Command) -> Command:
    """Give a command the options of `ScoreFiles`, as its argument `files`."""
    help_text = (
        "Segment scores of any metric (TSV, CSV, JSONL or Parquet), or ratings in any format; repeat for several."
    )
    return packed(
        command,
        "files",
        ScoreFiles,
        click.option("--scores", multiple=True, metavar="FILE", help=help_text),
        click.option("--criterion", "criteria", multiple=True, metavar="NAME", help=CRITERION_HELP),
        click.option("--unit", type=click.Choice(UNITS), help=UNIT_HELP),
    )


def show(wanted: OutputOptions, work: Callable[[Listeners], Findings]) -> Findings:
    """Do the work with its progress shown, and write what was found."""
    with Destination(wanted.output) as out, Progress() as progress:
        findings = work(Listeners(progress.segments, progress.draws))
        progress.stop()
        write_findings(findings, wanted.form, out, digits=wanted.digits)
    if not wanted.quiet:
        show_warnings(findings.warnings)
    return findings


def texts_of(given: InputOptions, files: ScoreFiles) -> Input | None:
    """The texts, or None where there are only scores."""
    return None if files.only(given) else given.texts()
