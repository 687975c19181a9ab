"""The options of commands that draw at random, with a test or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from karat.service.vocabulary.testing import DEFAULT_SEED

if TYPE_CHECKING:
    from karat.cli.inputs import Command

UNIT_HELP = "What is drawn at random; documents where they are known."
TESTSET_HELP = "Of a manifest or of scores on several test sets, only this one; repeat for several."


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
