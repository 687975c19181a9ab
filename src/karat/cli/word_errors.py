"""`karat analyse errors`: errors of words by class."""

from __future__ import annotations

import click

from karat.cli.analysing import TOKEN_FILE, WordOptions, word_options
from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, named_files, output_options
from karat.cli.parameters import SYSTEM
from karat.cli.running import run
from karat.service.analysing import ErrorsRequest, analyse_errors

BASE_FORMS_HELP = "Base forms of the words of a system or reference, laid out as labels are; else stems are taken."


@click.command(cls=KaratCommand)
@word_options
@click.option("--base-forms", type=SYSTEM, multiple=True, metavar=TOKEN_FILE, help=BASE_FORMS_HELP)
@click.option("--words", "each_word", is_flag=True, help="With --json: the class of every word.")
@output_options
def command(
    given: InputOptions,
    base_forms: tuple[str, ...],
    each_word: bool,
    options: WordOptions,
    wanted: OutputOptions,
) -> None:
    """Sort errors of words into classes: inflection, order, missing, extra and lexical errors.

    Error rates are sums over these classes, and over labels of words, such as parts of speech.

    \b
    karat analyse errors -r ref.txt base.txt new.txt -l de-en
    karat analyse errors -r ref.txt new.txt --labels reference=ref.conllu
    karat analyse errors -r ref.txt new.txt --base-forms reference=ref.base --base-forms new=new.base --words --json
    """
    request = ErrorsRequest(
        **options.of(given),
        base_forms=named_files("--base-forms", base_forms),
        each_word=each_word,
    )
    run(wanted, lambda listeners: analyse_errors(request, listeners))
