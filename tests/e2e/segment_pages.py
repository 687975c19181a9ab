"""Pages with nothing but segments, and what a reader sees on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tests.browser import TIMEOUT

from karat.analysis.segment_view import MeasuredSegments, SegmentView
from karat.identity import Identity
from karat.report.page.parts import Made, Page
from karat.report.page.segments import segment_section
from karat.report.page.shell import render

STEP = 50
"""Milliseconds between two looks at a page."""


def segments_page(view: SegmentView) -> str:
    """A page with the segments of a view."""
    return render(Page("Segments", Made(), segments=segment_section(view)))


def write_page(path: Path, view: SegmentView) -> Path:
    """A file with such a page."""
    path.write_text(segments_page(view), encoding="utf-8")
    return path


def scored(systems: Sequence[str], scores: np.ndarray, name: str = "quality") -> MeasuredSegments:
    """Scores that came from elsewhere: one row of `scores` for each system."""
    return MeasuredSegments(Identity.of_scores(name), dict(zip(systems, scores, strict=True)))


def ready(page: Any) -> Any:
    """The page, once all segments are unpacked."""
    page.wait_for_selector("#segment-browser:not([hidden])")
    return page


def shown_numbers(page: Any) -> list[int]:
    """The numbers of the rows that are drawn, in order."""
    return [int(text) for text in page.locator(".row-number").all_text_contents()]


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true; the page's policy lets nobody else evaluate it again and again."""
    for _ in range(TIMEOUT // STEP):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(STEP)
    raise AssertionError(f"the page never came to {expression}")
