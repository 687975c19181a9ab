"""METEOR as first published: words matched in stages, recall nine times precision, a penalty for chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.kernels import NumberedText
from karat.metrics.base import parameter, register
from karat.metrics.framework.values import BEAMS
from karat.metrics.meteor_parts.formula import score_of_2005
from karat.metrics.meteor_parts.word_sources import AUTO, Knowledge, WordSources, chosen_modules, word_sources
from karat.metrics.words.metric import WordMetric
from karat.metrics.words.pairs import best_pairs
from karat.resources import language_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class Meteor2005(WordMetric):
    r"""How many words are matched by form, stem or synonym, and in how few chunks, as published in 2005.

    Formula
    -------
    $$100 \, \frac{10 P R}{R + 9 P} \left(1 - 0.5 \left(\frac{ch}{m}\right)^3\right)$$

    $m$ words are matched one to one, $P = m / |h|$, $R = m / |r|$, in $ch$ chunks. First equal words are matched,
    then words of one stem (Porter's for English) among the rest, then synonyms among what is left; each stage matches
    as many words as it can, and of all such ways takes one whose matches cross least. Of several references the best
    counts; the score of a set of segments is made of their sums.

    The way with the least crossings is searched with a beam: within words that are equal or have one stem, only
    matchings in order are tried, which lose nothing, and `beam` partial ways are kept. Fewest crossings, which the
    paper asks for, may mean many chunks. With `alignment=chunks` all modules match together, most matched words win and
    then fewest chunks, as in later versions of METEOR: with exact matches alone this equals METEOR 1.5 with
    ``-m exact -w 1.0 -p '0.9 3.0 0.5 0.5'``, but for two identical texts. They do not reach 100: the penalty for their
    one chunk is in the paper, while METEOR 1.5 takes it away.

    Use when
    --------
    Scores of papers before 2007 are to be understood, or the classic formula is wanted.

    Do not use when
    ---------------
    The best agreement with people counts: `meteor` has tuned parameters.

    Known failure
    -------------
    The penalty is at most a half: a hypothesis with all words in a random order scores 50. A pair of segments
    whose equal words leave the search more than 50,000,000 choices, as loops of thousands of words do, is refused.

    Example
    -------
    >>> for alignment in ("crossings", "chunks"):
    ...     metric = Meteor2005(modules="exact", alignment=alignment)
    ...     rows = metric.prepare(["the cat sat on the mat"]).rows(["on the mat sat the cat"])
    ...     print(dict(zip(rows.columns[2:], rows.values[0, 2:].tolist())), round(rows.score, 2))
    {'matches': 6, 'chunks': 6} 50.0
    {'matches': 6, 'chunks': 3} 93.75
    """

    name: ClassVar[str] = "meteor-2005"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "banerjee-lavie-2005-meteor"
    perfect_is_best: ClassVar[bool] = False

    language: str | None = parameter(None, "the language of the text; English if not given")
    modules: str = parameter(AUTO, "exact, exact+stem or exact+stem+synonym; auto: what is installed")
    synonyms: str = parameter("", "WordNet's directory, METEOR's jar or a MyThes file; else found by language")
    alignment: str = parameter("crossings", "what else a matching should have few of", choices=("crossings", "chunks"))
    beam: int = parameter(40, "how many alignments the search keeps", within=BEAMS)

    def check(self) -> None:
        """Refuse modules that do not exist."""
        super().check()
        if "paraphrase" in chosen_modules(self.name, self.modules):
            raise SpecError("meteor-2005 has no paraphrases: use meteor")

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, matched words, and chunks."""
        return ("hypothesis_length", "reference_length", "matches", "chunks")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "METEOR 2005"

    @property
    def resources(self) -> dict[str, str]:
        """The modules, and where they look words up."""
        return {**super().resources, **self._sources.lookups}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What modules would use if it were installed."""
        return self._sources.lacking

    @property
    def _sources(self) -> WordSources:
        chosen, code = chosen_modules(self.name, self.modules), language_code(self.language or "en")
        return word_sources(
            code,
            chosen or ("exact", "stem", "synonym"),
            must_exist=bool(chosen),
            function="none",
            algorithm="porter" if code == "en" else None,
            synonyms_path=self.synonyms,
        )

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Cut the references into words once."""
        reference_tokens = self.tokens(references.column, threads)
        knowledge = Knowledge(self._sources)

        def rows(hypotheses: TextColumn) -> Values:
            words = kernels.word_types(self.tokens(hypotheses, threads), reference_tokens, threads=threads)
            texts = [NumberedText(*text) for text in zip(words.ids, words.offsets, strict=True)]
            pairs = self._pairs(knowledge.of(words.types), texts[0], texts[1], references.offsets, threads)
            return pairs[best_pairs(self.aggregate(pairs.astype(np.float64)), references.offsets)]

        return rows

    def _pairs(
        self,
        knowledge: kernels.WordKnowledge,
        hypotheses: NumberedText,
        references: NumberedText,
        offsets: NDArray[np.int64],
        threads: int | None,
    ) -> NDArray[np.int64]:
        """Lengths, matched words and chunks of every pair."""
        if self.alignment == "crossings":
            staged = kernels.staged_pairs(knowledge, hypotheses, references, offsets, beam=self.beam, threads=threads)
            return staged[:, :4]
        pairs = kernels.meteor_pairs(
            knowledge, hypotheses, references, offsets, search="published", beam=self.beam, threads=threads
        )
        lengths, chunks, matches = pairs[:, :2], pairs[:, 20], pairs[:, 21]
        return np.column_stack([lengths, matches, np.maximum(chunks, matches > 0)])

    def aggregate(self, sums: Floats) -> Floats:
        """F with recall nine times as heavy as precision, less the penalty for chunks."""
        return score_of_2005(*(sums[..., k] for k in range(4)))
