"""Several runs of systems on a command line: `NAME=RUN1,RUN2`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.cli.inputs import InputOptions, run_arguments
from karat.cli.testing import ScoreFiles, texts_of
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.service.comparing import RUN

if TYPE_CHECKING:
    from karat.service.inputs import Input


@dataclass(frozen=True)
class GivenSystems:
    """The texts of all systems, and the names of the runs of each where one has several."""

    texts: Input | None
    runs: tuple[tuple[str, tuple[str, ...]], ...] = ()


def given_systems(given: InputOptions, files: ScoreFiles) -> GivenSystems:
    """The systems of a command line; each run is one of its own, under its own name."""
    if given.corpus is not None or files.only(given):
        return GivenSystems(texts_of(given, files))
    runs = run_arguments(given.systems)
    if all(len(paths) == 1 for _, paths in runs):
        return GivenSystems(texts_of(given, files))
    names = [name for name, _ in runs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two systems are named {name!r}: give all runs of a system at once, separated by commas")
    if files.scores:
        raise InputError("--scores cannot be told to belong to one of several runs: compare the runs without it")
    named = {
        name: {RUN.format(name=name, number=number): path for number, path in enumerate(paths, 1)}
        for name, paths in runs
    }
    texts = given.texts_of(tuple(run for of_system in named.values() for run in of_system.items()))
    return GivenSystems(texts, tuple((name, tuple(of_system)) for name, of_system in named.items()))


def refuse_runs(given: InputOptions, command: str) -> None:
    """Refuse several runs of one system where the command knows none."""
    for name, paths in run_arguments(given.systems):
        if len(paths) > 1:
            runs = ",".join(paths)
            raise InputError(
                f"{name}={runs}: karat {command} takes no runs, which karat compare does: give one file of each system"
            )
