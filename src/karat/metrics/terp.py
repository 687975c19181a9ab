"""TER-Plus: edit rates that know stems, synonyms and paraphrases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import per_hundred
from karat.metrics.framework.values import COEFFICIENTS, WEIGHTS
from karat.metrics.meteor_parts.word_sources import Knowledge, WordSources
from karat.metrics.reading.terp import ENGLISH_FUNCTION_WORDS, TerpTokenizer
from karat.metrics.words.metric import WordMetric
from karat.resources import (
    FunctionWords,
    function_words,
    lacking_synonyms,
    language_code,
    paraphrases,
    stemmer,
    synonyms,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.resources import ParaphraseTable, Stemmer, Synonyms
    from karat.rows import Values
    from karat.text import TextColumn

TERP = "terp"
_COSTS = ("match", "deletion", "insertion", "substitution", "stem", "synonym", "shift")


@register
@dataclass(frozen=True, kw_only=True)
class Terp(WordMetric):
    r"""Translation edit rate plus: TER whose edits cost what people's judgements say they should.

    Formula
    -------
    $$\mathrm{TERp} = 100 \cdot \min\left(1, \frac{\sum_i \min_r E(h_i, r)}{\sum_i \overline{|r|}_i}\right)$$

    $E$ is the cost of the edits that turn a hypothesis into a reference: words inserted, deleted, substituted, taken
    for a word of the same stem or for a synonym, phrases taken for paraphrases, and blocks shifted. $\overline{|r|}_i$
    is the mean length of the references of segment $i$. A paraphrase of probability $p$ between phrases that are $e$
    apart, by the same measure, costs $\max(0, a + b\,e \log_{10} p + c\,e\,p + d\,e)$ with $a$ ``phrase``, $b$
    ``phrase_log``, $c$ ``phrase_probability`` and $d$ ``phrase_edits``.

    | cost | ``terp-a``: adequacy (default) | ``terp-h``: HTER |
    | :--- | ---: | ---: |
    | insertion: only the hypothesis has the word | 0.259 | 0.516 |
    | deletion: only the reference has the word | 1.427 | 0.890 |
    | substitution | 1.557 | 1.636 |
    | stem | 0 | 0.957 |
    | synonym | 0 | 0.165 |
    | shift | 0.562 | 0.687 |
    | paraphrase: $a, b, c, d$ | -0.231, -0.147, -0.078, 0.177 | 1.037, 0.652, -0.008, 1.112 |

    Shifts are found greedily, as in TER: a block of at most 10 words moves by at most 50 words, to where its words
    match those of the reference by identity, stem, synonym or paraphrase, if both places hold an error; but not if all
    its words are function words, for the sake of which nothing should move. Beam, order of candidates and ties are
    those of the authors' program; the numbers agree where words, synonyms and function words do.

    Resources: Porter's stems for English, Snowball's for other languages; synonyms of WordNet for English, or of
    METEOR's copy of it where WordNet is absent, and of a MyThes thesaurus for other languages; paraphrases from a table
    in METEOR's format (``paraphrases=PATH``, or ``paraphrases=meteor`` for METEOR's own; none by default). The function
    words are a list of this project's for English (the authors' program comes with another), those of `karat.resources`
    for other languages, or a file: ``function_words=PATH``.

    ``capped`` scores no segment as worse than 100. With no reference words the score is 100 if there are edits.

    Use when
    --------
    The target is English, with WordNet and a table of paraphrases at hand, and acceptable rewording should cost little.

    Do not use when
    ---------------
    The target language has neither synonyms nor paraphrases: what is left is TER with odd costs, tuned on English.

    Known failure
    -------------
    Any two words that share one sense count as synonyms, whatever they mean here: *bank* is free for *trust*. And with
    ``terp-a`` a wrong ending costs nothing at all. Where words repeat, the search for shifts grows faster than with the
    square of the length: a pair that would take more than 2,147,483,648 cells of alignments is refused.

    Example
    -------
    >>> terp = Terp(synonyms="none")
    >>> rows = terp.prepare(["the cat is sitting on the mat"]).rows(["the cats sit on the mat"])
    >>> round(rows.score, 2)
    20.38
    """

    name: ClassVar[str] = "terp"
    family: ClassVar[str] = "edit distance"
    citation: ClassVar[str] = "snover-etal-2009-terplus"
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    aliases: ClassVar[dict[str, dict[str, object]]] = {
        "terp-a": {},
        "terp-h": {
            "deletion": 0.8897481530721948,
            "insertion": 0.5160029868027748,
            "substitution": 1.6362908525843867,
            "stem": 0.9574806141940626,
            "synonym": 0.16474604979800672,
            "shift": 0.686718582391978,
            "phrase": 1.0366410752548514,
            "phrase_log": 0.6518645817002747,
            "phrase_probability": -0.008317921340980746,
            "phrase_edits": 1.1121928362344298,
        },
    }

    tokenize: str = parameter(
        TERP, "how text is cut into words: terp (as the authors' program), 13a, intl, zh, char, ..."
    )
    lowercase: bool = parameter(True, "ignore case")
    insertion: float = parameter(0.2588527567630183, "what a word costs that only the hypothesis has", within=WEIGHTS)
    deletion: float = parameter(1.4269364675533365, "what a word costs that only the reference has", within=WEIGHTS)
    substitution: float = parameter(1.5565478292505814, "what a wrong word costs", within=WEIGHTS)
    match: float = parameter(0.0, "what a right word costs", within=WEIGHTS)
    stem: float = parameter(0.0, "what another form of the word costs", within=WEIGHTS)
    synonym: float = parameter(0.0, "what a synonym costs", within=WEIGHTS)
    shift: float = parameter(0.5620538767397316, "what it costs to move a block", within=WEIGHTS)
    phrase: float = parameter(-0.2306579294476191, "what a paraphrase costs: the constant part", within=COEFFICIENTS)
    phrase_log: float = parameter(
        -0.1469465037633749, "... by edits between the phrases times the log of probability", within=COEFFICIENTS
    )
    phrase_probability: float = parameter(
        -0.07843705907022736, "... by edits between the phrases times probability", within=COEFFICIENTS
    )
    phrase_edits: float = parameter(0.17708577297831574, "... by edits between the phrases", within=COEFFICIENTS)
    capped: bool = parameter(True, "score nothing as worse than 100")
    beam: float = parameter(35.0, "how much more than the best so far an alignment may cost on its way", within=WEIGHTS)
    shift_size: int = parameter(10, "the most words of a block that moves", within=(0, 1_000_000))
    shift_distance: int = parameter(50, "the most words that a block moves by", within=(0, 1_000_000))
    stems: bool = parameter(True, "let forms of one word match")
    synonyms: str = parameter(
        "auto", "where synonyms are from: auto, none, meteor, or the path of WordNet or a thesaurus"
    )
    paraphrases: str = parameter("none", "where paraphrases are from: none, meteor, or the path of a table")
    function_words: str = parameter("auto", "words that do not move alone: auto, none, or the path of a list")
    language: str | None = parameter(None, "the language of stems, synonyms and function words; English if not given")

    def check(self) -> None:
        """Refuse a tokenizer that does not exist."""
        if self.tokenize != TERP:
            super().check()

    @property
    def perfect_is_best(self) -> bool:  # type: ignore[override]
        """Not where right words cost something."""
        return self.match == 0

    @property
    def columns(self) -> tuple[str, ...]:
        """The least cost of edits over the references, and the mean length of the references."""
        return ("edits", "reference_length")

    @property
    def display_name(self) -> str:
        """The name as the paper writes it."""
        names = {"terp-a": "TERp-A", "terp-h": "TERp-H"}
        return next((names[alias] for alias in self.other_names), "TERp")

    def tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The words of every string."""
        if self.tokenize != TERP:
            return super().tokens(column, threads)
        return (column.lowered() if self.lowercase else column).tokens(TerpTokenizer(), threads)

    @property
    def resources(self) -> dict[str, str]:
        """Where stems, synonyms, paraphrases and function words are from."""
        used = {
            "stems": self._stemmer,
            "synonyms": self._synonyms,
            "paraphrases": self._paraphrases,
            "function": self._function_words,
        }
        own = {} if self.tokenize == TERP else super().resources
        return {**own, **{name: resource.signature for name, resource in used.items() if resource is not None}}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What synonyms would be from if it were installed."""
        return lacking_synonyms(self._language) if self.synonyms == "auto" else ()

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Tokenise the references once, and find the resources."""
        reference_tokens = self.tokens(references.column, threads)
        knowledge = Knowledge(
            WordSources(
                function=self._function_words,
                stems=self._stemmer,
                synonyms=_OfLowered(self._synonyms) if self._synonyms else None,
                paraphrases=self._paraphrases,
            )
        )

        def rows(hypotheses: TextColumn) -> Values:
            words = kernels.word_types(self.tokens(hypotheses, threads), reference_tokens, threads=threads)
            hypothesis_text, reference_text = map(kernels.NumberedText, words.ids, words.offsets)
            return kernels.terp_rows(
                knowledge.of(words.types),
                hypothesis_text,
                reference_text,
                references.offsets,
                self._costs,
                beam=self.beam,
                shift_size=self.shift_size,
                shift_distance=self.shift_distance,
                threads=threads,
            )

        return rows

    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The cost of edits per hundred reference words."""
        scores = per_hundred(sums[..., 0], sums[..., 1])
        return np.minimum(scores, 100.0) if self.capped else scores

    @property
    def _costs(self) -> kernels.TerpCosts:
        return kernels.TerpCosts(
            match=self.match,
            deletion=self.deletion,
            insertion=self.insertion,
            substitution=self.substitution,
            stem=self.stem,
            synonym=self.synonym,
            shift=self.shift,
            phrase=(self.phrase, self.phrase_log, self.phrase_probability, self.phrase_edits),
        )

    @property
    def _language(self) -> str:
        return language_code(self.language or "en")

    @property
    def _stemmer(self) -> Stemmer | None:
        if not self.stems:
            return None
        return stemmer(self._language, "porter" if self._language == "en" else None)

    @property
    def _synonyms(self) -> Synonyms | None:
        if self.synonyms == "none":
            return None
        if self.synonyms in ("auto", "meteor"):
            return synonyms(self._language, self.synonyms)
        return synonyms(self._language, path=self.synonyms)

    @property
    def _paraphrases(self) -> ParaphraseTable | None:
        if self.paraphrases == "none":
            return None
        return paraphrases(None if self.paraphrases == "meteor" else self.paraphrases, self._language)

    @property
    def _function_words(self) -> FunctionWords | None:
        if self.function_words == "none":
            return None
        if self.function_words == "auto" and self._language == "en":
            return ENGLISH_FUNCTION_WORDS
        return function_words(self._language, self.function_words)


@dataclass(frozen=True)
class _OfLowered:
    """Synonyms of words whatever their case."""

    synonyms: Synonyms

    @property
    def signature(self) -> str:
        """That of the synonyms."""
        return self.synonyms.signature

    def synsets(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The sets of each word."""
        return self.synonyms.synsets([word.lower() for word in words])
