"""WMT's XML: source, reference and hypothesis of a document."""

from __future__ import annotations

from xml.sax.saxutils import escape

from tests.contract.readers.base import XML, Row, Sample


def _wmt(rows: list[Row]) -> bytes:
    def column(tag: str, texts: list[str]) -> str:
        segments = "".join(f'<seg id="{i}">{escape(text)}</seg>\n' for i, text in enumerate(texts, 1))
        return f"<{tag}><p>\n{segments}</p></{tag.split()[0]}>\n"

    sources, references, hypotheses = (list(texts) for texts in zip(*rows, strict=True))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="t"><doc id="d">\n'
        + column('src lang="en"', sources)
        + column('ref lang="de" translator="A"', references)
        + column('hyp language="de" system="sys"', hypotheses)
        + "</doc></dataset>\n"
    ).encode()


SAMPLES = {"wmt": Sample(".xml", _wmt, XML)}
