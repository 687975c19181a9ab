"""What BEER counts, written down as slowly and plainly as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from karat.metrics.beer import SHIPPED, read_weights

GAPS = (1, 2, 3, 4, 10**9)


def ngrams(items: Sequence[Hashable], order: int) -> Counter[Hashable]:
    """All n-grams of one order."""
    return Counter(tuple(items[i : i + order]) for i in range(len(items) - order + 1))


def marked(text: str, order: int) -> list[str]:
    """Words with marks of the beginning and of the end, one fewer of each than the order."""
    return [*["<S>"] * (order - 1), *text.split(), *["</S>"] * (order - 1)]


def pairs(text: str, gap: int) -> Counter[Hashable]:
    """Pairs of words in their order with at most `gap` words between them."""
    words = text.split()
    return Counter((words[i], words[j]) for j in range(len(words)) for i in range(j) if j - i - 1 <= gap)


def bags(text: str) -> list[Counter[Hashable]]:
    """The fifteen bags whose overlap BEER looks at."""
    characters = "".join(text.split())
    return [
        *(ngrams(characters, n) for n in range(1, 7)),
        *(ngrams(marked(text, n), n) for n in range(1, 5)),
        *(pairs(text, gap) for gap in GAPS),
    ]


def features(hypothesis: str, reference: str) -> list[float]:
    """The 62 features of one pair of texts."""
    values = []
    for found, wanted in zip(bags(hypothesis), bags(reference), strict=True):
        matches, h, r = (found & wanted).total(), found.total(), wanted.total()
        precision, recall = (matches / n if n else float(h == r) for n in (h, r))
        low, high = min(precision, recall), max(precision, recall)
        values += [low, high, 2 * low * high / (low + high) if low + high else 0.0, (low * high) ** 0.5]
    for lengths in (
        [len(text.split()) for text in (hypothesis, reference)],
        [len("".join(text.split())) for text in (hypothesis, reference)],
    ):
        values.append(max(*lengths, 1) / max(min(lengths), 1) - 1)
    return values


def score(hypothesis: str, reference: str) -> float:
    """From 0 to 100, with the weights that come with karat."""
    weights = read_weights(SHIPPED).values
    raw = sum(weight * value for weight, value in zip(weights, features(hypothesis, reference), strict=True))
    return 100 * min(1.0, max(0.0, raw))
