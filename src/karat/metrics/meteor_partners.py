"""Hypotheses in the words of their references: what M-BLEU and M-TER have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.kernels import NumberedText
from karat.metrics.meteor_words import AUTO, WordSources, chosen_modules, word_sources
from karat.metrics.words import best_pairs, ratio
from karat.resources import language_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BEAM = 40


@dataclass(frozen=True, kw_only=True)
class Partners:
    """Replaces words of a hypothesis by the words of a reference that METEOR matches them with."""

    sources: WordSources

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
        found = kernels.word_types(hypotheses, references, threads=threads)
        text, wanted = (NumberedText(*column) for column in zip(found.ids, found.offsets, strict=True))
        knowledge = self.sources.knowledge(found.types)
        pairs = kernels.staged_pairs(knowledge, text, wanted, offsets, beam=_BEAM, threads=threads)
        closest = _chosen(wanted, best_pairs(_scores(pairs.astype(np.float64)), offsets))
        partners = kernels.staged_partners(knowledge, text, closest, beam=_BEAM, threads=threads)
        starts = np.repeat(closest.offsets[:-1], np.diff(text.offsets))
        ids = text.ids.copy()
        is_matched = partners >= 0
        ids[is_matched] = closest.ids[(starts + partners)[is_matched]]
        return kernels.spell_words(found.types, ids, text.offsets)


def _scores(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The formula of METEOR 2005."""
    hypothesis, reference, matches, chunks = (np.ascontiguousarray(pairs[:, k]) for k in range(4))
    scores: NDArray[np.float64] = ratio(10 * matches, hypothesis + 9 * reference)
    return scores * (1 - 0.5 * ratio(chunks, matches) ** 3)


def _chosen(text: NumberedText, segments: NDArray[np.int64]) -> NumberedText:
    """Some segments of a text, one after the other."""
    starts, ends = text.offsets[segments], text.offsets[segments + 1]
    offsets = np.concatenate([[0], np.cumsum(ends - starts)])
    places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], ends - starts)
    return NumberedText(text.ids[places], offsets.astype(np.int64))
