"""How freely outputs can be reordered without losing a match (Callison-Burch, Osborne and Koehn 2006, section 3).

A matched n-gram has only pairs of neighbours that some reference has. Cut an output at all other pairs, and any order
of the phrases keeps every match: phrases! orders score at least as high. Pairs are judged by type: to count phrases as
tokens less clipped bigram matches is wrong where a bigram matches more often than the references have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice, pairwise, permutations
from math import lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from karat import kernels
from karat.analysis.audit.model import Enumeration, Example, Freedom, SystemFreedom, Variant, VariantKind
from karat.text import tokenizer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.rows import Aggregate
    from karat.text import TextColumn

    Ids = NDArray[np.int32]

MOST_PHRASES = 10
"""What is enumerated: 10! is 3,628,800."""
CHUNK = 8192
ORDERS = 4
MILLION = 6.0
TOLERANCE = 1e-9
"""Scores that lie no further apart are equal."""


@dataclass(frozen=True, eq=False)
class NumberedWords:
    """Words as numbers: those of the references, and of each system; `ends` tell where segments end."""

    words: list[str]
    references: Ids
    reference_offsets: NDArray[np.int64]
    reference_segments: NDArray[np.intp]
    outputs: Mapping[str, tuple[Ids, NDArray[np.int64]]]

    @classmethod
    def of(
        cls,
        references: References,
        systems: Mapping[str, TextColumn],
        *,
        tokenize: str,
        lowercase: bool,
        threads: int | None = None,
    ) -> NumberedWords:
        """Read all texts by one tokenizer."""
        columns = [references.column, *systems.values()]
        cut = [(column.lowered() if lowercase else column).tokens(tokenizer(tokenize), threads) for column in columns]
        words, ids, offsets = kernels.word_types(*cut, threads=threads)
        texts = np.repeat(np.arange(len(references)), references.counts)
        outputs = {name: (ids[i], offsets[i]) for i, name in enumerate(systems, 1)}
        return cls(words, ids[0], offsets[0], np.repeat(texts, np.diff(offsets[0])), outputs)

    @cached_property
    def matches(self) -> list[dict[str, NDArray[np.bool_]]]:
        """For each order of n-grams, where in each system one begins that a reference of its segment has."""
        return list(_matches(self))

    def of_segment(self, segment: int) -> list[Ids]:
        """The references of a segment."""
        first, last = np.searchsorted(self.reference_segments, [segment, segment + 1])
        starts = self.reference_offsets[(self.reference_offsets >= first) & (self.reference_offsets <= last)]
        return [self.references[start:end] for start, end in pairwise(starts.tolist())]


def matched(reading: NumberedWords, name: str, order: int) -> NDArray[np.bool_]:
    """Whether the n-gram that begins at each token of a system is in some reference of its segment."""
    return reading.matches[order - 1][name]


def _matches(reading: NumberedWords) -> Iterator[dict[str, NDArray[np.bool_]]]:
    """For n-grams of one word, of two and so on, where in each system one begins that a reference has."""
    lengths = [np.diff(offsets) for _, offsets in reading.outputs.values()]
    segments = [np.repeat(np.arange(len(sizes)), sizes) for sizes in lengths]
    texts = [np.diff(reading.reference_offsets), *lengths]
    numbers = np.concatenate([reading.references, *(ids for ids, _ in reading.outputs.values())]).astype(np.int64)
    # Texts end n-grams, so each has a number of its own.
    owners = np.repeat(np.arange(sum(map(len, texts))), np.concatenate(texts))
    places = np.concatenate([reading.reference_segments, *segments])
    split = len(reading.references)
    ends = np.cumsum([0, *map(len, segments)]).tolist()
    grams, whole = numbers, np.ones(len(numbers), dtype=bool)
    for order in range(1, ORDERS + 1):
        if order > 1:
            following = np.full(len(numbers), -1, dtype=np.int64)
            following[: 1 - order] = numbers[order - 1 :]
            whole = whole & (np.concatenate([owners[order - 1 :], np.full(order - 1, -1)])[: len(owners)] == owners)
            _, grams = np.unique(grams * (len(reading.words) + 1) + following + 1, return_inverse=True)
        here = places * (int(grams.max(initial=0)) + 1) + grams
        common = np.isin(here[split:], here[:split][whole[:split]]) & whole[split:]
        yield {name: common[ends[i] : ends[i + 1]] for i, name in enumerate(reading.outputs)}


def freedoms(reading: NumberedWords, name: str) -> Iterator[Freedom]:
    """How freely each segment of a system can be reordered."""
    ids, offsets = reading.outputs[name]
    free = np.concatenate([[0], np.cumsum(~matched(reading, name, 1))])[offsets]
    joined = matched(reading, name, 2)
    ends = zip(offsets[:-1].tolist(), offsets[1:].tolist(), np.diff(free).tolist(), strict=True)
    for segment, (start, end, free_words) in enumerate(ends):
        phrases = _phrases(ids[start:end], joined[start:end])
        orders = log10_factorial(len(phrases))
        repeated = sum(log10_factorial(count) for count in Counter(phrases).values() if count > 1)
        yield Freedom(name, segment + 1, end - start, len(phrases), orders, orders - repeated, free_words)


@cache
def log10_factorial(number: int) -> float:
    """The logarithm of n!, which itself may be too large for any number.

    >>> round(log10_factorial(55), 2), log10_factorial(1)
    (73.1, 0.0)
    """
    return lgamma(number + 1) / log(10)


def _phrases(ids: Ids, joined: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """The tokens of a segment, cut behind each one whose pair with the next is in no reference."""
    tokens = ids.tolist()
    cuts = [0, *(np.flatnonzero(~joined[:-1]) + 1).tolist(), len(tokens)]
    return [tuple(tokens[start:end]) for start, end in pairwise(cuts)] if tokens else []


def summary(of_system: Sequence[Freedom]) -> SystemFreedom:
    """The segments of a system together."""
    exponents = np.array([freedom.log10_orderings for freedom in of_system])
    low, middle, high = (float(value) for value in np.quantile(exponents, [0.25, 0.5, 0.75]))
    return SystemFreedom(
        system=of_system[0].system,
        segments=len(of_system),
        tokens=sum(freedom.tokens for freedom in of_system),
        free_words=sum(freedom.free_words for freedom in of_system),
        quartiles=(low, middle, high),
        largest=float(exponents.max()),
        over_million=int((exponents > MILLION).sum()),
    )


class Workshop:
    """Makes and scores other texts for one segment of a system."""

    def __init__(self, reading: NumberedWords, name: str, segment: int, aggregate: Aggregate) -> None:
        ids, offsets = reading.outputs[name]
        start, end = int(offsets[segment]), int(offsets[segment + 1])
        self._reading, self._name, self._segment, self._aggregate = reading, name, segment, aggregate
        self.output = ids[start:end]
        self.phrases = _phrases(self.output, matched(reading, name, 2)[start:end])
        self.free = ~matched(reading, name, 1)[start:end]
        self.references = reading.of_segment(segment)
        self._prepared: dict[int, kernels.PreparedBleu] = {}
        ((self.matches, self.totals, self.bleu),) = self.scored([self.output.tolist()])

    def scored(self, texts: Sequence[Sequence[int]]) -> list[tuple[tuple[int, ...], tuple[int, ...], float]]:
        """Matches and n-grams of each order, and sentence BLEU, of texts in the place of the output."""
        values = self._rows(np.concatenate([np.asarray(text, dtype=np.int32) for text in texts]), [*map(len, texts)])
        scores = self._aggregate(values.astype(np.float64)).tolist()
        return [
            (tuple(row[2 : 2 + ORDERS]), tuple(row[2 + ORDERS :]), score)
            for row, score in zip(values.tolist(), scores, strict=True)
        ]

    def _rows(self, ids: Ids, lengths: Sequence[int]) -> NDArray[np.int64]:
        count = len(lengths)
        if count not in self._prepared:
            tokens = np.concatenate([*self.references] * count).astype(np.int32)
            ends = np.cumsum([0, *([len(text) for text in self.references] * count)])
            spelled = kernels.spell_words(self._reading.words, tokens, ends.astype(np.int64))
            groups = np.arange(count + 1, dtype=np.int64) * len(self.references)
            self._prepared[count] = kernels.prepare_bleu(spelled, groups)
        offsets = np.cumsum([0, *lengths]).astype(np.int64)
        spelled = kernels.spell_words(self._reading.words, ids.astype(np.int32), offsets)
        return kernels.bleu_rows(self._prepared[count], spelled, ORDERS, "closest", 1)

    def example(self, count: int, rng: np.random.Generator, *, verify: bool) -> Example:
        """The segment with texts that score at least as high, each one scored to be sure."""
        made: list[Variant] = []
        for kind, texts in (
            ("ordering", self._orders(rng)),
            ("substitution", self._substitutions()),
            ("free-words", self._other_words(rng)),
        ):
            made += self._kept(kind, texts, count)  # type: ignore[arg-type]
        return Example(
            system=self._name,
            segment=self._segment + 1,
            phrases=tuple(self._spelled(phrase) for phrase in self.phrases),
            free_words=self._spelled(self.output[self.free].tolist()),
            matches=self.matches,
            totals=self.totals,
            bleu=self.bleu,
            variants=tuple(made),
            enumeration=self.enumerated() if verify and 0 < len(self.phrases) <= MOST_PHRASES else None,
        )

    def _spelled(self, ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._reading.words[number] for number in ids)

    def _kept(self, kind: VariantKind, texts: Sequence[list[int]], count: int) -> Iterator[Variant]:
        different = [text for text in texts if text != self.output.tolist()]
        if not different:
            return
        scored = zip(different, self.scored(different), strict=True)
        good = ((text, row) for text, row in scored if row[2] >= self.bleu - TOLERANCE)
        for text, (matches, _, bleu) in islice(good, count):
            yield Variant(kind, self._spelled(text), matches, bleu)

    def _orders(self, rng: np.random.Generator) -> list[list[int]]:
        """A few orders of the phrases at random."""
        orders = [rng.permutation(len(self.phrases)).tolist() for _ in range(20)]
        texts = dict.fromkeys(tuple(number for place in order for number in self.phrases[place]) for order in orders)
        return [list(text) for text in texts]

    def _substitutions(self) -> list[list[int]]:
        """The output with one of its phrases replaced by as many words of a reference in a row."""
        texts: dict[tuple[int, ...], None] = {}
        before: list[int] = []
        for phrase in self.phrases:
            after = self.output[len(before) + len(phrase) :].tolist()
            for reference in self.references:
                for start in range(len(reference) - len(phrase) + 1):
                    words = reference[start : start + len(phrase)].tolist()
                    texts[(*before, *words, *after)] = None
            before += phrase
        return [list(text) for text in texts]

    def _other_words(self, rng: np.random.Generator) -> list[list[int]]:
        """The output with words that no reference of the segment has in the place of those that none has."""
        here = {number for text in (*self.references, self.output) for number in text.tolist()}
        letters = [i for i, word in enumerate(self._reading.words) if word.isalpha() and i not in here]
        if not self.free.any() or not letters:
            return []
        text = self.output.copy()
        text[self.free] = rng.choice(letters, int(self.free.sum()))
        return [text.tolist()]

    def enumerated(self) -> Enumeration:
        """How all orders of the phrases score against that of the output."""
        higher = equal = lower = 0
        orders = permutations(range(len(self.phrases)))
        length = len(self.output)
        width = max(map(len, self.phrases))
        table = np.full((len(self.phrases), width), -1, dtype=np.int32)
        for i, phrase in enumerate(self.phrases):
            table[i, : len(phrase)] = phrase
        while chunk := list(islice(orders, CHUNK)):
            ids = table[np.array(chunk)].reshape(-1)
            values = self._rows(ids[ids >= 0], [length] * len(chunk))
            scores = self._aggregate(values.astype(np.float64)) - self.bleu
            higher += int((scores > TOLERANCE).sum())
            lower += int((scores < -TOLERANCE).sum())
            equal += int((np.abs(scores) <= TOLERANCE).sum())
        return Enumeration(higher + equal + lower, higher, equal, lower)
