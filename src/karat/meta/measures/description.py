"""What a measure's class says about itself, taken apart for the docs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.docstrings import sectioned

if TYPE_CHECKING:
    from karat.meta.measures.base import AgreementMeasure

SECTIONS = ("Formula", "Use when", "Do not use when", "What karat does", "Example")


@dataclass(frozen=True)
class MeasureDescription:
    """A measure in words: a sentence, and the sections of its docstring."""

    name: str
    title: str
    family: str
    summary: str
    citation: str
    higher_is_better: bool
    sections: dict[str, str]


def describe_measure(measure: AgreementMeasure) -> MeasureDescription:
    """Take a measure's docstring apart; a section that is missing is an error of the measure's author."""
    docstring = sectioned(type(measure), SECTIONS)
    return MeasureDescription(
        name=measure.name,
        title=measure.title,
        family=measure.family,
        summary=docstring.summary,
        citation=measure.citation,
        higher_is_better=measure.higher_is_better,
        sections=docstring.sections,
    )
