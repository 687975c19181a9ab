"""How a corpus is written, and how a writer is found."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from karat.corpus.files import FilePath
from karat.corpus.model import Corpus
from karat.errors import SpecError, did_you_mean
from karat.whole_file import write_whole_file

Writer = Callable[[Corpus], Iterator[str]]
"""Turns a corpus into lines, without their ends."""

_registered: dict[str, Writer] = {}


def register_writer(name: str) -> Callable[[Writer], Writer]:
    """Decorator: make a writer known under its name, which is also the suffix of its files."""

    def keep(writer: Writer) -> Writer:
        if name in _registered:
            raise SpecError(f"there are two writers named {name!r}")
        _registered[name] = writer
        return writer

    return keep


@cache
def writers() -> dict[str, Writer]:
    """Every writer karat has, by name."""
    package = importlib.import_module("karat.corpus.writers")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"karat.corpus.writers.{module.name}")
    return dict(sorted(_registered.items()))


def write_corpus(corpus: Corpus, path: FilePath, format: str | None = None) -> None:  # noqa: A002
    """Write a corpus; the suffix tells the format where none is named."""
    target = Path(path)
    name = format or target.suffix.lower().removeprefix(".")
    if name not in writers():
        raise SpecError(f"karat cannot write the format {name!r}.{did_you_mean(name, writers())}")
    text = "".join(f"{line}\n" for line in writers()[name](corpus))
    write_whole_file(target, text.encode())
