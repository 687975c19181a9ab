"""CharacTER word by word: slow, and plain to see."""

from __future__ import annotations

from tests.oracles.edit_distance import levenshtein


def score(hypothesis: list[str], reference: list[str]) -> float:
    """From 0 to 1."""
    if not hypothesis:
        return 1.0 if reference else 0.0
    shifted = list(hypothesis)
    while (better := best_shift(shifted, reference)) is not None:
        shifted = better
    characters = " ".join(shifted)
    edits = levenshtein(characters, " ".join(reference)) + shift_cost(hypothesis, shifted)
    return min(1.0, edits / len(characters))


def best_shift(words: list[str], reference: list[str]) -> list[str] | None:
    """The words after the shift that leaves the fewest edits, the last in the dictionary of several."""
    options = []
    for start in range(len(words)):
        for target in range(len(reference)):
            length = 0
            while words[start : start + length + 1] == reference[target : target + length + 1]:
                length += 1
                if start + length == len(words) or target + length == len(reference):
                    break
            if length and start != target:
                rest = words[:start] + words[start + length :]
                moved = rest[:target] + words[start : start + length] + rest[target:]
                options.append((-levenshtein(moved, reference), moved))
    if options and -max(options)[0] < levenshtein(words, reference):
        return max(options)[1]
    return None


def shift_cost(before: list[str], after: list[str]) -> float:
    """The mean length of the words of each block that stands further to the right than before."""
    cost, start = 0.0, 0
    while start < len(before):
        places = [place for place in range(start + 1, len(after)) if after[place] == before[start]]
        if before[start] == after[start] or not places:
            start += 1
            continue
        end, place = start, places[0]
        while place < len(after) and before[end] == after[place]:
            end, place = end + 1, place + 1
        cost += sum(map(len, before[start:end])) / (end - start)
        start = end
    return cost
