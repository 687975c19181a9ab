"""ROUGE written down as slowly and plainly as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cache
from itertools import chain, combinations

Words = Sequence[str]


def units(words: Words, kind: str, gap: int, mode: str) -> Counter[Hashable]:
    """What kinds other than L and W count."""
    if kind in ("S", "SU"):
        places = combinations(range(len(words)), 2)
        pairs: list[Hashable] = [(words[i], words[j]) for i, j in places if j - i - 1 <= gap]
        single = words if mode == "published" else words[:-1]
        return Counter(pairs + list(single)) if kind == "SU" else Counter(pairs)
    n = int(kind)
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def subsequence(hypothesis: Words, reference: Words, weight: float) -> float:
    """The paper's recurrence: the weight of a common subsequence."""

    @cache
    def cell(i: int, j: int) -> tuple[float, int]:
        if i == 0 or j == 0:
            return 0.0, 0
        if hypothesis[i - 1] == reference[j - 1]:
            before, run = cell(i - 1, j - 1)
            return before + (run + 1) ** weight - run**weight, run + 1
        return max(cell(i - 1, j)[0], cell(i, j - 1)[0]), 0

    return cell(len(hypothesis), len(reference))[0]


def precision_recall(h: Words, r: Words, kind: str, mode: str, weight: float, gap: int) -> tuple[float, float]:
    """Precision and recall of one pair."""
    if kind in ("L", "W"):
        power = weight if kind == "W" else 1.0
        common = subsequence(h, r, power)
        base = float(len(r)) ** power
        if kind == "W" and mode == "1.5.5":
            base **= power
        shares = (common / len(h) ** power if h else 0.0, common / base if r else 0.0)
        return shares[0] ** (1 / power), shares[1] ** (1 / power)
    found, wanted = units(h, kind, gap, mode), units(r, kind, gap, mode)
    matches = (found & wanted).total()
    return matches / max(found.total(), 1), matches / max(wanted.total(), 1)


def longest(hypothesis: Words, reference: Words) -> list[int]:
    """The places in the reference of a longest common subsequence, read from the right."""

    @cache
    def length(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return 0
        if reference[i - 1] == hypothesis[j - 1]:
            return length(i - 1, j - 1) + 1
        return max(length(i - 1, j), length(i, j - 1))

    i, j = len(reference), len(hypothesis)
    places = []
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif length(i, j - 1) > length(i - 1, j):
            j -= 1
        else:
            i -= 1
    return places


def united(hypothesis: str, reference: str, mode: str) -> float:
    """ROUGE-Lsum of one pair of texts with a newline between sentences."""
    found, wanted = ([line.split() for line in text.split("\n")] for text in (hypothesis, reference))
    hits = [line[place] for line in wanted for place in {i for other in found for i in longest(other, line)}]
    matches = (Counter(hits) & Counter(chain.from_iterable(found))).total() if mode == "1.5.5" else len(hits)
    if matches == 0:
        return 0.0
    precision, recall = min(1, matches / sum(map(len, found))), matches / sum(map(len, wanted))
    return 100 * 2 * precision * recall / (precision + recall)


def score(
    hypothesis: str, reference: str, kind: str, mode: str, alpha: float = 0.5, weight: float = 1.2, gap: int = 4
) -> float:
    """ROUGE of one pair that is tokenised already."""
    precision, recall = precision_recall(hypothesis.split(), reference.split(), kind, mode, weight, gap)
    if precision == 0 or recall == 0:
        return 0.0
    return 100 / (alpha / precision + (1 - alpha) / recall)
