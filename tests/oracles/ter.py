"""TER as its definition reads: slow, and with nothing clever in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

MAX_LENGTH = 10
MAX_DISTANCE = 50
BUDGET = 1000
UNREACHABLE = 10**9

ASIAN_PUNCTUATION = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
FULL_WIDTH_PUNCTUATION = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
ASIAN_CHARACTERS = (
    "\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f\u3200-\u3f22"
)


def tercom(line: str, *, normalized: bool, no_punct: bool, asian_support: bool) -> str:
    """The tokens of a line, joined by spaces."""
    if not line:
        return ""
    if normalized:
        line = western(line)
        if asian_support:
            line = re.sub(f"([{ASIAN_CHARACTERS}{ASIAN_PUNCTUATION}{FULL_WIDTH_PUNCTUATION}])", r" \1 ", line)
    if no_punct:
        line = re.sub(r'[.,?:;!"()]', "", line)
        if asian_support:
            line = re.sub(f"[{ASIAN_PUNCTUATION}{FULL_WIDTH_PUNCTUATION}]", "", line)
    return " ".join(line.split())


def western(line: str) -> str:
    """Entities undone, punctuation split off."""
    line = line.replace("\n-", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(entity, character)
    line = re.sub(r"([{|}~\[\\\]^_` !\"#$%&()*+:;<=>?@/])", r" \1 ", f" {line} ")
    line = line.replace("'s ", " 's ")
    line = re.sub(r"([^0-9])([.,])", r"\1 \2 ", line)
    line = re.sub(r"([.,])([^0-9])", r" \1 \2", line)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", line)


def band(row: int, rows: int, columns: int) -> range:
    """The columns of a row that are filled, where there are that many hypothesis and reference words."""
    if row == 0:
        return range(columns + 1)
    slope = columns / rows
    half = math.ceil(slope / 2 + 25) if slope / 2 > 25 else 25
    centre = math.floor(row * slope)
    return range(max(0, centre - half), columns + 1 if row == rows else min(columns + 1, centre + half))


def distance(hypothesis: list[str], reference: list[str]) -> tuple[int, str]:
    """The edit distance inside the band, and the operations of the path that ties are resolved to."""
    cost = {(0, j): j for j in range(len(reference) + 1)}
    operation = {(0, j): "I" for j in range(1, len(reference) + 1)}
    for i, word in enumerate(hypothesis, 1):
        for j in band(i, len(hypothesis), len(reference)):
            equal = j > 0 and word == reference[j - 1]
            ways = [
                (cost.get((i - 1, j - 1), UNREACHABLE) + (not equal), "=" if equal else "S"),
                (cost.get((i - 1, j), UNREACHABLE) + 1, "D"),
                (cost.get((i, j - 1), UNREACHABLE) + 1, "I"),
            ]
            cost[i, j], operation[i, j] = min(ways, key=lambda way: way[0])
    path = ""
    i, j = len(hypothesis), len(reference)
    while i or j:
        path = operation[i, j] + path
        i -= operation[i, j] != "I"
        j -= path[0] != "D"
    return cost[len(hypothesis), len(reference)], path


def shift(words: list[str], start: int, length: int, target: int) -> list[str]:
    """The words after a block has moved behind the first `target` words."""
    block, end = words[start : start + length], start + length
    if target < start:
        return words[:target] + block + words[target:start] + words[end:]
    if target > end:
        return words[:start] + words[end:target] + block + words[target:]
    return words[:start] + words[end : target + length] + block + words[target + length :]


def matches(hypothesis: list[str], reference: list[str]) -> Iterator[tuple[int, int, int]]:
    """Blocks that stand in both: where in the hypothesis, where in the reference, how long."""
    for start in range(len(hypothesis)):
        for place in range(len(reference)):
            for length in range(1, MAX_LENGTH + 1):
                if abs(start - place) > MAX_DISTANCE or start + length > len(hypothesis):
                    break
                if hypothesis[start : start + length] != reference[place : place + length]:
                    break
                yield start, place, length


def candidate_groups(
    hypothesis: list[str], reference: list[str], operations: str
) -> Iterator[list[tuple[int, int, int]]]:
    """The shifts worth a try, those of one block and place together: (start, length, target)."""
    aligned: list[int] = []
    wrong_hypothesis, wrong_reference = [], []
    for operation in operations:
        if operation != "I":
            wrong_hypothesis.append(operation != "=")
        if operation != "D":
            wrong_reference.append(operation != "=")
            aligned.append(len(wrong_hypothesis) - 1)
    for start, place, length in matches(hypothesis, reference):
        if not any(wrong_hypothesis[start : start + length]) or not any(wrong_reference[place : place + length]):
            continue
        if start <= aligned[place] < start + length:
            continue
        places = range(place - 1, place + length)
        targets = dict.fromkeys(0 if position < 0 else aligned[position] + 1 for position in places)
        yield [(start, length, target) for target in targets]


def edits(hypothesis: list[str], reference: list[str], budget: int | None = BUDGET) -> int:
    """Shifts and other edits; `budget` limits how many candidates are tried in all."""
    if not reference:
        return len(hypothesis)
    shifts = tried = 0
    while True:
        before, operations = distance(hypothesis, reference)
        best: tuple[int, int, int, int, list[str]] | None = None
        for group in candidate_groups(hypothesis, reference, operations):
            for start, length, target in group:
                moved = shift(hypothesis, start, length, target)
                candidate = (before - distance(moved, reference)[0], length, -start, -target, moved)
                best = candidate if best is None else max(best, candidate)
            tried += len(group)
            if budget is not None and tried >= budget:
                return shifts + before
        if best is None or best[0] <= 0:
            return shifts + before
        hypothesis = best[-1]
        shifts += 1
