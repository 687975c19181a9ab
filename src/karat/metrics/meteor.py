"""METEOR Universal: words matched by form, stem, synonym and paraphrase, and how many chunks they fall into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.kernels import METEOR_COLUMNS, NumberedText
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.values import BEAMS, POWERS, SHARES
from karat.metrics.meteor_parts.parameters import PRESETS, Parameters, parameters, usual_modules
from karat.metrics.meteor_parts.word_sources import AUTO, Knowledge, WordSources, chosen_modules, word_sources
from karat.metrics.reading.meteor import MeteorTokenizer
from karat.metrics.words.metric import WordMetric
from karat.metrics.words.pairs import best_pairs
from karat.resources import language_code

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values
    from karat.text import TextColumn


SEARCHES = {"released": "meteor-1.5", "published": "paper"}
"""Whose search each choice of `alignment` is."""


@register
@dataclass(frozen=True, kw_only=True)
class Meteor(WordMetric):
    r"""How many words are matched by form, stem, synonym or paraphrase, and in how few chunks.

    Formula
    -------
    $$P = \frac{\sum_i w_i (\delta \, m_i^c(h) + (1 - \delta) \, m_i^f(h))}{\delta |h_c| + (1 - \delta) |h_f|}
    \qquad F = \frac{P R}{\alpha P + (1 - \alpha) R} \qquad
    100 \, F \left(1 - \gamma \left(\frac{ch}{m}\right)^\beta\right)$$

    $m_i^c$ and $m_i^f$ are the content and function words that module $i$ has matched, $w_i$ its weight; $R$ is $P$
    with the reference instead of the hypothesis; $m$ is the mean number of matched words of both, $ch$ the number of
    chunks, 0 if one chunk covers both texts. Of several references the best counts; the score of a set of segments is
    made of their sums.

    Every segment, statistic by statistic, equals that of METEOR 1.5's program (the jar in the PyPI package
    pycocoevalcap) with the same words, stems and lists, as with its options ``-norm`` (`normalize`), ``-noPunct``
    (`punctuation=false`), ``-lower`` (`normalize=false,lowercase=true`) and ``-t`` (`parameters`: rank is language, adq
    is adequacy, li is independent). What differs:

    - The program compares words by a hash of 32 bits, so that Aa and BB are one word to it; karat compares words.
    - Stems are those of the Snowball version that is installed, and the signature names it. The program's are older:
      version 2 (PyStemmer 2.2) gives the same in English, French and Spanish, and others for German words in -nisse;
      version 3 differs in some English words, too, such as international.
    - The program takes its list of English function words for every language, unless told another by ``-s``; karat
      takes the list of the language. `function_words=released` is what the program does.
    - Languages other than cs, de, en, es, fr and ru have no normaliser in the program, which then stops; here they are
      cut by the tokenizer intl, and their function words come from wordfreq or stopwordsiso.
    - ``-t util`` and ``-ch``, which count characters, are missing.

    The program's search for the best alignment is not the one that the paper describes: exact matches count in full,
    others as half a word rounded down unless they are the only choice, and the distance of a match is charged to the
    path that does not take it. This is `alignment=released`, and it is the default because scores that go by the name
    of METEOR are the program's, and are comparable with no others. With `alignment=published` most matched words win,
    then fewest chunks, then the least distance, as in the paper. The signature tells which one was used:
    search:meteor-1.5 or search:paper.

    Without a choice of `modules`, those that METEOR has for the language are used as far as what they need is installed
    here; the signature says which. A module that is named must have what it needs. METEOR's own lists (synonyms and
    paraphrases of English, function words, abbreviations) come with ``pip install 'karat[meteor]'``; else synonyms are
    WordNet's and function words those of wordfreq or stopwordsiso.

    Use when
    --------
    Words may differ and still mean the same, segments are scored one by one, and the language has resources.

    Do not use when
    ---------------
    The resources are not the same for all scores that are compared: look at the signatures.

    Known failure
    -------------
    Synonyms ignore the context: *bank* matches *shore* and *lender* alike. A pair of segments with more than 3,000,000
    matches of words, such as 1,700 times the same word on both sides, is refused.

    Example
    -------
    >>> for modules in ("exact", "exact+stem"):
    ...     metric = Meteor(language="en", modules=modules, function_words="none")
    ...     print(round(metric.prepare(["The boats were sold."]).rows(["They sold the boat."]).score, 2))
    24.0
    31.22
    """

    name: ClassVar[str] = "meteor"
    family: ClassVar[str] = "alignment"
    citation: ClassVar[str] = "denkowski-lavie-2014-meteor"
    aliases: ClassVar[dict[str, dict[str, Any]]] = {"meteor-universal": {"parameters": "universal"}}

    language: str | None = parameter(None, "the language of the text; English if not given")
    normalize: bool = parameter(True, "cut and lower text as METEOR does, before tokenize")
    punctuation: bool = parameter(True, "keep punctuation marks as words; false needs normalize")
    tokenize: str = parameter("none", "how text, normalised or not, is cut into tokens: none, char, 13a, ...")
    modules: str = parameter(AUTO, "exact, exact+stem, ... exact+stem+synonym+paraphrase; auto: what is installed")
    parameters: str = parameter("language", "which parameters to start from", choices=PRESETS)
    alpha: float | None = parameter(None, "how much recall counts, from 0 to 1", within=SHARES)
    beta: float | None = parameter(None, "the power of the chunk penalty", within=POWERS)
    gamma: float | None = parameter(None, "the greatest chunk penalty", within=SHARES)
    delta: float | None = parameter(
        None, "how much content words count beside function words, from 0 to 1", within=SHARES
    )
    stem: float | None = parameter(None, "the weight of matches by stem", within=SHARES)
    synonym: float | None = parameter(None, "the weight of matches by synonym", within=SHARES)
    paraphrase: float | None = parameter(None, "the weight of matches by paraphrase", within=SHARES)
    function_words: str = parameter(AUTO, "auto, meteor, wordfreq, stopwordsiso, released, none, or a file")
    synonyms: str = parameter("", "WordNet's directory, METEOR's jar or a MyThes file; else found by language")
    paraphrases: str = parameter("", "a table in METEOR's format; else METEOR's for the language")
    alignment: str = parameter("released", "the search for the alignment", choices=tuple(SEARCHES))
    beam: int = parameter(40, "how many alignments the search keeps", within=BEAMS)

    def check(self) -> None:
        """Refuse what contradicts itself, and modules that do not exist."""
        super().check()
        if not self.punctuation and not self.normalize:
            raise SpecError("meteor(punctuation=false) needs normalize=true, which knows punctuation marks")
        chosen_modules(self.name, self.modules)
        parameters(self.parameters, self._code)

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, function words, matches of each module on both sides, chunks, and matched words."""
        return METEOR_COLUMNS

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "METEOR"

    @property
    def resources(self) -> dict[str, str]:
        """The search, the modules, and where they look words up."""
        cut = self._normaliser.resources if self.normalize else super().resources
        return {**cut, "search": SEARCHES[self.alignment], **self._sources.signatures}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What modules would use if it were installed."""
        return self._sources.lacking

    @property
    def values(self) -> Parameters:
        """The parameters after what was chosen by hand."""
        chosen = {name: getattr(self, name) for name in Parameters._fields}
        start = parameters(self.parameters, self._code)
        return start._replace(**{name: value for name, value in chosen.items() if value is not None})

    @property
    def _code(self) -> str:
        return language_code(self.language or "en")

    @property
    def _normaliser(self) -> MeteorTokenizer:
        return MeteorTokenizer(language=self._code, punctuation=self.punctuation, then=self.tokenize)

    @property
    def _sources(self) -> WordSources:
        chosen = chosen_modules(self.name, self.modules)
        return word_sources(
            self._code,
            chosen or usual_modules(self.parameters, self._code),
            must_exist=bool(chosen),
            function=self.function_words,
            synonyms_path=self.synonyms,
            paraphrases_path=self.paraphrases,
        )

    def tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The words of every string."""
        if not self.normalize:
            return super().tokens(column, threads)
        return column.tokens(self._normaliser, threads)

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Cut the references into words once."""
        reference_tokens = self.tokens(references.column, threads)
        knowledge = Knowledge(self._sources)

        def rows(hypotheses: TextColumn) -> Values:
            words = kernels.word_types(self.tokens(hypotheses, threads), reference_tokens, threads=threads)
            pairs = kernels.meteor_pairs(
                knowledge.of(words.types),
                NumberedText(words.ids[0], words.offsets[0]),
                NumberedText(words.ids[1], words.offsets[1]),
                references.offsets,
                search=self.alignment,
                beam=self.beam,
                threads=threads,
            )
            return pairs[best_pairs(self.aggregate(pairs.astype(np.float64)), references.offsets)]

        return rows

    def aggregate(self, sums: Floats) -> Floats:
        """F of weighted matches, less the penalty for chunks."""
        precision, recall, penalty = self._parts(sums)
        alpha = self.values.alpha
        mean: Floats = ratio(precision * recall, alpha * precision + (1 - alpha) * recall)
        return 100 * mean * (1 - penalty)

    def _parts(self, sums: Floats) -> tuple[Floats, Floats, Floats]:
        values = self.values
        by_module = (1.0, values.stem, values.synonym, values.paraphrase)
        sides = []
        for side in (0, 1):
            length, function = sums[..., side], sums[..., 2 + side]
            matched: Floats = np.zeros(length.shape)
            for module, weight in enumerate(by_module):
                content, functional = sums[..., 4 + 4 * module + side], sums[..., 6 + 4 * module + side]
                matched = matched + weight * (values.delta * content + (1 - values.delta) * functional)
            weighted = values.delta * (length - function) + (1 - values.delta) * function
            sides.append(ratio(matched, weighted))
        fragmentation = ratio(sums[..., 20], (sums[..., 21] + sums[..., 22]) / 2)
        return sides[0], sides[1], values.gamma * fragmentation**values.beta

    def details(self, sums: Floats) -> dict[str, Any]:
        """Weighted precision and recall, and the penalty."""
        precision, recall, penalty = (float(part) for part in self._parts(sums))
        return {"precision": precision, "recall": recall, "penalty": penalty, "chunks": int(sums[20])}
