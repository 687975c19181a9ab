r"""Plain text: one segment per line.

Only ``\n`` and ``\r\n`` end a line. Form feeds, U+2028, U+0085 and a lone ``\r`` are text.
"""

from __future__ import annotations

from karat.corpus.columns import PartialColumn
from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.linefile import LineFile
from karat.corpus.readers.base import DEFAULT, Reader, register


@register
class TextReader(Reader):
    """Reads plain text."""

    name = DEFAULT
    description = "plain text, one segment per line"
    suffixes = (".txt",)

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:  # noqa: ARG002
        """One column, which may be anything: a source, a reference, a system's output."""
        return Contents(file=file, text=PartialColumn(LineFile(file).rest()))
