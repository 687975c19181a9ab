"""The commands that two versions are measured by are commands of karat."""

from __future__ import annotations

import importlib

import click
import pytest

from karat.cli import COMMANDS

versions = importlib.import_module("benchmarks.versions")


@pytest.mark.parametrize("name", ["score", "compare", "rank", "human", "meta"])
def test_benchmarked_commands_have_the_options_that_they_are_given(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "data_set", lambda directory: versions.SCRIPT.parent / directory)
    command, *arguments = versions.commands()[f"karat {name}"]
    assert command in COMMANDS
    found: click.Command = importlib.import_module(f"karat.cli.{command}").command
    options = {spelling for option in found.params for spelling in option.opts}
    assert {argument for argument in arguments if argument.startswith("-")} <= options
