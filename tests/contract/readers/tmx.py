"""TMX: sources with their targets."""

from __future__ import annotations

from xml.sax.saxutils import escape

from tests.contract.readers.base import XML, Row, Sample


def _tmx(rows: list[Row]) -> bytes:
    units = "".join(
        f'<tu><tuv xml:lang="en"><seg>{escape(source)}</seg></tuv>'
        f'<tuv xml:lang="de"><seg>{escape(target)}</seg></tuv></tu>\n'
        for source, target, _ in rows
    )
    return f'<tmx version="1.4"><header srclang="en"/><body>\n{units}</body></tmx>\n'.encode()


SAMPLES = {"tmx": Sample(".tmx", _tmx, XML, "st")}
