"""What every command of karat has: `--debug`, near names for a misspelt one, and inputs that it does not overwrite."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from karat.cli.ending import Session
from karat.cli.parameters import InputPath, NamedFile, OutputPath
from karat.errors import InputError, did_you_mean


def _remember(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001
    if value:
        ctx.ensure_object(Session).debug = True


_DEBUG = click.Option(
    ["--debug"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_remember,
    help="Show the traceback of an error.",
)


WRITTEN = "karat.written"
"""Under which a context keeps what was written on the command line, in its order."""


class KaratCommand(click.Command):
    """A command that never writes over a file it reads, nor over its own output."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return _with_debug(super().get_params(ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[WRITTEN] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        inputs, outputs = list(_files(ctx, InputPath)), list(_files(ctx, OutputPath))
        for output in outputs:
            if (
                sum(_leads_to(output) == _leads_to(other) for other in outputs) > 1
                and not Path(output).is_char_device()
            ):
                raise InputError(f"{output} would be written twice, and hold the second output only: name two files")
            if any(_is_same(output, path) for path in inputs):
                raise InputError(f"{output} is read, so it is not written to: name another file")
        return super().invoke(ctx)


class KaratGroup(click.Group):
    """A group of commands that knows near names for one that it does not have."""

    command_class = KaratCommand

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return _with_debug(super().get_params(ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            raise click.UsageError(f"there is no command {name!r}.{did_you_mean(name, self.list_commands(ctx))}", ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(KaratGroup):
    """A group that loads a command only when it is asked for: `modules` tells where each is."""

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self._modules:
            return None
        command: click.Command = importlib.import_module(self._modules[cmd_name]).command
        return command


def words_and_files() -> tuple[list[str], list[str]]:
    """The command at hand as it was written, and the files that it reads."""
    ctx = click.get_current_context()
    return [*ctx.command_path.split(), *ctx.meta.get(WRITTEN, ())], list(_files(ctx, InputPath))


def _with_debug(params: list[click.Parameter]) -> list[click.Parameter]:
    """The parameters with `--debug` before `--help`."""
    return [*params[:-1], _DEBUG, params[-1]]


def _files(ctx: click.Context, kind: type[NamedFile]) -> Iterator[str]:
    """The files that parameters of this kind may name."""
    for param in ctx.command.params:
        if isinstance(param.type, kind):
            given = ctx.params.get(param.name or "")
            for value in given if isinstance(given, tuple) else (given,):
                yield from param.type.paths(value) if value else ()


def _leads_to(output: str) -> str:
    """The file that a name leads to, whether there is one yet or not."""
    return os.path.realpath(output)


def _is_same(output: str, path: str) -> bool:
    """Whether two names are of one file that can be overwritten."""
    try:
        return Path(output).is_file() and Path(output).samefile(path)
    except OSError:
        return False
