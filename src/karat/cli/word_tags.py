"""`karat analyse word-tags`: predicted tags of words, OK or BAD, beside the true ones."""

from __future__ import annotations

from functools import partial

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import OutputOptions, output_options
from karat.cli.parameters import INPUT, SYSTEM
from karat.cli.running import run
from karat.results.word_tags import TAG_DIGITS
from karat.service.vocabulary.texts import system_arguments
from karat.service.word_tags import WordTagsRequest, judge_tags

GOLD_HELP = "True tags, a line per segment: OK BAD OK ..."


@click.command(cls=KaratCommand)
@click.argument("predicted", type=SYSTEM, nargs=-1, required=True, metavar="[NAME=]TAGS...")
@click.option("-g", "--gold", type=INPUT, required=True, metavar="FILE", help=GOLD_HELP)
@partial(output_options, digits=TAG_DIGITS)
def command(predicted: tuple[str, ...], gold: str, wanted: OutputOptions) -> None:
    """Tell how good predicted tags of words are: Matthews' correlation and F1-multi.

    \b
    karat analyse word-tags --gold dev.tags predicted.tags
    """
    request = WordTagsRequest(gold=gold, predicted=system_arguments(predicted))
    run(wanted, lambda _: judge_tags(request))
