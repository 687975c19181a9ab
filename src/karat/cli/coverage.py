"""`karat analyse coverage`: what several references share."""

from __future__ import annotations

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import (
    CORPUS_HELP,
    FORMAT_HELP,
    LANGUAGES_HELP,
    REFERENCES_HELP,
    THREADS_HELP,
    OutputOptions,
    output_options,
)
from karat.cli.parameters import INPUT, SYSTEM, THREADS
from karat.cli.running import run
from karat.errors import InputError
from karat.service.coverage import CoverageRequest, cover
from karat.service.inputs import CorpusFile, Files, Input
from karat.service.vocabulary.texts import system_arguments


@click.command(cls=KaratCommand)
@click.argument("systems", type=SYSTEM, nargs=-1, metavar="[[NAME=]SYSTEM...]")
@click.option("-r", "--reference", "references", type=INPUT, multiple=True, metavar="FILE", help=REFERENCES_HELP)
@click.option("--corpus", type=INPUT, metavar="PATH", help=CORPUS_HELP)
@click.option("-l", "--language-pair", metavar="XX-YY", help=LANGUAGES_HELP)
@click.option("--input-format", metavar="NAME", help=FORMAT_HELP)
@click.option("--max-order", type=click.IntRange(1, 9), default=4, show_default=True, help="The longest n-grams.")
@click.option("--tokenize", metavar="NAME", help="How text is cut into words; 13a, or what the language calls for.")
@click.option("--lowercase", is_flag=True, help="Ignore case.")
@click.option("-j", "--threads", type=THREADS, help=THREADS_HELP)
@output_options
def command(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    corpus: str | None,
    language_pair: str | None,
    input_format: str | None,
    max_order: int,
    tokenize: str | None,
    lowercase: bool,
    threads: int | None,
    wanted: OutputOptions,
) -> None:
    """Tell how many n-grams are in one, in two, ... of the references.

    The n-grams of the references come first, then those that each system shares with them, then what fewer references
    would have shown.

    \b
    karat analyse coverage -r refA.txt -r refB.txt -r refC.txt
    karat analyse coverage -r refA.txt -r refB.txt sys.txt --max-order 2 --format csv
    """
    texts = _texts(systems, references, corpus, language_pair, input_format)
    request = CoverageRequest(texts=texts, max_order=max_order, tokenize=tokenize, lowercase=lowercase, threads=threads)
    run(wanted, lambda _: cover(request))


def _texts(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    corpus: str | None,
    language_pair: str | None,
    input_format: str | None,
) -> Input:
    if corpus is not None:
        if references:
            raise InputError("--corpus holds everything: leave out -r")
        return CorpusFile(corpus, input_format, language_pair, systems)
    if not references:
        raise InputError("no reference was given: add -r FILE (repeat it for several references), or --corpus PATH")
    return Files(references, system_arguments(systems), format=input_format, language_pair=language_pair)
