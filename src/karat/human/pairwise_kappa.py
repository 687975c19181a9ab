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
from karat.human.agreement import Agreement, corrected

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.human.comparisons import Comparisons

    Codes = NDArray[np.intp]

Counting = Literal["official", "textbook", "intra official", "intra"]
Chance = Literal["data", "third"]
COUNTINGS: tuple[Counting, ...] = ("official", "textbook", "intra official", "intra")
CHANCES: tuple[Chance, ...] = ("data", "third")


def pairwise_kappa(given: Comparisons, counting: Counting = "official", chance: Chance = "data") -> Agreement:
    """WMT's kappa of rankings: P(A) over comparable pairs of judgements, P(E) from the share of ties or 1/3.

    `intra` compares what a judge said with what the same judge said about the same pair at another time; officially
    in the order of the file, with the share of ties among all pairs of the segments that a judge saw again.
    """
    if counting not in COUNTINGS:
        raise SpecError(f"there is no counting {counting!r}.{did_you_mean(counting, COUNTINGS)}")
    if chance not in CHANCES:
        raise SpecError(f"there is no chance {chance!r}.{did_you_mean(chance, CHANCES)}")
    used = given if counting.endswith("official") else given.canonical
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
    if counting.startswith("intra"):
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
