"""The commands of karat, as click knows them, and a way to run them in this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

import click

from karat.cli import group, main


class Outcome(NamedTuple):
    """What a run of karat left behind."""

    code: int
    out: str
    err: str


def commands(parent: click.Group = group, prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    """All commands by the words that call them; groups are only the way to theirs."""
    context = click.Context(parent)
    for name in parent.list_commands(context):
        command = parent.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix}{name} ")
        elif command is not None:
            yield f"{prefix}{name}", command


def run(*arguments: str, stdin: bytes = b"") -> Outcome:
    """Run the command line in this process."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    code: str | int | None = None
    saved, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(stdin), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main(list(arguments))
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.stdin = saved
    return Outcome(int(code or 0), _text(out), _text(err))


def _text(stream: TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, BytesIO)
    return buffer.getvalue().decode("utf-8")
