"""The options that commands about significance share: what is tested, on what, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.inputs import Command, InputOptions, packed
from karat.cli.parameters import DRAWS, INPUT, SYSTEM, only_one
from karat.cli.resampling import RESAMPLING_OPTIONS, TESTSET_HELP, UNIT_HELP
from karat.cli.scaling import FROM_HELP, refuse_beside_stored
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.service.requests import EvidenceRequest
from karat.service.vocabulary.texts import UNITS

if TYPE_CHECKING:
    from karat.service.inputs import Input
    from karat.service.vocabulary.testing import Correction, Method, Options, ResampleKind, TestName
    from karat.service.vocabulary.texts import Unit

UNPAIRED_HELP = "Compare systems on all that each has scores of, not on the segments that they share."
CRITERION_HELP = "With ratings: what to compare, such as adequacy; all by default."
ALPHA_HELP = "Significance level of the test; intervals have a confidence of 1 less this."
DRAWS_HELP = "Draws: 10,000 shuffles or 1,000 resamples by default; all shuffles where there are no more."


@dataclass(frozen=True)
class TestOptions:
    """What the command line says about the test."""

    test: TestName
    n: int | None
    seed: int
    alpha: float
    correction: Correction
    resample: ResampleKind
    interval: Method

    def options(self) -> Options:
        """The same for the library; the unit is known later."""
        from karat.service.vocabulary.testing import Options

        return Options(
            test=self.test,
            n=self.n,
            seed=self.seed,
            alpha=self.alpha,
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
    testsets: tuple[str, ...]
    stored: str | None

    def request(self, given: InputOptions, texts: Input | None) -> EvidenceRequest:
        """Where the evidence comes from."""
        return EvidenceRequest(
            texts=texts,
            stored=self.stored,
            metrics=given.wanted_metrics() if texts is not None else (),
            scores=self.scores,
            criteria=self.criteria,
            columns=given.columns,
            language_pair=given.language_pair,
            systems=given.systems if texts is None else (),
            testsets=self.testsets,
            targeted=given.post_edits,
            threads=given.threads,
        )

    def only(self, given: InputOptions) -> bool:
        """Whether there are no texts to score; what only texts have a use for is then refused."""
        if self.stored is not None:
            own = {"--scores": self.scores, "--criterion": self.criteria, "--testset": self.testsets}
            refuse_beside_stored(*given.told, *(option for option, value in own.items() if value))
            return True
        if not self.scores or given.has_texts:
            return False
        if given.metrics or given.source or given.documents or given.annotations:
            named = "-m, -s, --documents and --annotations"
            raise InputError(f"{named} are about texts: add references with -r, or leave them out")
        return True


def test_options(command: Command) -> Command:
    """Give a command the options of `TestOptions`, as its argument `tested`."""
    from karat.service.vocabulary.testing import CORRECTIONS, TESTS

    return packed(
        command,
        "tested",
        TestOptions,
        click.option("--test", type=click.Choice(TESTS), default="randomization", show_default=True),
        click.option("-n", type=DRAWS, metavar="N", help=DRAWS_HELP),
        click.option("--alpha", type=float, default=0.05, show_default=True, help=ALPHA_HELP),
        click.option("--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True),
        *RESAMPLING_OPTIONS,
    )


def score_file_options(command: Command) -> Command:
    """Give a command the options of `ScoreFiles`, as its argument `files`."""
    help_text = (
        "Segment scores of any metric (a table, COMET's JSON, or a number per line), or ratings; repeat for several."
    )
    return packed(
        command,
        "files",
        ScoreFiles,
        click.option("--scores", type=SYSTEM, multiple=True, metavar="[SYSTEM=]FILE", help=help_text),
        click.option("--criterion", "criteria", multiple=True, metavar="NAME", help=CRITERION_HELP),
        click.option("--unit", type=click.Choice(UNITS), help=UNIT_HELP),
        click.option("--testset", "testsets", multiple=True, metavar="NAME", help=TESTSET_HELP),
        click.option("--from", "stored", type=INPUT, multiple=True, callback=only_one, metavar="DIR", help=FROM_HELP),
    )


def texts_of(given: InputOptions, files: ScoreFiles) -> Input | None:
    """The texts, or None where there are only scores."""
    return None if files.only(given) else given.texts()
