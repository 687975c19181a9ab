"""`karat analyse findings`: flaws of single segments."""

from __future__ import annotations

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, output_options, text_options
from karat.cli.parameters import INPUT
from karat.cli.running import run
from karat.service.flaws import FlawsRequest, find_flaws

TERMS_HELP = "Terms as TSV: a source term, a tab, its translations with | between them."


@click.command(cls=KaratCommand)
@text_options
@click.option("--terms", type=INPUT, metavar="FILE", help=TERMS_HELP)
@click.option("--identify-language", is_flag=True, help="Find segments in other languages, by karat[langid].")
@click.option("--show", type=click.IntRange(0), default=20, show_default=True, help="Findings shown; JSON has all.")
@output_options
def command(
    given: InputOptions,
    terms: str | None,
    identify_language: bool,
    show: int,
    wanted: OutputOptions,
) -> None:
    """Find what is wrong with single segments, without a judge.

    Loops, untranslated text, wrong scripts, numbers, addresses, names and tags that were lost or invented, brackets and
    quotes that do not pair up, output that is cut off, too long or too short, and segments far below what all other
    systems get. Outputs are held against the source where it is given, and a reference that does the same excuses
    them.

    \b
    karat analyse findings -s source.txt -r ref.txt a.txt b.txt -l de-en
    karat analyse findings --corpus all.jsonl --terms terms.tsv --json
    """
    request = FlawsRequest(
        texts=given.texts(source_is_enough=True),
        terms=terms,
        identify_languages=identify_language,
        shown=show,
        threads=given.threads,
    )
    run(wanted, lambda _: find_flaws(request))
