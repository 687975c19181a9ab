"""Texts that analyses look into: read, cut into words and matched once for all of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.analysis.aligned import AlignedWords, NumberedTexts, numbered
from karat.analysis.figures import Subject
from karat.analysis.resampling import CONFIDENCE, Resampler
from karat.corpus import Diagnostic
from karat.corpus.diagnostics import diagnose
from karat.engine.spacing import refuse_unspaced
from karat.errors import InputError, MissingExtraError, MissingResourceError, SpecError, did_you_mean
from karat.quick_dataclasses import dataclass
from karat.resources.stems import stemmer
from karat.service.inputs import only_block
from karat.service.units import choose_units
from karat.significance.draws import DEFAULT_SEED
from karat.text import default_tokenizer

if TYPE_CHECKING:
    from karat.corpus import Corpus
    from karat.evidence import Unit
    from karat.service.inputs import Input


@dataclass(frozen=True, kw_only=True)
class Resamples:
    """Who the systems are compared with, and how resamples are drawn; `unit` is None for documents where known."""

    baseline: str | None = None
    unit: Unit | None = None
    n: int = 1000
    seed: int = DEFAULT_SEED


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How text is cut into words; without a tokenizer, it is that of the language."""

    tokenize: str | None = None
    lowercase: bool = False
    threads: int | None = None


class Stemmed(NamedTuple):
    """Words matched with their stems for base forms, whose stems these are, and what was in the way of it."""

    aligned: AlignedWords
    base_forms: str | None
    obstacle: str | None


@dataclass(frozen=True, eq=False)
class Texts:
    """The texts of one test set, cut into words once for all analyses."""

    corpus: Corpus
    tokenize: str
    language: str | None
    reading: Reading
    resamples: Resamples

    @classmethod
    def read(cls, texts: Input, reading: Reading, resamples: Resamples) -> tuple[Texts, tuple[Diagnostic, ...]]:
        """Read the one test set there is, and say what is odd about it."""
        testset, corpus = only_block(texts.testsets(whole=True))
        corpus.require_systems("look into")
        ready = cls.of(corpus, testset.tokenizer, testset.language, reading, resamples)
        said = [warning for warning in diagnose(corpus) if warning.code != "tokenized" or ready.tokenize != "none"]
        if reading.tokenize is None and testset.tokenizer is None:
            refuse_unspaced(corpus.references_for())
        return ready, tuple(said)

    @classmethod
    def of(
        cls, corpus: Corpus, fitting: str | None, language: str | None, reading: Reading, resamples: Resamples
    ) -> Texts:
        """Texts that are there already; `fitting` is the tokenizer of their test set, else that of the language."""
        language = language or corpus.target_language
        fitting = fitting or (default_tokenizer(language) if language else "13a")
        return cls(corpus, reading.tokenize or fitting, language, reading, resamples)

    @property
    def threads(self) -> int | None:
        """How many threads work."""
        return self.reading.threads

    @cached_property
    def numbered(self) -> NumberedTexts:
        """All words by number."""
        lowercase = self.reading.lowercase
        return numbered(self.corpus, tokenize=self.tokenize, lowercase=lowercase, threads=self.threads)

    @property
    def aligned(self) -> AlignedWords:
        """All words matched with the closest references: with base forms where `stemmed` was asked for already."""
        return self.stemmed.aligned if "stemmed" in self.__dict__ else self._by_form

    @cached_property
    def _by_form(self) -> AlignedWords:
        return self.numbered.aligned(threads=self.threads)

    @cached_property
    def stemmed(self) -> Stemmed:
        """The same with stems for base forms, where there is a stemmer for the language."""
        if self.language is None:
            return Stemmed(self._by_form, None, "the language is not known: name the languages with -l XX-YY")
        try:
            stems = stemmer(self.language)
        except (MissingResourceError, MissingExtraError, SpecError) as error:
            return Stemmed(self._by_form, None, str(error))
        forms = stems.stems([word.lower() for word in self.numbered.types])
        numbers = {stem: i for i, stem in enumerate(dict.fromkeys(forms))}
        by_type = np.array([numbers[stem] for stem in forms], dtype=np.int32)
        bases = {name: by_type[column.ids] for name, column in self.numbered.systems.items()}
        aligned = self.numbered.aligned(bases, by_type[self.numbered.references.ids], threads=self.threads)
        return Stemmed(aligned, stems.signature, None)

    @cached_property
    def _units(self) -> tuple[Resampler, tuple[Diagnostic, ...]]:
        corpus, resamples = self.corpus, self.resamples
        units, labels, warnings = choose_units(len(corpus), corpus.documents, resamples.unit)
        return Resampler.of(units, labels, n=resamples.n, seed=resamples.seed), warnings

    @property
    def resampler(self) -> Resampler:
        """Draws the units."""
        return self._units[0]

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What is to be said about the units."""
        return self._units[1]

    def subject(self, least: int) -> Subject:
        """Who is looked at; numbers that rest on fewer than `least` segments or words are marked."""
        systems = tuple(self.corpus.systems)
        baseline = self.resamples.baseline or systems[0]
        if baseline not in systems:
            raise InputError(f"there is no system {baseline!r} to compare with.{did_you_mean(baseline, systems)}")
        return Subject(
            systems=systems,
            baseline=baseline,
            segments=self.corpus.segment_ids,
            references=int(self.corpus.references_for().counts.max()),
            units=self.resampler.units,
            resamples=self.resamples.n,
            seed=self.resamples.seed,
            confidence=CONFIDENCE,
            least=least,
        )
