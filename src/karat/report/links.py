"""Links from tables to the segments that show what they say; a page without segments leaves them out."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote


def segments_link(**asked: str) -> str:
    """The address of segments by what is asked of them: filters by name, the two systems, a metric.

    >>> segments_link(bucket="source-length: <10", sort="-difference")
    '#segments?bucket=source-length%3A%20%3C10&sort=-difference'
    """
    # What is no character is one in no address either: browsers read it as the sign for an unknown one.
    pairs = (f"{key}={quote(value, safe='', errors='replace')}" for key, value in asked.items())
    return f"#segments?{'&'.join(pairs)}"


def segment_link(number: int, systems: Sequence[str] = ()) -> str:
    """The address of one segment by its number, from 1, with up to two systems to look at.

    >>> segment_link(3), segment_link(3, ["neural", "old one"])
    ('#s3', '#s3?a=neural&b=old%20one')
    """
    asked = segments_link(**dict(zip("ab", systems, strict=False)))
    return f"#s{number}{asked.removeprefix('#segments')}" if systems else f"#s{number}"
