"""What a metric's class says about itself, taken apart for the command line and the docs."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from importlib.resources import files

from karat.docstrings import sectioned
from karat.metrics.base import Metric, format_value
from karat.metrics.framework.values import Kind, kinds
from karat.quick_dataclasses import dataclass

SECTIONS = ("Formula", "Use when", "Do not use when", "Known failure", "Example")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a metric."""

    name: str
    type: str
    default: str
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True)
class Description:
    """A metric in words: a sentence, the sections of its docstring, its parameters, and what it cites, in full."""

    name: str
    display_name: str
    family: str
    summary: str
    citation: str
    reference: str
    higher_is_better: bool
    sections: dict[str, str]
    parameters: tuple[Parameter, ...]
    aliases: dict[str, str]


@cache
def references() -> dict[str, str]:
    """What metrics cite, in full, by their keys; made from `docs/references.bib`."""
    text = files(__package__).joinpath("citations.json").read_text(encoding="utf-8")
    known: dict[str, str] = json.loads(text)
    return known


def describe(cls: type[Metric]) -> Description:
    """Take a metric's docstring and fields apart; a section that is missing is an error of the metric's author."""
    docstring = sectioned(cls, SECTIONS)
    return Description(
        name=cls.name,
        display_name=cls().display_name,
        family=cls.family,
        summary=docstring.summary,
        citation=cls.citation,
        reference=references().get(cls.citation, cls.citation),
        higher_is_better=cls.higher_is_better,
        sections=docstring.sections,
        parameters=parameters(cls),
        aliases={alias: cls(**values).spec for alias, values in cls.aliases.items()},
    )


_KINDS = {bool: "true|false", int: "whole number", float: "number", str: "text"}


def kind_in_words(kind: Kind) -> str:
    """What a parameter takes, for people who write specs.

    >>> kind_in_words(Kind(float, False, True, (0, 1))), kind_in_words(Kind(float, True, False))
    ('number from 0 to 1', 'list of numbers')
    """
    name = f"list of {_KINDS[kind.type]}s" if kind.is_list else _KINDS[kind.type]
    return f"{name} {kind.range_in_words}".rstrip()


def parameters(cls: type[Metric]) -> tuple[Parameter, ...]:
    """The parameters of a metric, in the order in which specs write them."""
    known = kinds(cls)
    return tuple(
        Parameter(
            name=field.name,
            type=kind_in_words(known[field.name]),
            default="" if field.default is None else format_value(field.default),
            choices=field.metadata["choices"] or (),
            help=field.metadata["help"],
        )
        for field in dataclasses.fields(cls)
    )
