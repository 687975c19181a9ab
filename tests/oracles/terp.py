"""TER-Plus as its description puts it, without a beam: slow, and plain to see."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Rules:
    """What words have to do with each other, and what edits cost."""

    same_stem: Callable[[str, str], bool]
    synonyms: Callable[[str, str], bool]
    costs: dict[str, float]
    function_words: frozenset[str] = frozenset()
    paraphrases: dict[tuple[Phrase, Phrase], float] = field(default_factory=dict)
    size: int = 10
    distance: int = 50

    def related(self, word: str, other: str) -> bool:
        return word == other or self.same_stem(word, other) or self.synonyms(word, other)

    def pair_cost(self, word: str, other: str) -> float:
        if word == other:
            return self.costs["match"]
        options = [self.costs["substitution"]]
        options += [self.costs["stem"]] * self.same_stem(word, other)
        options += [self.costs["synonym"]] * self.synonyms(word, other)
        return min(options)

    def without_paraphrases(self) -> Rules:
        return Rules(self.same_stem, self.synonyms, self.costs, self.function_words, {}, self.size, self.distance)

    def phrase_cost(self, phrase: Phrase, paraphrase: Phrase, probability: float) -> float:
        apart = edits(list(paraphrase), list(phrase), self.without_paraphrases())
        a, b, c, d = (self.costs[name] for name in ("phrase", "phrase_log", "phrase_probability", "phrase_edits"))
        return max(0.0, a + b * math.log10(probability) * apart + c * probability * apart + d * apart)


def edits(hypothesis: list[str], reference: list[str], rules: Rules) -> float:
    """What all edits cost together, those of the shifts included."""
    if not hypothesis or not reference:
        return len(reference) * rules.costs["deletion"] + len(hypothesis) * rules.costs["insertion"]
    usable = {
        (phrase, other): rules.phrase_cost(phrase, other, probability)
        for (phrase, other), probability in rules.paraphrases.items()
        if occurs(phrase, reference) and set(other) <= set(hypothesis)
    }
    words, moves = hypothesis, 0.0
    while True:
        cost, steps = align(words, reference, rules, usable)
        better = best_shift(words, reference, rules, usable, cost, steps)
        if better is None:
            return cost + moves
        words, moves = better, moves + rules.costs["shift"]


def occurs(phrase: Phrase, words: list[str]) -> bool:
    return any(tuple(words[i : i + len(phrase)]) == phrase for i in range(len(words)))


Steps = list[tuple[str, int, int]]
"""The kind of each step with the reference words and hypothesis words it reads."""


def align(
    words: list[str], reference: list[str], rules: Rules, phrases: dict[tuple[Phrase, Phrase], float]
) -> tuple[float, Steps]:
    """The cheapest alignment; of several the one found first, column by column."""
    cells: dict[tuple[int, int], tuple[float, tuple[str, int, int]]] = {(0, 0): (0.0, ("", 0, 0))}

    def reach(i: int, j: int, cost: float, step: tuple[str, int, int]) -> None:
        if (i, j) not in cells or cost < cells[i, j][0]:
            cells[i, j] = (cost, step)

    for j in range(len(words) + 1):
        for i in range(len(reference) + 1):
            here = cells[i, j][0]
            if i < len(reference) and j < len(words):
                kind = "match" if words[j] == reference[i] else "substitution"
                reach(i + 1, j + 1, here + rules.pair_cost(words[j], reference[i]), (kind, 1, 1))
            for (phrase, other), cost in phrases.items():
                if tuple(reference[i : i + len(phrase)]) == phrase and tuple(words[j : j + len(other)]) == other:
                    reach(i + len(phrase), j + len(other), here + cost, ("phrase", len(phrase), len(other)))
            if j < len(words):
                reach(i, j + 1, here + rules.costs["insertion"], ("insertion", 0, 1))
            if i < len(reference):
                reach(i + 1, j, here + rules.costs["deletion"], ("deletion", 1, 0))
    i, j, steps = len(reference), len(words), []
    while i or j:
        step = cells[i, j][1]
        steps.append(step)
        i, j = i - step[1], j - step[2]
    return cells[len(reference), len(words)][0], steps[::-1]


def opposite(steps: Steps) -> tuple[list[bool], list[bool], list[int], list[int]]:
    """Which words are wrong on either side, and which word stands opposite each."""
    wrong: list[bool] = []
    reference_wrong: list[bool] = []
    to_hypothesis: list[int] = []
    to_reference: list[int] = []
    for kind, rows, columns in steps:
        i, j = len(reference_wrong), len(wrong)
        wrong += [kind != "match"] * columns
        reference_wrong += [kind != "match"] * rows
        to_hypothesis += [j if columns else j - 1] * rows
        to_reference += [i if rows else i - 1] * columns
    return wrong, reference_wrong, to_hypothesis, to_reference


def candidates(
    words: list[str],
    reference: list[str],
    rules: Rules,
    phrases: dict[tuple[Phrase, Phrase], float],
    steps: Steps,
) -> set[tuple[int, int, int, int]]:
    """Shifts as (minus the length, first word, last word, word behind which they go)."""
    wrong, reference_wrong, to_hypothesis, to_reference = opposite(steps)
    found: set[tuple[int, int, int, int]] = set()

    def consider(start: int, end: int, i: int, last: int) -> None:
        if not any(wrong[start : end + 1]) or not any(reference_wrong[i : last + 1]):
            return
        if set(words[start : end + 1]) <= rules.function_words or set(reference[i : last + 1]) <= rules.function_words:
            return
        place = to_hypothesis[i]
        if start <= place <= end or abs(place - start) > rules.distance:
            return
        length = min(max(end - start, last - i) + 1, rules.size + 1)
        for k in range(i - 1, min(i + end - start + 1, len(reference))):
            target = to_hypothesis[k] if k >= 0 else -1
            if k < 0 or (target != start and (k == i or target != place)):
                found.add((-length, start, end, target))

    def grow(start: int, i: int, length: int, rows: int) -> None:
        while length < rules.size and start + length < len(words) and i + rows < len(reference):
            j, k = start + length, i + rows
            low, high = max(0, j - rules.distance), min(len(words) - 1, j + rules.distance)
            if to_reference[low] <= k <= to_reference[high]:
                for phrase, other in phrases:
                    if tuple(reference[k : k + len(phrase)]) == phrase and tuple(words[j : j + len(other)]) == other:
                        grow(start, i, length + len(other), rows + len(phrase))
            if not rules.related(words[j], reference[k]):
                return
            consider(start, j, i, k)
            length, rows = length + 1, rows + 1

    for i in range(len(reference)):
        for start in range(len(words)):
            grow(start, i, 0, 0)
    return found


def moved(words: list[str], start: int, end: int, target: int) -> list[str]:
    block, rest = words[start : end + 1], words[:start] + words[end + 1 :]
    if target < start:
        place = target + 1
    elif target > end:
        place = target + 1 - len(block)
    else:
        place = target  # inside the block: as many words further to the right
    return rest[:place] + block + rest[place:]


def best_shift(
    words: list[str],
    reference: list[str],
    rules: Rules,
    phrases: dict[tuple[Phrase, Phrase], float],
    before: float,
    steps: Steps,
) -> list[str] | None:
    """The words after the shift that lowers the cost most, the longest and then the first of several."""
    price = rules.costs["shift"]
    best, chosen = before, None
    for minus_length, start, end, target in sorted(candidates(words, reference, rules, phrases, steps)):
        saved, most = before - best, -2 * minus_length
        if saved > most or (chosen is not None and price > 0 and saved == most):
            break
        shifted = moved(words, start, end, target)
        total = align(shifted, reference, rules, phrases)[0] + price
        if best - total > 0 or (chosen is None and price > 0 and best == total):
            best, chosen = total, shifted
    return chosen
