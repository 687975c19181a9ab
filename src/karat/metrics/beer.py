"""BEER: a linear model over overlaps of characters, words and pairs of words."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.corpus.jsontext import parse_json
from karat.errors import InputError
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import as_columns, ratio
from karat.metrics.words.pairs import SegmentMean, best_rows
from karat.text import tokenizer

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.rows import Values
    from karat.text import TextColumn

SHIPPED = Path(__file__).parent / "trained" / "beer.json"

_CHARACTER_ORDERS = 6
_WORD_ORDERS = 4
_GAPS = (1, 2, 3, 4, np.inf)
_GROUPS = (
    *(f"characters-{n}" for n in range(1, _CHARACTER_ORDERS + 1)),
    *(f"words-{n}" for n in range(1, _WORD_ORDERS + 1)),
    *(f"pairs-{gap}" for gap in ("1", "2", "3", "4", "any")),
)
FEATURES = (
    *(f"{group}-{kind}" for group in _GROUPS for kind in ("min", "max", "harmonic", "geometric")),
    "word-disbalance",
    "character-disbalance",
)
"""The names of the 62 features, in the order of their weights."""


@dataclass(frozen=True)
class TrainedWeights:
    """One weight per feature, and a hash of the file they were read from."""

    values: tuple[float, ...]
    digest: str


@cache
def read_weights(path: Path) -> TrainedWeights:
    """Read a file of weights as `tools/train_beer.py` writes it."""
    try:
        data = path.read_bytes()
        weights = dict(parse_json(data.decode())["weights"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path} has no weights of BEER ({reason}); tools/train_beer.py makes such a file") from error
    if list(weights) != list(FEATURES) or not all(isinstance(w, int | float) and isfinite(w) for w in weights.values()):
        raise InputError(f"{path}: the weights are not those of BEER's {len(FEATURES)} features, in their order")
    *overlaps, words, characters = weights.values()
    if min(overlaps) < 0 or max(words, characters) > 0 or abs(sum(overlaps) - 1) > 1e-6:
        raise InputError(f"{path}: weights of overlaps must be at least 0 and sum to 1, those of lengths at most 0")
    return TrainedWeights(tuple(map(float, weights.values())), hashlib.blake2b(data, digest_size=4).hexdigest())


@register
@dataclass(frozen=True, kw_only=True)
class Beer(SegmentMean):
    r"""Linear model, trained on human judgements, over what characters, words and pairs of words have in common.

    Formula
    -------
    $$\mathrm{BEER} = 100 \cdot \min\Bigl(1, \max\Bigl(0, \sum_k w_k x_k\Bigr)\Bigr), \qquad
    x = \bigl(\min(P,R), \; \max(P,R), \; \tfrac{2PR}{P+R}, \; \sqrt{PR}\bigr)_{15}, \; d_{words}, \; d_{characters},
    \qquad d = \frac{\max(|h|,|r|,1)}{\max(\min(|h|,|r|),1)} - 1$$

    The fifteen bags whose overlap gives $P$ and $R$ are n-grams of characters ($n$ from 1 to 6, blanks left out), of
    words ($n$ from 1 to 4, with $n-1$ marks of the beginning and of the end), and pairs of words with at most 1, 2, 3,
    4 or any number of words between the two. A bag that is empty on both sides agrees ($P = R = 1$). Of several
    references the best counts. The corpus score is the mean of the segments. Segments of more than 11,500 words are
    refused.

    The features are those of BEER 2.0. **The weights are our own**, since those of the authors are not at hand: only
    the order of scores, not their values, can be expected to agree with their program; on the six sentences with its
    recorded scores the correlation is 0.91 (Pearson). Ours are never negative for an overlap nor positive for a
    difference of length, and those of the overlaps sum to one, so that a perfect hypothesis has 100. They were learned
    by `tools/train_beer.py` from pairs of translations of one segment that people scored differently (logistic loss of
    the difference, with a penalty on squares that was chosen on unseen segments of the training data), on WMT21 news
    and TED talks, English-German, with MQM ratings. ``weights=PATH`` takes another file that the script made.

    Agreement with people, by segment, on two data sets that were held out; BLEU is smoothed by adding one:

    | held out | measure | BEER | BLEU | chrF |
    |---|---|---|---|---|
    | WMT23 English-German, MQM, 12 systems | Pearson, all segments | 0.214 | 0.244 | 0.232 |
    | the same | Kendall, systems of one segment | 0.258 | 0.233 | 0.257 |
    | MLQE-PE Estonian-English, direct assessment, two references | Pearson, all segments | 0.552 | 0.502 | 0.554 |

    So these weights tell translations of one segment apart about as well as chrF and better than BLEU does, and say
    less than both about which segments of WMT23 are hard.

    These sets were held out from training, but not from our eyes: 42 combinations of data, signs and penalty were
    looked at on them before data and signs were settled, so the numbers may flatter a little. Among those trained on
    these data, on pairs of one segment, they differ by up to 0.03. Pairs of different segments raised the first number
    (to 0.27 at most) and lowered the second (to 0.18 at least). WMT21's direct assessments of Czech-English were left
    out: alone they gave as little as -0.13 and -0.02, and by segment neither BLEU nor chrF correlates with them as we
    read them, which may be a fault of ours in matching ratings with lines.

    Two slips of BEER 2.0's program are left out: its n-grams of characters are one character shorter than their number
    says, and its corpus score divides by one segment too many. Permutation trees belong to BEER 1 and are absent.

    Use when
    --------
    You want one number of words, characters and order together, with weights that people's judgements decided.

    Do not use when
    ---------------
    The language or the kind of text is far from what the weights were trained on and nobody has checked them there.

    Known failure
    -------------
    A learned mixture explains nothing: two systems with equal scores may differ in every feature. Numbers with
    different weights, ours and the authors' above all, must not be compared.

    Example
    -------
    >>> prepared = Beer().prepare(["the cat sat on the mat"])
    >>> [round(prepared.rows([text]).score, 1) for text in ("the cat sat on the mat", "the cats sat on a mat")]
    [100.0, 42.9]
    """

    name: ClassVar[str] = "beer"
    family: ClassVar[str] = "learned"
    citation: ClassVar[str] = "stanojevic-simaan-2015-beer"

    weights: str = parameter("", "a file of weights made by tools/train_beer.py; none for those that come with karat")

    def check(self) -> None:
        """Refuse a file that has no weights."""
        super().check()
        read_weights(self._path)

    @property
    def _path(self) -> Path:
        return Path(self.weights) if self.weights else SHIPPED

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "BEER"

    @property
    def resources(self) -> dict[str, str]:
        """A hash of the weights."""
        return {**super().resources, "weights": read_weights(self._path).digest}

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare words and characters of the references."""
        prepared = PreparedFeatures(self, references, threads)
        weights = read_weights(self._path).values

        def rows(hypotheses: TextColumn) -> Values:
            features = prepared.features(hypotheses)
            # One column after the other: a product of matrices may round otherwise where there are more rows.
            raw = sum((weight * feature for weight, feature in zip(weights, features, strict=True)), start=0.0)
            return best_rows(100.0 * np.clip(raw, 0.0, 1.0), references.offsets)

        return rows

    def characters(self, column: TextColumn, threads: int | None) -> kernels.Tokens:
        """The characters of every string."""
        text = column.lowered() if self.lowercase else column
        return text.tokens(tokenizer("char"), threads)


