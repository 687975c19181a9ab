"""Agreement on pairs of outputs: first better, second better, tie.

WMT's script and the textbook count differently, so both are here under their names:

- official: an item is a segment and two systems in the order in which the file names them; all pairs of judgements of
  an item are compared, those of one judge with himself included;
- textbook: the order of the two systems does not matter, and only judgements of different judges are compared.

And papers use two kinds of chance: the one expected from how often people called a tie, and 1/3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.errors import SpecError, did_you_mean
from karat.human.agreement.base import PairStatistic, register
from karat.human.agreement.value import AgreementValue, corrected
from karat.human.comparing.comparisons import Comparisons

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.intp]

Counting = Literal["official", "textbook", "intra official", "intra"]
Chance = Literal["data", "third"]
COUNTINGS: tuple[Counting, ...] = ("official", "textbook", "intra official", "intra")
CHANCES: tuple[Chance, ...] = ("data", "third")


def pairwise_kappa(given: Comparisons, counting: Counting = "official", chance: Chance = "data") -> AgreementValue:
    """WMT's kappa of rankings: P(A) over comparable pairs of judgements, P(E) from the share of ties or 1/3.

    `intra` compares what a judge said with what the same judge said about the same pair at another time; officially
    in the order of the file, with the share of ties among all pairs of the segments that a judge saw again.
    """
    if counting not in COUNTINGS:
        raise SpecError(f"there is no counting {counting!r}.{did_you_mean(counting, COUNTINGS)}")
    if chance not in CHANCES:
        raise SpecError(f"there is no chance {chance!r}.{did_you_mean(chance, CHANCES)}")
    used = given if counting in ("official", "intra official") else given.canonical
    agreed, comparable = _counts(used, counting)
    based_on = _seen_again(given) if counting == "intra official" else given
    ties = int((based_on.outcome == 0).sum())
    share = ties / len(based_on) if len(based_on) else 0.0
    expected = 1 / 3 if chance == "third" else share**2 + (1 - share) ** 2 / 2
    name = f"pairwise {counting}" + (", chance 1/3" if chance == "third" else "")
    details = {"agreed": agreed, "ties": ties, "comparisons": len(based_on), "counting": counting, "chance": chance}
    return corrected(name, agreed / comparable if comparable else None, expected, comparable, "pairs", details)


def _counts(given: Comparisons, counting: Counting) -> tuple[int, int]:
    """How many pairs of judgements of one item there are that agree, and how many at all."""
    size = len(given.systems)
    items = (given.segment * size + given.first) * size + given.second
    answers = given.outcome.astype(np.intp) + 1
    if counting == "official":
        return _pairs(items * 3 + answers), _pairs(items)
    judged = _crossed(items, given.rater)
    own = _pairs(judged * 3 + answers), _pairs(judged)
    if counting in ("intra official", "intra"):
        return own
    return _pairs(items * 3 + answers) - own[0], _pairs(items) - own[1]


def _seen_again(given: Comparisons) -> Comparisons:
    """The comparisons of those segments of a judge in which some pair was judged more than once."""
    size = len(given.systems)
    pair = _crossed((given.segment * size + given.first) * size + given.second, given.rater)
    place = _crossed(given.segment, given.rater)
    _, back, counts = np.unique(pair, return_inverse=True, return_counts=True)
    again = np.unique(place[counts[back] > 1])
    return given.taken(np.isin(place, again))


def _crossed(items: Codes, raters: Codes) -> Codes:
    _, codes = np.unique(items, return_inverse=True)
    return np.asarray(codes * (int(raters.max(initial=0)) + 1) + raters, dtype=np.intp)


def _pairs(labels: Codes) -> int:
    """The number of pairs with equal labels."""
    _, counts = np.unique(labels, return_counts=True)
    return int((counts * (counts - 1) // 2).sum())


@register
class PairwiseKappa(PairStatistic):
    r"""WMT's agreement on which of two outputs is better, by its own count and by the textbook's.

    Formula
    -------
    $$\kappa = \frac{p_A - p_E}{1 - p_E}, \quad p_E = t^2 + 2 \left(\frac{1 - t}{2}\right)^2 \text{ with the share } t
    \text{ of ties, or } p_E = \frac{1}{3}$$

    What karat does
    ---------------
    Official: an item is a segment and two systems in the order of the file, and all pairs of judgements count, those of
    one and the same judge included; this gives WMT16's 1,793 of 3,062 for ro-en. Textbook: any order, different judges
    only (3,204 of 5,464). Intra: the same judge at another time (officially 139 of 184). Each with both kinds of
    chance, and each named.

    Example
    -------
    >>> from karat.corpus.ratings import Ratings
    >>> from karat.human.extraction import pair_judgements
    >>> from karat.human.agreement.pairwise_kappa import pairwise_kappa
    >>> judged = Ratings.of({"rater": ["j1", "j2", "j3"], "system": ["a"] * 3, "other_system": ["b"] * 3,
    ...     "segment": ["1"] * 3, "protocol": ["preference"] * 3, "criterion": ["overall"] * 3,
    ...     "label": ["first", "first", "tie"]})
    >>> found = pairwise_kappa(pair_judgements(judged), "textbook", "third")
    >>> found.details["agreed"], found.n, round(found.value, 3)
    (1, 3, 0.0)
    """

    name = "pairwise-kappa"
    title = "Kappa of pairwise comparisons"
    citation = "bojar-etal-2016-findings"
    place = 80

    def evaluate(self, judged: Comparisons) -> tuple[AgreementValue, ...]:
        """Both ways of counting with both kinds of chance, and judges with themselves."""
        between: tuple[Counting, ...] = ("official", "textbook")
        own: tuple[Counting, ...] = ("intra official", "intra")
        others = [pairwise_kappa(judged, counting, chance) for counting in between for chance in CHANCES]
        return (*others, *(pairwise_kappa(judged, counting) for counting in own))
