"""`karat analyse`: where scores come from; each analysis is a command of its own."""

from __future__ import annotations

import click

from karat.cli.command import LazyGroup

MODULES = {
    "all": "karat.cli.analyse_all",
    "buckets": "karat.cli.buckets",
    "coverage": "karat.cli.coverage",
    "errors": "karat.cli.word_errors",
    "findings": "karat.cli.flaws",
    "multi-reference": "karat.cli.multi_reference",
    "ngrams": "karat.cli.ngrams",
    "segments": "karat.cli.reading",
    "word-tags": "karat.cli.word_tags",
    "words": "karat.cli.words",
}


@click.command(cls=LazyGroup, modules=MODULES)
def command() -> None:
    """Look into texts and scores: what references share, and where systems differ."""
