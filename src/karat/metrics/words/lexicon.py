"""What is known about words, looked up once for each: lemma, sound, senses, and how much the word says."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.metrics.base import parameter
from karat.metrics.words.known import KnownFacts, KnownWords, Numbering, lists_of
from karat.metrics.words.pairs import SegmentMean, best_rows
from karat.quick_dataclasses import dataclass
from karat.resources import function_words, lacking_synonyms, stemmer, synonyms
from karat.resources.sounds import soundex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values
    from karat.text import TextColumn


class Lexicon:
    """Facts about the words of one language; usable from several threads at once."""

    def __init__(self, language: str, *, stems: bool, sounds: bool, senses: bool, function_weight: float) -> None:
        self._stemmer = stemmer(language) if stems else None
        self._synonyms = synonyms(language) if senses else None
        self.lacking = lacking_synonyms(language) if senses else ()
        self._function_words = function_words(language) if function_weight != 1 else None
        self._function_weight = function_weight
        self._sounds = sounds
        self._words = KnownWords(self._look_up)

    @property
    def signatures(self) -> dict[str, str]:
        """What was looked up, and where."""
        named = {"stems": self._stemmer, "synonyms": self._synonyms, "function": self._function_words}
        return {name: resource.signature for name, resource in named.items() if resource is not None}

    def facts(self, words: Sequence[str]) -> kernels.WordFacts:
        """What is known about these words, by their place in the list."""
        (lemmas, sounds, weights), sets = self._words.of(words)
        return kernels.WordFacts(lemmas, sounds, sets.offsets, sets.ids, weights)

    def _look_up(self, words: list[str], numbering: Numbering) -> KnownFacts:
        lowered = [word.lower() for word in words]
        stems = self._stemmer.stems(lowered) if self._stemmer else [""] * len(words)
        codes = [soundex(word) if self._sounds else "" for word in lowered]
        sets = self._synonyms.synsets(lowered) if self._synonyms else [()] * len(words)
        common = self._function_words.contains(lowered) if self._function_words else [False] * len(words)
        lemmas, sounds = ([numbering.number(text) if text else -1 for text in texts] for texts in (stems, codes))
        weights = [self._function_weight if is_common else 1.0 for is_common in common]
        columns = np.array(lemmas, dtype=np.int32), np.array(sounds, dtype=np.int32), np.array(weights, dtype=float)
        return KnownFacts(columns, lists_of(sets))


@dataclass(frozen=True, kw_only=True)
class LexiconMetric(SegmentMean):
    """A metric that compares words by what a lexicon knows about them."""

    language: str | None = parameter(None, "the language of stems, synonyms and function words; English if not given")

    @property
    def resources(self) -> dict[str, str]:
        """Stems, synonyms and function words."""
        return {**super().resources, **self.lexicon().signatures}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What senses would be looked up in if it were installed."""
        return self.lexicon().lacking

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Look up the words of the references."""
        lexicon = self.lexicon()
        reference_tokens = self.tokens(references.column, threads)
        lexicon.facts(kernels.word_types(reference_tokens, threads=threads).types)

        def rows(hypotheses: TextColumn) -> Values:
            words = kernels.word_types(self.tokens(hypotheses, threads), reference_tokens, threads=threads)
            scores = self.pair_scores(lexicon.facts(words.types), words, references.offsets, threads)
            return best_rows(scores, references.offsets)

        return rows

    @abstractmethod
    def lexicon(self) -> Lexicon:
        """What the parameters want to be known."""

    @abstractmethod
    def pair_scores(
        self, facts: kernels.WordFacts, words: kernels.WordTypes, offsets: NDArray[np.int64], threads: int | None
    ) -> Floats:
        """The score, from 0 to 100, of every pair of a hypothesis and a reference."""
