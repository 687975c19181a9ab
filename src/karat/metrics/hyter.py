"""HyTER: edits to the best of all translations that a network holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.reading.networks import Networks
from karat.metrics.words.edits import ErrorRate
from karat.metrics.words.metric import WordMetric
from karat.text import TextColumn

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values

WIDEST_WINDOW = 8


@register
@dataclass(frozen=True, kw_only=True)
class Hyter(ErrorRate, WordMetric):
    r"""Edits per word of the best of exponentially many references, which a network holds.

    Formula
    -------
    $$\mathrm{HyTER} = 100 \cdot \frac{\sum_i d(h_i, y_i)}{\sum_i |y_i|}, \qquad
    y_i = \operatorname{arg\,min}_{y \in Y_i} \frac{d(h_i, y)}{|y|}$$

    $Y_i$ holds all strings of the networks of segment $i$, and $d$ is Levenshtein's distance over words. Of strings
    with the same rate $y_i$ is the longest; an empty one has the rate 100 if there are edits and 0 otherwise. So
    neither another network nor another alternative ever makes a segment worse. ``references=fewest-edits`` takes the
    string with the fewest edits, the longest of those. With one string for each segment this is WER.

    A network is a line of text with alternatives in brackets: ``[he|the man] [was|has been] shot``. Groups may be
    nested, and an alternative may be empty: ``[the [old|] man|he] [|has] left``. A bracket ends a word. The characters
    ``[``, ``]``, ``|`` and ``\`` themselves are written with a ``\`` before them. Text that is no network is refused
    with segment, reference and column. The shortest path through hypothesis and network together is found in time
    proportional to the words of both, however many strings there are. The lowest rate takes several such paths:
    in each an edit costs, and a word of the string gains, what makes the best string so far cost nothing. A network
    or hypothesis with more than 1,048,575 words is refused.

    ``window=k`` with $k > 1$ takes the best order of the hypothesis, at no cost, among those in which each word is one
    of the first $k$ that are left, counted from the first that is left.

    Use when
    --------
    Annotators have written down all translations they can think of as networks, so that a good paraphrase costs
    nothing; the distance to the closest one is then the number of edits that a translation really needs.

    Do not use when
    ---------------
    There are a few plain references: WER and TER read those as they are, and the gain is all in the networks.

    Known failure
    -------------
    Alternatives are chosen independently of each other, so that a network also accepts strings that nobody meant:
    ``[he|they] [was|were] shot`` holds two wrong sentences. And a network of a hundred groups is the work of hours.

    Example
    -------
    >>> hyter = Hyter().prepare(["[he|the man] [was|has been] shot [by [the|] police|]"])
    >>> rows = hyter.rows(["the man has shot by police"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[1, 7]], 14.29)
    """

    name: ClassVar[str] = "hyter"
    citation: ClassVar[str] = "dreyer-marcu-2012-hyter"
    wants: ClassVar[frozenset[str]] = frozenset({"networks"})

    window: int = parameter(
        1, "how many words the hypothesis may be reordered among; 1 leaves it as it is", within=(1, WIDEST_WINDOW)
    )

    @property
    def display_name(self) -> str:
        """The name as the paper writes it."""
        return "HyTER"

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Read the networks once, and tokenise their pieces."""
        networks = Networks.of(references)
        steps, starts = networks.arrays()
        pieces = self.tokens(TextColumn.of(networks.pieces), threads)

        def rows(hypotheses: TextColumn) -> Values:
            tokens = self.tokens(hypotheses, threads)
            return kernels.hyter_rows(
                tokens,
                pieces,
                steps,
                starts,
                references.offsets,
                choice=self.choice,
                window=self.window,
                threads=threads,
            )

        return rows
