"""The command `karat`: one file per subcommand, found when it is asked for."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click

from karat.address_space import RoomToLoad, free_bytes
from karat.cli.command import LazyGroup
from karat.cli.ending import Session, run_to_end
from karat.cli.streams import say
from karat.version import VERSION

COMMANDS = {
    "analyse": "Look into texts and scores: what references share.",
    "audit": "Tell what BLEU cannot see, and how far to trust it.",
    "campaign": "Collect judgements of people on a server of your own.",
    "combine": "Combine metrics into one, learnt from judgements.",
    "compare": "Compare systems with a baseline: which differences are real?",
    "convert": "Convert ratings from one format to another.",
    "human": "Tell what people said: scores, ranks, agreement, raters.",
    "mbr": "Choose among several hypotheses of each segment the one expected to be best.",
    "meta": "Tell how well metrics agree with people.",
    "metrics": "List the metrics, or explain one.",
    "pairwise": "Score every string against every other, and tell how alike they are.",
    "power": "Tell which differences a test set can show.",
    "rank": "Rank systems, with clusters that cannot be told apart.",
    "report": "Write one page about systems: who is best, how sure, and where.",
    "score": "Score systems against references.",
    "tune": "Tune the parameters of a metric on judgements of people.",
}
COMPLETION = "_KARAT_COMPLETE"
"""The variable in which a shell asks for completions."""
COMMANDS_WITHOUT_BLAS_THREADS = {
    "analyse",
    "compare",
    "convert",
    "metrics",
    "pairwise",
    "power",
    "rank",
    "report",
    "score",
}
"""Commands that multiply no matrices, or small ones, or whose own threads do: BLAS's would wait for each other."""
BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""The variables by which a user tells NumPy's BLAS how many threads to start; the first is OpenBLAS's own."""
LITTLE_ROOM = 4 << 30
"""Bytes of a limited address space in which the threads of libraries, a region each, could not all begin."""
WITHOUT_THREADS = {"POLARS_MAX_THREADS": "1", "_RJEM_MALLOC_CONF": "background_thread:false"}
"""What keeps polars and its allocator from starting threads."""


class _Commands(LazyGroup):
    """Tells what its commands are for without loading them, so that `karat --help` stays quick."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.command(
    cls=_Commands,
    modules={name: f"karat.cli.{name}" for name in COMMANDS},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(VERSION, message="karat %(version)s")
def group() -> None:
    """Machine translation evaluation: is this translation any good, and how sure are we?"""


def _start_no_idle_threads(arguments: list[str]) -> None:
    """Let libraries start no threads where there is no room for them, nor BLAS where nothing needs them.

    They cost a small command a third of its time.
    """
    free = free_bytes()
    is_tight = free is not None and free < LITTLE_ROOM
    if is_tight:
        os.environ.update(WITHOUT_THREADS | os.environ)
        sys.meta_path.insert(0, RoomToLoad())
    alone = is_tight or (bool(arguments) and arguments[0] in COMMANDS_WITHOUT_BLAS_THREADS)
    if alone and "numpy" not in sys.modules and not any(name in os.environ for name in BLAS_THREADS):
        os.environ[BLAS_THREADS[0]] = "1"


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
        _start_no_idle_threads(given)
        with _own_warnings(), group.make_context("karat", given, obj=session) as context:
            return group.invoke(context)

    sys.exit(run_to_end(work))