class PreparedFeatures:
    """References as words and as characters, and the features of hypotheses against them."""

    def __init__(self, metric: Beer, references: References, threads: int | None) -> None:
        self._metric, self._threads = metric, threads
        self._words, self._characters = (
            kernels.prepare_words(cut(references.column, threads), references.offsets, threads)
            for cut in (metric.tokens, metric.characters)
        )

    def features(self, hypotheses: TextColumn) -> list[Floats]:
        """One column per feature, with one number for each pair of a hypothesis and a reference."""
        words = self._metric.tokens(hypotheses, self._threads)
        characters = self._metric.characters(hypotheses, self._threads)
        hypothesis, reference, *matches = as_columns(kernels.beer_pairs(self._words, words, self._threads))
        letters, reference_letters, *letter_matches = as_columns(
            kernels.overlap_pairs(self._characters, characters, _CHARACTER_ORDERS, self._threads)
        )
        bags = [
            *zip(letter_matches, _ngrams(letters), _ngrams(reference_letters), strict=True),
            *zip(matches, _word_bags(hypothesis), _word_bags(reference), strict=True),
        ]
        overlaps = [feature for bag in bags for feature in _overlap(*bag)]
        return [*overlaps, _disbalance(hypothesis, reference), _disbalance(letters, reference_letters)]


def _ngrams(length: Floats) -> list[Floats]:
    """How many n-grams of characters there are, by order."""
    return [np.maximum(length - n, 0.0) for n in range(_CHARACTER_ORDERS)]


def _word_bags(length: Floats) -> list[Floats]:
    """How many n-grams of words with marks there are, by order, then how many pairs of words, by gap."""
    pairs = []
    for gap in _GAPS:
        beyond = np.maximum(length - 1.0 - gap, 0.0)
        pairs.append((length * (length - 1.0) - beyond * (beyond - 1.0)) / 2.0)
    return [*(length + n for n in range(_WORD_ORDERS)), *pairs]


def _overlap(matches: Floats, hypothesis: Floats, reference: Floats) -> list[Floats]:
    """The lesser and the greater of precision and recall, their harmonic and their geometric mean."""
    both_empty = (hypothesis == 0) & (reference == 0)
    precision, recall = (np.where(both_empty, 1.0, ratio(matches, bag)) for bag in (hypothesis, reference))
    low, high = np.minimum(precision, recall), np.maximum(precision, recall)
    return [low, high, ratio(2.0 * low * high, low + high), np.sqrt(low * high)]


def _disbalance(hypothesis: Floats, reference: Floats) -> Floats:
    """By what share the longer exceeds the shorter."""
    shorter, longer = np.minimum(hypothesis, reference), np.maximum(hypothesis, reference)
    disbalance: Floats = np.maximum(longer, 1.0) / np.maximum(shorter, 1.0) - 1.0
    return disbalance
