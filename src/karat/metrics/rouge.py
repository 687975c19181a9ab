"""ROUGE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, ratio, weighted_harmonic_mean
from karat.metrics.framework.values import SHARES
from karat.metrics.reading.rouge import Sentences, in_ascii_words, porter, stemmed
from karat.metrics.words.pairs import MeanOfSegments
from karat.text import tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.metrics.words.pairs import WordPairs
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class Rouge(MeanOfSegments):
    r"""F-measure of n-grams, common subsequences or skip-bigrams: recall-oriented, made for summaries.

    Formula
    -------
    $$\mathrm{ROUGE} = 100 \cdot \frac{1}{a/P+(1-a)/R}$$

    $P$ and $R$ are matches as a share of what hypothesis and reference have. What counts, by `kind`:

    - ``1``, ``2``, ... ``9``: n-grams, each as often as the side has it that has it less often.
    - ``L``: the words of the longest common subsequence.
    - ``Lsum``: for texts of several sentences, with a newline between each two. A word of a sentence of the reference
      matches if it lies on the longest common subsequence with any sentence of the hypothesis.
    - ``W``: a common subsequence in which a run of $k$ consecutive words weighs $f(k) = k^w$;
      $P = f^{-1}(\mathrm{WLCS}/f(|h|))$, $R = f^{-1}(\mathrm{WLCS}/f(|r|))$.
    - ``S``: pairs of words in their order, with at most `gap` words between them.
    - ``SU``: the same, and single words.

    ``alpha=1`` gives precision alone, ``alpha=0`` recall alone. The corpus score is the mean of the segments; the
    official script prints the mean of 1,000 resamples instead, which differs in the third decimal place.

    ``mode=published`` is what the paper says. ``mode=1.5.5`` does as ROUGE-1.5.5.pl: ``Lsum`` counts each word at most
    as often as the hypothesis has it (the paper's formula does not, so that precision may exceed 1; we cut it there);
    the recall of ``W`` divides by $f(f(|r|))$, so that no hypothesis is perfect; and ``SU`` leaves out the last word of
    either side as a single word. The last two are slips. Of several references the best counts; with
    ``average=jackknife`` the mean over all ways to leave one of them out, of the best of the others.

    ``ascii_words=true`` takes runs of ASCII letters and digits, in lower case, as words, whatever `tokenize` says: then
    the numbers of ``1``, ``2`` and ``L``, and with ``mode=1.5.5`` those of ``Lsum``, are those of PyPI's rouge-score.
    Of several subsequences as long that ``Lsum`` might follow, it takes the one that rouge-score takes. For one
    sentence, ``Lsum`` is ``L``. Stop words are not here.

    ``stem=true`` compares stems by Porter's algorithm of words that have more than three characters; words should be in
    lower case (``lowercase=true`` or ``ascii_words=true``). ``stemmer=nltk`` takes NLTK's version of it, which knows
    some irregular words and a few more endings (*possibly* becomes *possibl*, like *possible*): rouge-score uses that.
    ROUGE-1.5.5.pl first looks irregular forms up in WordNet, which is not done here.

    Use when
    --------
    Output is compared with work on summaries, or recall is what counts: has the content of the reference been kept?

    Do not use when
    ---------------
    Translation is judged on its own: BLEU, chrF and TER are better understood there. Never ``ascii_words`` for text
    that is not English.

    Known failure
    -------------
    With ``alpha=0``, longer output is never worse. ``L`` is blind to everything that is not on one of the longest
    common subsequences.

    Example
    -------
    >>> prepared = Rouge(kind="2").prepare(["the cat is sitting on the mat"])
    >>> round(prepared.rows(["the cat sat on the mat"]).score, 2)
    54.55
    """

    name: ClassVar[str] = "rouge"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "lin-2004-rouge"
    aliases: ClassVar[dict[str, dict[str, Any]]] = {
        "rouge-1": {"kind": "1"},
        "rouge-2": {"kind": "2"},
        "rouge-l": {"kind": "L"},
        "rouge-lsum": {"kind": "Lsum"},
        "rouge-w": {"kind": "W"},
        "rouge-s4": {"kind": "S"},
        "rouge-su4": {"kind": "SU"},
    }

    kind: str = parameter("L", "what is matched", choices=(*"123456789", "L", "Lsum", "W", "S", "SU"))
    mode: str = parameter("published", "the paper's formula or the script's", choices=("published", "1.5.5"))
    alpha: float = parameter(0.5, "the weight of precision against recall", within=SHARES)
    average: str = parameter("best", "how several references count", choices=("best", "jackknife"))
    weight: float = parameter(1.2, "the power of the length of a run, for kind=W", within=(1, 5))
    gap: int = parameter(4, "how many words may stand between the two, for kind=S and kind=SU", within=(0, 1_000_000))
    stem: bool = parameter(False, "compare stems of words of more than three characters (English)")
    stemmer: str = parameter(
        "porter", "Porter's stemmer as published, or with NLTK's additions, for stem=true", choices=("porter", "nltk")
    )
    ascii_words: bool = parameter(False, "take runs of ASCII letters and digits, in lower case, as words")

    cutting: ClassVar[frozenset[str]] = frozenset({"tokenize", "ascii_words"})

    def reads(self, language: str) -> bool:
        """Runs of ASCII letters are no words of any of these languages."""
        return not self.ascii_words and super().reads(language)

    @property
    def perfect_is_best(self) -> bool:  # type: ignore[override]
        """Not where one of several references is left out, nor with a slip of the script."""
        return self.average == "best" and not (self.kind == "W" and self.mode == "1.5.5")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        size = {"W": f"-{self.weight:g}", "S": str(self.gap), "SU": str(self.gap)}.get(self.kind, "")
        return f"ROUGE-{self.kind}{size}"

    @property
    def resources(self) -> dict[str, str]:
        """The version of the stemmer, beside what the tokenizer depends on."""
        return {**super().resources, **({"stems": porter(self.stemmer).signature} if self.stem else {})}

    def tokens(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The words of every string, or their stems."""
        if self.ascii_words:
            words = in_ascii_words(column).tokens(tokenizer("none"), threads)
        else:
            words = super().tokens(column, threads)
        return stemmed(words, porter(self.stemmer), threads) if self.stem else words

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once, as words or as sentences."""
        if self.kind != "Lsum":
            return super().row_function(references, threads)
        texts = Sentences.of(references.column)
        tokens = self.tokens(texts.column, threads)
        prepared = kernels.prepare_words(tokens, texts.starts[references.offsets], threads)

        def rows(hypotheses: TextColumn) -> Values:
            cut = Sentences.of(hypotheses)
            pairs = kernels.summary_lcs_pairs(
                prepared,
                self.tokens(cut.column, threads),
                references.offsets,
                reference_starts=texts.starts,
                hypothesis_starts=cut.starts,
                threads=threads,
            )
            return self._segments(self._united(pairs), references.offsets)

        return rows

    def rows_of(self, pairs: WordPairs) -> Values:
        """The best score of each segment, or the mean over leaving one reference out."""
        return self._segments(self.pair_scores(pairs), pairs.offsets)

    def _segments(self, scores: Floats, offsets: NDArray[np.int64]) -> Values:
        """One row per segment from the scores of its pairs."""
        chosen = _jackknife(scores, offsets) if self.average == "jackknife" else _best(scores, offsets)
        return np.stack([chosen, np.ones_like(chosen)], axis=1)

    def pair_scores(self, pairs: WordPairs) -> Floats:
        """The F-measure of every pair."""
        if self.kind == "W":
            precision, recall = self._weighted(pairs)
        else:
            matches, hypothesis, reference = self._counts(pairs)
            precision, recall = ratio(matches, hypothesis), ratio(matches, reference)
        return self._f_measure(precision, recall)

    def _f_measure(self, precision: Floats, recall: Floats) -> Floats:
        return 100.0 * weighted_harmonic_mean([precision, recall], [self.alpha, 1.0 - self.alpha])

    def _united(self, pairs: NDArray[np.int64]) -> Floats:
        """The F-measure of subsequences united over sentences."""
        hypothesis, reference, united, limited = as_columns(pairs)
        matches = united if self.mode == "published" else limited
        return self._f_measure(np.minimum(ratio(matches, hypothesis), 1.0), ratio(matches, reference))

    def _counts(self, pairs: WordPairs) -> tuple[Floats, Floats, Floats]:
        """Matches, and what there is in hypothesis and reference."""
        if self.kind == "L":
            subsequences = kernels.lcs_pairs(pairs.references, pairs.hypotheses, pairs.threads)
            hypothesis, reference, matches = as_columns(subsequences)
            return matches, hypothesis, reference
        if self.kind in ("S", "SU"):
            return self._skip_bigrams(pairs)
        order = int(self.kind)
        overlap = kernels.overlap_pairs(pairs.references, pairs.hypotheses, order, pairs.threads)
        hypothesis, reference, *by_order = as_columns(overlap)
        hypothesis_grams, reference_grams = (np.maximum(side - order + 1, 0.0) for side in (hypothesis, reference))
        return by_order[-1], hypothesis_grams, reference_grams

    def _skip_bigrams(self, pairs: WordPairs) -> tuple[Floats, Floats, Floats]:
        common = kernels.skip_bigram_pairs(pairs.references, pairs.hypotheses, self.gap, pairs.threads)
        hypothesis, reference, matches, words, words_without_last = as_columns(common)
        hypothesis_bigrams, reference_bigrams = (_skip_bigram_count(side, self.gap) for side in (hypothesis, reference))
        if self.kind == "S":
            return matches, hypothesis_bigrams, reference_bigrams
        if self.mode == "published":
            return matches + words, hypothesis_bigrams + hypothesis, reference_bigrams + reference
        hypothesis_words, reference_words = (np.maximum(side - 1, 0.0) for side in (hypothesis, reference))
        return matches + words_without_last, hypothesis_bigrams + hypothesis_words, reference_bigrams + reference_words

    def _weighted(self, pairs: WordPairs) -> tuple[Floats, Floats]:
        """Precision and recall of the weighted common subsequence."""
        subsequences = kernels.weighted_lcs_pairs(pairs.references, pairs.hypotheses, self.weight, pairs.threads)
        hypothesis, reference, common = as_columns(subsequences)
        base = reference**self.weight
        if self.mode == "1.5.5":
            base = base**self.weight
        precision = ratio(common, hypothesis**self.weight) ** (1 / self.weight)
        recall = ratio(common, base) ** (1 / self.weight)
        return precision, recall


def _skip_bigram_count(length: Floats, gap: int) -> Floats:
    """How many pairs a text of that length has: all, but for those that are too far apart."""
    beyond = np.maximum(length - 1 - gap, 0.0)
    pairs: Floats = (length * (length - 1) - beyond * (beyond - 1)) / 2
    return pairs


def _best(scores: Floats, offsets: NDArray[np.int64]) -> Floats:
    best: Floats = np.maximum.reduceat(scores, offsets[:-1])
    return best


def _jackknife(scores: Floats, offsets: NDArray[np.int64]) -> Floats:
    """The mean of the best of all references but one: mostly the best of all, once the second best."""
    counts = np.diff(offsets)
    ordered = scores[np.lexsort((scores, np.repeat(np.arange(len(counts)), counts)))]
    best = ordered[offsets[1:] - 1]
    second = ordered[np.maximum(offsets[1:] - 2, offsets[:-1])]
    mean: Floats = ((counts - 1) * best + second) / counts
    return mean
