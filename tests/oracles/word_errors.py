"""Classes of word errors after Popović (2011), as the rules put them: slow, and plain to see."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class Marked(NamedTuple):
    """For each word: its operation in the alignment, its error in the bag of words, its class."""

    operations: list[str]
    bag: list[str]
    classes: list[str]


def alignment(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[int, list[str], list[str]]:
    """Levenshtein's distance and operations; of equal costs a diagonal step, then a deletion, then an insertion."""
    cost = {(0, 0): 0}
    step = {}
    for i in range(len(reference) + 1):
        for j in range(len(hypothesis) + 1):
            ways = []
            if i and j:
                ways.append((cost[i - 1, j - 1] + (reference[i - 1] != hypothesis[j - 1]), 0, (i - 1, j - 1)))
            if i:
                ways.append((cost[i - 1, j] + 1, 1, (i - 1, j)))
            if j:
                ways.append((cost[i, j - 1] + 1, 2, (i, j - 1)))
            if ways:
                cost[i, j], _, step[i, j] = min(ways)
    of_hypothesis, of_reference = ["lone"] * len(hypothesis), ["lone"] * len(reference)
    at = len(reference), len(hypothesis)
    while at != (0, 0):
        before = step[at]
        if before == (at[0] - 1, at[1] - 1):
            same = reference[before[0]] == hypothesis[before[1]]
            of_reference[before[0]] = of_hypothesis[before[1]] = "match" if same else "substitution"
        at = before
    return cost[len(reference), len(hypothesis)], of_hypothesis, of_reference


def bag_errors(
    words: Sequence[str], bases: Sequence[str], others: Sequence[str], other_bases: Sequence[str]
) -> list[str]:
    """Words that are not in the other bag; `inflected` where their base form is still left there."""
    left, left_bases = list(others), list(other_bases)
    found = []
    for word in words:
        if word in left:
            place = left.index(word)
            del left[place], left_bases[place]
            found.append("none")
        else:
            found.append("error")
    for i, base in enumerate(bases):
        if base in left_bases and found[i] == "error":
            left_bases.remove(base)
            found[i] = "inflected"
    return found


def classes(marked: Marked, words: Sequence[str], other_errors: list[str], lone: str) -> list[str]:
    """The class of each word; the order of words comes last and overrides."""
    kinds = {"lone": lone, "substitution": "lexical", "match": "right"}
    found = []
    for operation, bag, word in zip(marked.operations, marked.bag, words, strict=True):
        kind = {"inflected": "inflection", "none": "right"}.get(bag, kinds[operation])
        if operation != "match" and word in other_errors:
            other_errors.remove(word)
            kind = "order"
        found.append(kind)
    return found


def word_errors(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], base: dict[str, str]
) -> tuple[int, Marked, Marked]:
    """Which reference counts, and what is said of the words of the hypothesis and of that reference."""

    def rate(reference: Sequence[str]) -> tuple[bool, Fraction]:
        edits = alignment(hypothesis, reference)[0]
        if not reference:
            return bool(edits), Fraction(0)
        return False, Fraction(edits, len(reference))

    chosen = min(range(len(references)), key=lambda i: rate(references[i]))
    reference = references[chosen]
    _, of_hypothesis, of_reference = alignment(hypothesis, reference)
    bases, reference_bases = [base[word] for word in hypothesis], [base[word] for word in reference]
    mine = Marked(of_hypothesis, bag_errors(hypothesis, bases, reference, reference_bases), [])
    theirs = Marked(of_reference, bag_errors(reference, reference_bases, hypothesis, bases), [])
    wrong = [word for word, operation in zip(hypothesis, of_hypothesis, strict=True) if operation != "match"]
    wrong_there = [word for word, operation in zip(reference, of_reference, strict=True) if operation != "match"]
    return (
        chosen,
        mine._replace(classes=classes(mine, hypothesis, wrong_there, "extra")),
        theirs._replace(classes=classes(theirs, reference, wrong, "missing")),
    )
