"""Turns the formulas of metrics and measures into MathML when the site is built: browsers need no script for them."""

from __future__ import annotations

import re
from typing import Any

from latex2mathml.converter import convert

DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"\$([^$\n]+)\$")
CODE = re.compile(r"(```.*?```|`[^`]*`)", re.DOTALL)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by MkDocs for every page; only those of metrics and measures have formulas."""
    if not page.file.src_uri.startswith(("metrics/", "measures/")):
        return markdown
    parts = CODE.split(markdown)
    parts[::2] = [with_mathml(text) for text in parts[::2]]
    return "".join(parts)


def with_mathml(text: str) -> str:
    """Formulas on lines of their own, then those inside a line."""
    # A paragraph that starts with <math> would be taken for a block of HTML; one that starts with <span> is not.
    text = DISPLAYED.sub(lambda match: f"<div>{convert(match[1], display='block')}</div>", text)
    return INLINE.sub(lambda match: f"<span>{convert(match[1])}</span>", text)
