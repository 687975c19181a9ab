"""GLEU, Google's score for single sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat import kernels
from karat.errors import SpecError
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.framework.values import ORDERS
from karat.metrics.words.pairs import PairMetric, best_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.framework.arithmetic import Floats
    from karat.metrics.words.pairs import WordPairs
    from karat.rows import Values


@register
@dataclass(frozen=True, kw_only=True)
class Gleu(PairMetric):
    r"""The smaller of precision and recall of all n-grams together.

    Formula
    -------
    $$\mathrm{GLEU} = 100 \cdot \frac{\sum_s m_s}{\sum_s \max(|G(h_s)|, |G(r_s)|)} , \qquad
    m = \sum_{g \in G(h)} \min\bigl(c_h(g), c_r(g)\bigr)$$

    $G$ are the n-grams of all orders from `min_order` to `max_order` together. For one segment this is
    $\min(P, R)$. Of several references the one with the best score counts. The numbers are those of NLTK's
    ``corpus_gleu``. This is not the GLEU for grammatical error correction (Napoles et al. 2015).

    Use when
    --------
    Single sentences need a score, as a reward in training for instance: it needs no smoothing and is 0 only where
    nothing matches.

    Do not use when
    ---------------
    Numbers shall be compared with published ones of whole test sets: these are BLEU, chrF or TER.

    Known failure
    -------------
    Unigrams are most of the n-grams of a short sentence, so order counts little there.

    Example
    -------
    >>> prepared = Gleu().prepare(["the cat is sitting on the mat"])
    >>> prepared.rows(["the cat sat on the mat"]).values.tolist()
    [[9, 22]]
    """

    name: ClassVar[str] = "gleu"
    family: ClassVar[str] = "n-gram"
    citation: ClassVar[str] = "wu-etal-2016-google"

    min_order: int = parameter(1, "the shortest n-grams that count", within=ORDERS)
    max_order: int = parameter(4, "the longest n-grams that count", within=ORDERS)

    def check(self) -> None:
        """Refuse orders that are none."""
        super().check()
        if self.min_order > self.max_order:
            raise SpecError(f"gleu(min_order={self.min_order},max_order={self.max_order}) has no orders between them")

    @property
    def columns(self) -> tuple[str, ...]:
        """Matches, and the n-grams of the side that has more of them."""
        return ("matches", "ngrams")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "GLEU"

    def rows_of(self, pairs: WordPairs) -> Values:
        """Matches and n-grams against the best reference."""
        overlap = kernels.overlap_pairs(pairs.references, pairs.hypotheses, self.max_order, pairs.threads)
        matches = overlap[:, 2 + self.min_order - 1 :].sum(axis=1)
        longer = np.maximum(overlap[:, 0], overlap[:, 1])
        ngrams = sum(np.maximum(longer - n + 1, 0) for n in range(self.min_order, self.max_order + 1))
        rows = np.stack([matches, ngrams], axis=1)
        score = ratio(rows[:, 0].astype(np.float64), rows[:, 1].astype(np.float64))
        # A reference without n-grams counts only where no other has any.
        best: NDArray[np.int64] = rows[best_pairs(np.where(rows[:, 1] > 0, score, -1.0), pairs.offsets)]
        return best

    def aggregate(self, sums: Floats) -> Floats:
        """Matches per hundred n-grams."""
        return 100.0 * ratio(sums[..., 0], sums[..., 1])
