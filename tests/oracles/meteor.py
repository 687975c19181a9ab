"""METEOR's alignments written down as slowly and plainly as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

Words = Sequence[str]
Table = Sequence[tuple[tuple[str, ...], tuple[str, ...]]]


class Match(NamedTuple):
    """Words of the hypothesis and of the reference, and the module (0 to 3) that matched them."""

    start: int
    length: int
    reference_start: int
    reference_length: int
    module: int

    def words(self) -> set[tuple[str, int]]:
        """What it covers."""
        hypothesis = {("h", self.start + k) for k in range(self.length)}
        return hypothesis | {("r", self.reference_start + k) for k in range(self.reference_length)}


def matches(h: Words, r: Words, stems: dict[str, str], synsets: dict[str, set[int]], table: Table) -> list[Match]:
    """All matches, in the order in which METEOR finds them, sorted by position in the reference."""
    pairs = [(j, i) for i, j in product(range(len(r)), range(len(h)))]
    found = [Match(j, 1, i, 1, 0) for j, i in pairs if h[j] == r[i]]
    found += [Match(j, 1, i, 1, 1) for j, i in pairs if h[j] != r[i] and stems[h[j]] == stems[r[i]]]
    found += [Match(j, 1, i, 1, 2) for j, i in pairs if h[j] != r[i] and synsets[h[j]] & synsets[r[i]]]
    found += [Match(j, hn, i, rn, 3) for i, rn, j, hn in phrase_pairs(r, h, table)]
    found += [Match(j, hn, i, rn, 3) for j, hn, i, rn in phrase_pairs(h, r, table)]
    return sorted(found, key=lambda match: match.reference_start)


def phrase_pairs(here: Words, there: Words, table: Table) -> Iterator[tuple[int, int, int, int]]:
    """Where a phrase stands here and its paraphrase there."""
    for start in range(len(here)):
        for end in range(start + 1, len(here) + 1):
            for phrase, other in table:
                if phrase != tuple(here[start:end]):
                    continue
                for place in range(len(there) - len(other) + 1):
                    if tuple(there[place : place + len(other)]) == other:
                        yield start, end - start, place, len(other)


@dataclass(frozen=True)
class Path:
    """An alignment of the reference up to some position."""

    chosen: tuple[Match, ...] = ()
    words: int = 0
    chunks: int = 0
    distance: int = 0
    last_end: int | None = None
    next: int = 0

    def rank(self) -> tuple[int, int, int]:
        """Smaller is better."""
        return (-self.words, self.chunks, self.distance)

    def closed(self) -> Path:
        """Without an open chunk."""
        return replace(self, chunks=self.chunks + (self.last_end is not None), last_end=None)

    def extended(self, match: Match) -> Path:
        """With one more match, of which only exact ones count in full."""
        share = 1 if match.module == 0 else 2
        return replace(
            self,
            chosen=(*self.chosen, match),
            words=self.words + match.length // share + match.reference_length // share,
            chunks=self.chunks + (self.last_end not in (None, match.start)),
            last_end=match.start + match.length,
            next=match.reference_start + match.reference_length,
        )


def released(found: list[Match], reference_length: int, beam: int) -> tuple[Match, ...]:
    """The alignment that METEOR 1.5 finds."""
    alone = [m for m in found if sum(bool(m.words() & other.words()) for other in found) == 1]
    paths = [Path()]
    for position in range(reference_length):
        following: list[Path] = []
        here = [match for match in found if match.reference_start == position]
        for path in sorted(paths, key=Path.rank)[:beam]:
            if position < path.next:
                following.append(path)
            elif here and here[0] in alone:
                following.append(path.extended(here[0]))
            else:
                without = path
                for match in here:
                    if not any(match.words() & other.words() for other in path.chosen):
                        following.append(without.extended(match))
                        gap = abs(match.start - match.reference_start)
                        without = replace(without, distance=without.distance + gap)
                following.append(replace(without.closed(), next=position + 1))
        paths = following
    best = sorted(paths, key=Path.rank)[:beam]
    return min((path.closed() for path in best), key=Path.rank).chosen


def chunk_count(chosen: Sequence[Match]) -> int:
    """Runs without a gap or jump on either side."""
    ends = [(m.start + m.length, m.reference_start + m.reference_length) for m in chosen]
    return sum(k == 0 or ends[k - 1] != (m.start, m.reference_start) for k, m in enumerate(chosen))


def published(found: list[Match]) -> tuple[int, int, int]:
    """Most covered words, then fewest chunks, then least distance, over all alignments there are."""
    best = (0, 0, 0)

    def search(rest: list[Match], chosen: list[Match], covered: set[tuple[str, int]]) -> None:
        nonlocal best
        gaps = sum(abs(match.start - match.reference_start) for match in chosen)
        best = min(best, (-len(covered), chunk_count(chosen), gaps))
        for k, match in enumerate(rest):
            if not match.words() & covered:
                search(rest[k + 1 :], [*chosen, match], covered | match.words())

    search(found, [], set())
    return -best[0], best[1], best[2]


def row(h: Words, r: Words, chosen: Sequence[Match], function: set[str]) -> list[int]:
    """What METEOR counts in a pair."""
    counts = [0] * 16
    for match in chosen:
        for k, words in enumerate(
            (h[match.start :][: match.length], r[match.reference_start :][: match.reference_length])
        ):
            for word in words:
                counts[4 * match.module + 2 * (word in function) + k] += 1
    totals = [sum(m.length for m in chosen), sum(m.reference_length for m in chosen)]
    chunks = chunk_count(chosen)
    if chunks == 1 and totals == [len(h), len(r)]:
        chunks = 0
    functions = [sum(word in function for word in words) for words in (h, r)]
    return [len(h), len(r), *functions, *counts, chunks, *totals]
