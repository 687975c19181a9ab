"""The charts of an audit: length against the number of orderings."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from karat.report.audit_plots import orderings_plot
from karat.report.page.parts import Exhibit, Picture, records_table

if TYPE_CHECKING:
    from karat.analysis.audit.model import Audit

HEADINGS = {
    "tokens": "Tokens",
    "phrases": "Phrases",
    "log10_orderings": "Log10 of orderings",
    "segments": "Segments",
}


def orderings_pictures(audit: Audit, key: str) -> tuple[Picture, ...]:
    """Length against orderings, of the systems with most and with fewest of these."""
    pictures = []
    for number, system in enumerate(audit.extremes, 1):
        records = tuple({"system": system, **asdict(point)} for point in audit.points(system))
        name = f"{key}-orderings-{number}"
        numbers = Exhibit(f"{name}-numbers", records_table(records, HEADINGS), records)
        pictures.append(Picture(name, orderings_plot(audit, system), numbers))
    return tuple(pictures)
