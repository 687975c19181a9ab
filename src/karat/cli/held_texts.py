"""The options of commands that only look at texts: systems and references may each do without the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import click

from karat.cli.inputs import (
    COLUMN_HELP,
    CORPUS_HELP,
    FORMAT_HELP,
    LANGUAGES_HELP,
    REFERENCES_HELP,
    THREADS_HELP,
    Command,
    column_pairs,
    packed,
)
from karat.cli.parameters import INPUT, SYSTEM, THREADS, only_one
from karat.errors import InputError
from karat.service.inputs import CorpusFile, Files, Input
from karat.service.vocabulary.texts import system_arguments


@dataclass(frozen=True)
class HeldTexts:
    """What the command line says about texts; the source only where a command asks for it."""

    systems: tuple[str, ...]
    references: tuple[str, ...]
    corpus: str | None
    language_pair: str | None
    input_format: str | None
    named_columns: tuple[str, ...]
    threads: int | None
    source: str | None = None

    def texts(self, lacking: str | None = None) -> Input:
        """Where the texts are; `lacking` says what is missing, where files lack what the command cannot do without."""
        columns = column_pairs(self.named_columns)
        if self.corpus is not None:
            if self.references or self.source:
                raise InputError("--corpus holds everything: leave out -r and -s")
            return CorpusFile(self.corpus, self.input_format, self.language_pair, self.systems, columns)
        if lacking is not None:
            raise InputError(lacking)
        named = system_arguments(self.systems)
        return Files(self.references, named, self.source, None, self.input_format, self.language_pair, columns)


def held_texts(*more: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Give a command the options of `HeldTexts`, and some more that belong to it, as its argument `given`."""

    def with_options(command: Command) -> Command:
        return packed(
            command,
            "given",
            HeldTexts,
            click.argument("systems", type=SYSTEM, nargs=-1, metavar="[[NAME=]SYSTEM...]"),
            click.option(
                "-r", "--reference", "references", type=INPUT, multiple=True, metavar="FILE", help=REFERENCES_HELP
            ),
            *more,
            click.option("--corpus", type=INPUT, multiple=True, callback=only_one, metavar="PATH", help=CORPUS_HELP),
            click.option("-l", "--language-pair", metavar="XX-YY", help=LANGUAGES_HELP),
            click.option("--input-format", metavar="NAME", help=FORMAT_HELP),
            click.option("--column", "named_columns", multiple=True, metavar="WHAT=NAME", help=COLUMN_HELP),
            click.option("-j", "--threads", type=THREADS, help=THREADS_HELP),
        )

    return with_options
