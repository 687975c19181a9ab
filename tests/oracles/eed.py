"""Extended edit distance as the paper defines it: a table of all cells, and a walk over the cheapest places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def eed(
    hypothesis_words: Sequence[str],
    reference_words: Sequence[str],
    *,
    alpha: float = 2.0,
    rho: float = 0.3,
    deletion: float = 0.2,
    insertion: float = 1.0,
    count_start: bool = False,
) -> float:
    """The score from 0 to 1."""
    hypothesis, reference = spaced(hypothesis_words), spaced(reference_words)
    places = range(len(hypothesis) + 1)
    table = [[0.0 if place == 0 else 1.0 for place in places]]
    visited: Counter[int] = Counter()
    for character in reference:
        above, cells = table[-1], list[float]()
        for place in places:
            if place == 0:
                cells.append(above[0] + 1)
                continue
            substitution = above[place - 1] + (hypothesis[place - 1] != character)
            cells.append(min(cells[place - 1] + deletion, substitution, above[place] + insertion))
        cheapest = min(cells)
        visited[cells.index(cheapest)] += 1
        table.append([min(cell, cheapest + alpha) for cell in cells] if character == " " else cells)
    uneven = rho * sum(abs(visited[place] - 1) for place in places if place > 0 or count_start)
    return min(1.0, (table[-1][-1] + uneven) / (len(reference) + uneven))


def spaced(words: Sequence[str]) -> str:
    """The words with a blank before each and one at the end."""
    return " " + "".join(word + " " for word in words)
