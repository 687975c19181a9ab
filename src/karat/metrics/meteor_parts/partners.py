"""Hypotheses in the words of their references: what M-BLEU and M-TER have in common."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.kernels import NumberedText
from karat.metrics.base import parameter
from karat.metrics.framework.arithmetic import as_columns
from karat.metrics.meteor_parts.formula import score_of_2005
from karat.metrics.meteor_parts.word_sources import AUTO, Knowledge, WordSources, chosen_modules, word_sources
from karat.metrics.words.metric import WordMetric
from karat.metrics.words.pairs import best_pairs
from karat.quick_dataclasses import dataclass
from karat.resources import language_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn

_BEAM = 40


@dataclass(frozen=True, kw_only=True)
class Partners:
    """Replaces words of a hypothesis by the words of a reference that METEOR matches them with."""

    sources: WordSources

    @cached_property
    def _knowledge(self) -> Knowledge:
        return Knowledge(self.sources)

    @classmethod
    def of(cls, metric: str, language: str | None, modules: str, synonyms: str) -> Partners:
        """What the parameters of a metric ask for."""
        chosen, code = chosen_modules(metric, modules), language_code(language or "en")
        sources = word_sources(
            code,
            chosen or ("exact", "stem", "synonym"),
            must_exist=modules != AUTO,
            function="none",
            algorithm="porter" if code == "en" else None,
            synonyms_path=synonyms,
        )
        return cls(sources=sources)

    def replaced(
        self, hypotheses: kernels.Tokens, references: kernels.Tokens, offsets: NDArray[np.int64], threads: int | None
    ) -> kernels.Tokens:
        """The hypotheses in words of the reference of each that METEOR 2005 finds closest."""
        words = kernels.word_types(hypotheses, references, threads=threads)
        text, reference_texts = (NumberedText(*column) for column in zip(words.ids, words.offsets, strict=True))
        knowledge = self._knowledge.of(words.types)
        pairs = kernels.staged_pairs(knowledge, text, reference_texts, offsets, beam=_BEAM, threads=threads)
        closest = reference_texts.taken(best_pairs(score_of_2005(*as_columns(pairs)[:4]), offsets))
        partners = kernels.staged_partners(knowledge, text, closest, beam=_BEAM, threads=threads)
        starts = np.repeat(closest.offsets[:-1], np.diff(text.offsets))
        ids = text.ids.copy()
        is_matched = partners >= 0
        ids[is_matched] = closest.ids[(starts + partners)[is_matched]]
        return kernels.spell_words(words.types, ids, text.offsets)


@dataclass(frozen=True, kw_only=True)
class InWordsOfTheReference(WordMetric):
    """A metric of hypotheses whose words were replaced by what METEOR matches them with."""

    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "agarwal-lavie-2008-mbleu"

    language: str | None = parameter(None, "the language of the text; English if not given")
    modules: str = parameter(AUTO, "exact+stem or exact+stem+synonym; auto: what is installed")
    synonyms: str = parameter("", "WordNet's directory, METEOR's jar or a MyThes file; else found by language")

    def check(self) -> None:
        """Refuse modules that do not match single words."""
        super().check()
        if "paraphrase" in chosen_modules(self.name, self.modules):
            raise SpecError(f"{self.name} replaces single words: it has no paraphrases")

    @property
    def display_name(self) -> str:
        """The name in capitals, as papers write it."""
        return self.name.upper()

    @property
    def resources(self) -> dict[str, str]:
        """The modules, and where they look words up."""
        return {**super().resources, **self._partners.sources.lookups}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What modules would use if it were installed."""
        return self._partners.sources.lacking

    @property
    def _partners(self) -> Partners:
        return Partners.of(self.name, self.language, self.modules, self.synonyms)

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once."""
        reference_tokens = self.tokens(references.column, threads)
        rows_of = self.replaced_rows(reference_tokens, references.offsets, threads)
        partners = self._partners

        def rows(hypotheses: TextColumn) -> Values:
            words = self.tokens(hypotheses, threads)
            return rows_of(partners.replaced(words, reference_tokens, references.offsets, threads))

        return rows

    @abstractmethod
    def replaced_rows(
        self, references: kernels.Tokens, offsets: NDArray[np.int64], threads: int | None
    ) -> Callable[[kernels.Tokens], Values]:
        """What gives the rows of hypotheses that are in words of the references by now."""
