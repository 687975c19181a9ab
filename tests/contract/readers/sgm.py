"""SGM: sets of sources, references and hypotheses."""

from __future__ import annotations

from xml.sax.saxutils import escape

from tests.contract.readers.base import XML, Row, Sample


def _sgm(rows: list[Row]) -> bytes:
    parts = []
    kinds = (("srcset", ""), ("refset", ' sysid="A"'), ("tstset", ' sysid="sys"'))
    for (tag, name), texts in zip(kinds, zip(*rows, strict=True), strict=True):
        segments = "".join(f'<seg id="{i}"> {escape(text)} </seg>\n' for i, text in enumerate(texts, 1))
        parts.append(f'<{tag} setid="t" srclang="en" trglang="de"><doc docid="d"{name}>\n{segments}</doc></{tag}>\n')
    return "".join(parts).encode()


SAMPLES = {"sgm": Sample(".sgm", _sgm, XML)}
