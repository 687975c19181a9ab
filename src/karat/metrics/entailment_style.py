"""Entailment-style: how far the words of each side follow from those of the other, by WordNet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.words.likeness import TypeLikeness
from karat.metrics.words.pairs import SegmentMean, best_rows
from karat.resources import hierarchy, lacking_synonyms, synonyms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.resources import Hierarchy, Synonyms
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class EntailmentStyle(SegmentMean):
    r"""How like a word of the other side every word is, by WordNet: hypothesis from reference, and the other way.

    Formula
    -------
    $$E_h = \frac{1}{|h|} \sum_{x \in h} \max_{y \in r} s(x, y), \qquad
    E_r = \frac{1}{|r|} \sum_{y \in r} \max_{x \in h} s(x, y), \qquad
    F = 100 \cdot \frac{2 \, E_h \, E_r}{E_h + E_r}$$

    $$s(x, y) = \begin{cases} 1 & \text{if the words are the same, whatever their case} \\
    \max \frac{1}{1 + d} & \text{over pairs of their senses, } d \text{ steps apart} \\
    0 & \text{if no path joins any of these} \end{cases}$$

    A step goes from a set of synonyms to what it is a kind or an instance of; $d$ is the length of the shortest path
    over a common ancestor, so that words that share a set are alike by 1. Nouns meet in *entity* at the latest; verbs
    have no common root, and adjectives and adverbs no ancestors. Inflected words have the senses of their base forms.
    ``similarity=synsets`` takes shared sets alone, and so does a language, or a machine, that has synonyms and no
    WordNet. ``direction`` chooses one of both averages. Where both sides are empty, the score is 100, where one is, 0.
    Of several references the best counts. The corpus score is the mean of the segments.

    The paper describes a textual entailment engine with features from WordNet, which a learner of its own combines for
    each task. It leaves open, or this page was written without: which senses count, how words that WordNet lacks are
    treated, how scores of words become one of sentences, and all weights. So the name is entailment-style: word
    likeness in both directions is what remains without a learner, and equal numbers are not promised. To weigh both
    directions by judgements, give both to `karat combine`.

    On the first 500 segments of MLQE-PE's Estonian-English set (one system, two references, direct assessments) its
    correlation with people over segments (Pearson) is 0.49, where BLEU has 0.52 and chrF 0.57.

    Use when
    --------
    Other words for the same thing, or for a kind of it, should count nearly as much as the same words.

    Do not use when
    ---------------
    Who did what to whom matters: order, negation and grammar are not looked at, and so nothing is entailed in earnest.

    Known failure
    -------------
    *The dog bit the man* and *the man bit the dog* are the same to it. Any two nouns are a little alike, and frequent
    words have so many senses that some pair of them is near.

    Example
    -------
    >>> prepared = EntailmentStyle(similarity="synsets").prepare(["he bought a new car"])
    >>> texts = ["he bought a new automobile", "he bought a new"]
    >>> [round(prepared.rows([text]).score, 1) for text in texts]
    [100.0, 88.9]
    """

    name: ClassVar[str] = "entailment-style"
    family: ClassVar[str] = "meaning"
    citation: ClassVar[str] = "castillo-estrella-2012-semantic"

    language: str | None = parameter(None, "the language of the words; English if not given")
    similarity: str = parameter(
        "path", "what makes words alike: paths, or shared sets only", choices=("path", "synsets")
    )
    direction: str = parameter(
        "both", "whose words are looked up: the F of both, or one side's", choices=("both", "hypothesis", "reference")
    )

    @property
    def resources(self) -> dict[str, str]:
        """Synonyms, and the hierarchy where it is used."""
        known = self._synonyms()
        paths = self._hierarchy(known)
        used = {} if paths is None else {"hierarchy": paths.signature}
        return {**super().resources, "synonyms": known.signature, **used}

    @property
    def lacking(self) -> tuple[str, ...]:
        """WordNet, where something else stands in for it."""
        return lacking_synonyms(self.language or "en")

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Cut the references into words once; words are looked up when they are first met."""
        reference_tokens = self.tokens(references.column, threads)
        known = self._synonyms()
        paths = self._hierarchy(known)

        def rows(hypotheses: TextColumn) -> Values:
            words = kernels.word_types(self.tokens(hypotheses, threads), reference_tokens, threads=threads)
            likeness = TypeLikeness(words.types, known, paths)
            own, others = map(_segments, words.ids, words.offsets)
            owners = np.repeat(np.arange(len(own)), np.diff(references.offsets))
            pairs = zip(owners.tolist(), others, strict=True)
            scores = [self._score(own[segment], reference, likeness) for segment, reference in pairs]
            return best_rows(np.array(scores), references.offsets)

        return rows

    def _score(self, hypothesis: Sequence[int], reference: Sequence[int], likeness: TypeLikeness) -> float:
        if not hypothesis or not reference:
            return 0.0 if hypothesis or reference else 100.0
        from_reference = likeness.mean_of_best(hypothesis, reference)
        from_hypothesis = likeness.mean_of_best(reference, hypothesis)
        if self.direction != "both":
            return 100 * (from_reference if self.direction == "hypothesis" else from_hypothesis)
        total = from_reference + from_hypothesis
        return 200 * from_reference * from_hypothesis / total if total else 0.0

    def _synonyms(self) -> Synonyms:
        return synonyms(self.language or "en")

    def _hierarchy(self, known: Synonyms) -> Hierarchy | None:
        return hierarchy(known) if self.similarity == "path" else None


def _segments(ids: NDArray[np.int32], offsets: NDArray[np.int64]) -> list[list[int]]:
    """The numbers of the words of every segment."""
    numbers = ids.tolist()
    return [numbers[start:end] for start, end in pairwise(offsets.tolist())]
