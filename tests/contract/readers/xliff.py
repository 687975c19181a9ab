"""XLIFF: sources with their targets."""

from __future__ import annotations

from xml.sax.saxutils import escape

from tests.contract.readers.base import XML, Row, Sample


def _xliff(rows: list[Row]) -> bytes:
    units = "".join(
        f'<trans-unit id="{i}"><source>{escape(source)}</source><target>{escape(target)}</target></trans-unit>\n'
        for i, (source, target, _) in enumerate(rows, 1)
    )
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        f'<file original="d" source-language="en" target-language="de"><body>\n{units}</body></file></xliff>\n'
    ).encode()


SAMPLES = {"xliff": Sample(".xlf", _xliff, XML, "st")}
