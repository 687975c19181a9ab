"""`karat tune`: parameters of a metric that agree with what people said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.command import KaratGroup
from karat.cli.inputs import InputOptions, input_options
from karat.cli.output import destination, show_warnings
from karat.cli.parameters import INPUT
from karat.errors import InputError
from karat.results.writing import write_json
from karat.service.tuning import LEVELS, MEASURES, TuningRequest, tune
from karat.service.vocabulary.metrics import Meteor, metric

if TYPE_CHECKING:
    from karat.results.tuning import TuneResult

JUDGEMENTS_HELP = "Scores or ratings of segments, by system."


@click.group(cls=KaratGroup)
def command() -> None:
    """Tune the parameters of a metric on judgements of people."""


@command.command()
@input_options
@click.option("--judgements", type=INPUT, required=True, metavar="FILE", help=JUDGEMENTS_HELP)
@click.option("--criterion", metavar="NAME", help="Which judgements, where the file has several kinds.")
@click.option("--testset", metavar="NAME", help="The test set of a manifest to tune on.")
@click.option("--measure", type=click.Choice(MEASURES), default="pearson", show_default=True)
@click.option("--level", type=click.Choice(LEVELS), default="segment", show_default=True)
@click.option("--held-out", type=float, default=0.25, show_default=True, help="The share of segments to try it on.")
@click.option(
    "--starts", type=click.IntRange(1, 1000), default=8, show_default=True, help="How often the search starts anew."
)
@click.option("--seed", type=click.IntRange(0), default=12345, show_default=True, help="For the split and the starts.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def meteor(
    given: InputOptions,
    judgements: str,
    criterion: str | None,
    testset: str | None,
    measure: str,
    level: str,
    held_out: float,
    starts: int,
    seed: int,
    as_json: bool,
) -> None:
    """Tune METEOR: print it as a metric spec, with its agreement with people before and after.

    \b
    karat tune meteor -r ref.txt a=a.txt b=b.txt --judgements ratings.tsv --criterion adequacy
    """
    if len(given.metrics) > 1:
        raise InputError("one metric is tuned at a time: give -m once, or leave it out for meteor")
    start = metric(given.metrics[0]) if given.metrics else Meteor()
    if not isinstance(start, Meteor):
        raise InputError(f"{start.name} has no parameters that are tuned here: use -m 'meteor(...)'")
    request = TuningRequest(
        texts=given.texts(),
        judgements=judgements,
        metric=start,
        criterion=criterion,
        testset=testset,
        measure=measure,
        level=level,
        held_out=held_out,
        starts=starts,
        seed=seed,
        targeted=given.post_edits,
        threads=given.threads,
    )
    result = tune(request)
    with destination(None) as out:
        if as_json:
            write_json(result, out)
        else:
            out.write(_as_text(result) + "\n")
    show_warnings(result.warnings)


def _as_text(result: TuneResult) -> str:
    lines = [
        result.metric,
        "",
        f"{result.measure} with {result.criterion}, by {result.level}, {result.systems} systems",
        f"{'':24}{'before':>8}{'after':>8}",
        f"{f'{result.segments[0]} segments tuned on':24}{result.before.tuned_on:>8.3f}{result.after.tuned_on:>8.3f}",
        f"{f'{result.segments[1]} segments held out':24}{result.before.held_out:>8.3f}{result.after.held_out:>8.3f}",
    ]
    return "\n".join(lines)
