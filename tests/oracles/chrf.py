"""chrF written down as slowly and plainly as possible."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence

TINY = 1e-16


def ngrams(items: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram occurs."""
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))


def words(line: str) -> list[str]:
    """What white space separates, with one punctuation mark cut off at the end, else at the start."""
    result = []
    for word in line.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            result += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            result += [word[0], word[1:]]
        else:
            result.append(word)
    return result


def row_of_one(hypothesis: str, reference: str, char_order: int, word_order: int, whitespace: bool) -> list[int]:
    """(hypothesis, reference, match) for each order."""
    sides = []
    for line in (hypothesis, reference):
        characters = line if whitespace else "".join(line.split())
        sides.append([(list(characters), n) for n in range(1, char_order + 1)])
        sides[-1] += [(words(line), n) for n in range(1, word_order + 1)]
    row = []
    for (ours, n), (theirs, _) in zip(*sides, strict=True):
        found, wanted = ngrams(ours, n), ngrams(theirs, n)
        row += [found.total() if wanted else 0, wanted.total(), (found & wanted).total()]
    return row


def score(row: Sequence[float], beta: float = 2, eps_smoothing: bool = False) -> float:
    """chrF of one summed row."""
    factor = beta**2
    orders = [row[i : i + 3] for i in range(0, len(row), 3)]
    if eps_smoothing:
        total = 0.0
        for hypothesis, reference, match in orders:
            p = match / hypothesis if hypothesis > 0 else TINY
            r = match / reference if reference > 0 else TINY
            total += (1 + factor) * p * r / (factor * p + r) if factor * p + r > 0 else TINY
        return 100 * total / len(orders)
    both = [order for order in orders if order[0] > 0 and order[1] > 0]
    if not any(order[2] for order in both):
        return 0.0
    p = sum(match / hypothesis for hypothesis, _, match in both) / len(both)
    r = sum(match / reference for _, reference, match in both) / len(both)
    return 100 * ((1 + factor) * p * r / (factor * p + r))


def row(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> list[int]:
    """The row against the reference with the highest score; `max` takes the first of equals."""
    rows = [row_of_one(hypothesis, reference, char_order, word_order, whitespace) for reference in references]
    return max(rows, key=lambda candidate: score(candidate, beta, eps_smoothing))
