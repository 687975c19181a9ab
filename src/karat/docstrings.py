"""Docstrings taken apart: what a registered class says about itself becomes its page and its help."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

from karat.errors import SpecError
from karat.quick_dataclasses import dataclass

_HEADING = re.compile(r"^(.+)\n-{3,}\n", re.MULTILINE)


@dataclass(frozen=True)
class Docstring:
    """What stands before the first heading, on one line, and the text under each heading."""

    summary: str
    sections: dict[str, str]


def sectioned(documented: type, required: Sequence[str]) -> Docstring:
    """The docstring of a class by its headings; a section that is missing is an error of the author of the class.

    >>> class Ratio:
    ...     '''One count over another.
    ...
    ...     Formula
    ...     -------
    ...     a / b
    ...     '''
    >>> sectioned(Ratio, ["Formula"])
    Docstring(summary='One count over another.', sections={'Formula': 'a / b'})
    """
    before, *titles_and_bodies = _HEADING.split(inspect.getdoc(documented) or "")
    titles, bodies = titles_and_bodies[::2], titles_and_bodies[1::2]
    sections = {title.strip(): body.strip() for title, body in zip(titles, bodies, strict=True)}
    if missing := [title for title in required if title not in sections]:
        raise SpecError(f"the docstring of {documented.__name__} lacks the sections: {', '.join(missing)}")
    return Docstring(" ".join(before.split()), sections)
