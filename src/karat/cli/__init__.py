"""The command `karat`: one file per subcommand, found when it is asked for."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click

from karat.cli.command import KaratGroup
from karat.cli.ending import Session, run_to_end
from karat.cli.streams import say

COMMANDS = {
    "analyse": "Look into texts and scores: what references share.",
    "compare": "Compare systems with a baseline: which differences are real?",
    "convert": "Convert ratings from one format to another.",
    "human": "Tell what people said: scores, ranks, agreement, raters.",
    "meta": "Tell how well metrics agree with people.",
    "metrics": "List the metrics, or explain one.",
    "power": "Tell which differences a test set can show.",
    "rank": "Rank systems, with clusters that cannot be told apart.",
    "score": "Score systems against references.",
    "tune": "Tune the parameters of a metric on judgements of people.",
}
COMPLETION = "_KARAT_COMPLETE"
"""The variable in which a shell asks for completions."""


class _Commands(KaratGroup):
    """Loads a subcommand only when it is run, so that `karat --help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"karat.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="karat", message="karat %(version)s")
def group() -> None:
    """Machine translation evaluation: is this translation any good, and how sure are we?"""


@contextmanager
def _own_warnings() -> Iterator[None]:
    """Show what is warned of in Python as all warnings are shown: a line on stderr, without a place in the code."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(f"karat: warning: {message}")
        yield


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; docs/exit-codes.md tells what the codes mean."""

    def work(session: Session) -> object:
        if instruction := os.environ.get(COMPLETION):
            from click.shell_completion import shell_complete

            return shell_complete(group, {}, "karat", COMPLETION, instruction)
        given = sys.argv[1:] if arguments is None else list(arguments)
        with _own_warnings(), group.make_context("karat", given, obj=session) as context:
            return group.invoke(context)

    sys.exit(run_to_end(work))
