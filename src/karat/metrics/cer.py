"""CER: edits of characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.words.edits import ErrorRate

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class Cer(ErrorRate):
    r"""Character error rate: characters inserted, deleted and replaced, per reference character.

    Formula
    -------
    $$\mathrm{CER} = 100 \cdot \frac{\sum_i d(h_i, r_i)}{\sum_i |r_i|}$$

    $d$ is Levenshtein's distance over characters (Unicode code points), and $|r_i|$ a number of characters. White space
    at both ends of a segment never counts. White space within it counts as characters like others, unless
    ``whitespace=drop``. With no reference characters at all the score is 100 if there are edits and 0 otherwise. A
    segment with more than about 370,000 characters on both sides is refused.

    Of several references $r_i$ is the one with the lowest rate $d(h_i, r)/|r|$, the longer one at the same rate; an
    empty one has the rate 100 if there are edits and 0 otherwise. ``references=fewest-edits`` takes the one with the
    fewest edits, the first of those that are equally close.

    Use when
    --------
    Words are hard to tell apart or have many endings: speech and handwriting recognition, languages written without
    spaces, transliteration, and spelling of names.

    Do not use when
    ---------------
    Translations are free: most characters of two good paraphrases differ, and those that agree do so by chance.

    Known failure
    -------------
    Words without anything in common share letters, so unrelated sentences score well below 100. An accent that is
    written as a code point of its own costs an edit against the same letter as one code point: normalise both sides
    first.

    Example
    -------
    >>> rows = Cer().prepare(["the colour of money"]).rows(["the color of money"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[1, 19]], 5.26)
    """

    name: ClassVar[str] = "cer"
    citation: ClassVar[str] = "levenshtein-1966-binary"

    whitespace: str = parameter("keep", "whether white space between words counts", choices=("keep", "drop"))
    lowercase: bool = parameter(False, "ignore case")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "CER"

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Lowercase the references once."""
        spaces = self.whitespace == "keep"
        column = self._cased(references.column)

        def rows(hypotheses: TextColumn) -> Values:
            text = self._cased(hypotheses)
            return kernels.edit_character_rows(
                text.native,
                column.native,
                references.offsets,
                "levenshtein",
                choice=self.choice,
                spaces=spaces,
                threads=threads,
            )

        return rows

    def _cased(self, column: TextColumn) -> TextColumn:
        return column.lowered() if self.lowercase else column
