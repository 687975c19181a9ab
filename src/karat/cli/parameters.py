"""What the values of options and arguments are: files to read and to write, systems, metrics, counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from karat.errors import InputError

MOST_THREADS = 1024
MOST_DRAWS = 10_000_000
THREADS = click.IntRange(1, MOST_THREADS)
DRAWS = click.IntRange(1, MOST_DRAWS)

_BETWEEN_SPECS = re.compile(r",(?![^(]*\))")
"""A comma that is not between the parentheses of a spec."""


class NamedFile(click.types.StringParamType):
    """A file."""

    name = "file"

    def paths(self, value: str) -> Iterator[str]:
        """The files that the value may name."""
        yield value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        return [CompletionItem(incomplete, type="file")]


class OutputPath(NamedFile):
    """A file that is written."""


class InputPath(NamedFile):
    """A file, or a directory, that is read."""

    def paths(self, value: str) -> Iterator[str]:
        """The file itself, and those that it names if it is a manifest."""
        yield value
        if value.endswith(".toml"):
            yield from _named_in_manifest(Path(value))


class SystemPath(InputPath):
    """The output of a system, perhaps with its name, perhaps of several runs: `[NAME=]FILE[,FILE...]`."""

    name = "system"

    def paths(self, value: str) -> Iterator[str]:
        """What may be a file: the value as it stands, without a name, and run by run."""
        yield value
        files = value.partition("=")[2] or value
        yield from (files, *files.split(","))


class MetricSpec(click.types.StringParamType):
    """A metric by its spec."""

    name = "metric"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        from karat.service.vocabulary.metrics import metric_names

        return [CompletionItem(name) for name in metric_names() if name.startswith(incomplete)]


INPUT, SYSTEM, OUTPUT, METRIC = InputPath(), SystemPath(), OutputPath(), MetricSpec()


def single_specs(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG001
    """Each spec by itself, where several were joined by commas.

    >>> single_specs(None, None, ["bleu,chrf(word_order=2,beta=3)", "ter"])
    ('bleu', 'chrf(word_order=2,beta=3)', 'ter')
    """
    return tuple(spec for value in values for spec in _BETWEEN_SPECS.split(value))


def only_one(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> str | None:  # noqa: ARG001
    """The value of an option that may stand once: another one would be ignored."""
    if len(values) > 1:
        hint = "; a pattern in quotes, 'parts/*.parquet', names many files" if param.name == "corpus" else ""
        raise InputError(f"{param.opts[-1]} is given {len(values)} times, but only one would be read: give one{hint}")
    return values[0] if values else None


_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")


def _named_in_manifest(manifest: Path) -> Iterator[str]:
    """Whatever stands in quotes; whoever reads the manifest says what is wrong with it."""
    try:
        content = manifest.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return
    yield from (str(manifest.parent / (match[1] or match[2] or "")) for match in _QUOTED.finditer(content))
