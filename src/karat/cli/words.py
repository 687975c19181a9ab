"""`karat analyse words`: which words systems get right."""

from __future__ import annotations

import click

from karat.cli.analysing import WordOptions, word_options
from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, output_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.service.analysing import WORD_KINDS, WordsRequest, analyse_words

FREQUENCIES_HELP = "A text to count words in, such as training data, instead of the references."


@click.command(cls=KaratCommand)
@word_options
@click.option("--by", type=click.Choice(WORD_KINDS), multiple=True, help="What words are sorted by; repeat.")
@click.option("--frequencies", type=INPUT, metavar="FILE", help=FREQUENCIES_HELP)
@output_options
def command(
    given: InputOptions,
    by: tuple[str, ...],
    frequencies: str | None,
    options: WordOptions,
    wanted: OutputOptions,
) -> None:
    """Tell which words systems get right: rare and frequent ones, names, numbers, function words, labels.

    A word is right if the reference has it, in any place; with several references, the closest one by edits counts.

    \b
    karat analyse words -r ref.txt base.txt new.txt -l de-en
    karat analyse words -r ref.txt base.txt new.txt --by frequency --frequencies train.txt
    karat analyse words -r ref.txt new.txt --labels reference=ref.conllu --labels new=new.conllu
    """
    request = WordsRequest(
        **options.of(given),
        by=by,
        frequencies=frequencies,
    )
    run(wanted, lambda listeners: analyse_words(request, listeners))
