"""`karat analyse`: where scores come from; each analysis is a command of its own."""

from __future__ import annotations

import click

from karat.cli import coverage, multi_reference, word_tags
from karat.cli.command import KaratGroup


@click.group(cls=KaratGroup)
def command() -> None:
    """Look into texts and scores: what references share, and where systems differ."""


command.add_command(coverage.command, "coverage")
command.add_command(multi_reference.command, "multi-reference")
command.add_command(word_tags.command, "word-tags")
