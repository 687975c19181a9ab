"""How alike the frames of two texts are: predicates matched with predicates, and within these roles with roles."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from karat.errors import InputError, SpecError
from karat.metrics.annotated.metric import AnnotatedMetric
from karat.metrics.annotated.pairs import rows_beside_best
from karat.metrics.base import parameter
from karat.metrics.framework.arithmetic import ratio
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.text import TextColumn
    from karat.text.annotation import Annotation

T = TypeVar("T")

Words = tuple[str, ...]
PREDICATE, OTHER = "predicate", "other"
MOST_PAIRS = 4_000_000
"""What is compared in some seconds."""


class WordFrame(NamedTuple):
    """The words of a predicate, and those that fill its roles."""

    predicate: Words
    roles: tuple[tuple[str, Words], ...]

    @property
    def length(self) -> int:
        """How many words the frame has."""
        return len(self.predicate) + sum(len(filler) for _, filler in self.roles)


class FramedText(NamedTuple):
    """All words of a text, and its frames."""

    words: Words
    frames: tuple[WordFrame, ...]


@dataclass(frozen=True)
class RoleWeights:
    """How heavy predicates and roles are."""

    given: Mapping[str, float]

    @classmethod
    def of(cls, text: str) -> RoleWeights:
        """The weights in a text such as "predicate=2 ARG0=1 other=0.5"; what is not named weighs as `other` does, or 1.

        >>> RoleWeights.of("ARG0=2 other=0.5").of_role("ARG1")
        0.5
        """
        pairs = [part.rpartition("=") for part in text.split()]
        given = {name: float(value) for name, _, value in pairs}
        if "" in given or len(given) < len(pairs) or not all(0 <= value < 1e6 for value in given.values()):
            raise ValueError(text)
        return cls(given)

    def of_role(self, role: str) -> float:
        """The weight of a role, or of the predicate."""
        return self.given.get(role, self.given.get(OTHER, 1.0))

    def total(self, frame: WordFrame) -> float:
        """The weight of a predicate and its roles together."""
        return self.of_role(PREDICATE) + sum(self.of_role(role) for role, _ in frame.roles)


def alike(hypothesis: FramedText, reference: FramedText, weights: RoleWeights) -> float:
    """F of how far the frames of each side are found on the other, from 0 to 1; that of words where both have none."""
    if not hypothesis.frames and not reference.frames:
        return phrase_likeness(hypothesis.words, reference.words)
    matched = _matches(hypothesis.frames, reference.frames, _predicates)
    pairs = [(hypothesis.frames[i], reference.frames[j]) for i, j in matched]
    similar = [_found_weight(*pair, weights) for pair in pairs]
    precision = _covered([mine for mine, _ in pairs], similar, hypothesis.frames, weights)
    recall = _covered([other for _, other in pairs], similar, reference.frames, weights)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def phrase_likeness(first: Words, second: Words) -> float:
    """F of the shares of words that the other side has, each as often as it is there."""
    if not first or not second:
        return 0.0 if first or second else 1.0
    shared = (Counter(first) & Counter(second)).total()
    return 2 * shared / (len(first) + len(second))


def _predicates(first: WordFrame, second: WordFrame) -> float:
    return phrase_likeness(first.predicate, second.predicate)


def _found_weight(first: WordFrame, second: WordFrame, weights: RoleWeights) -> float:
    """The weights of predicate and roles, each times how alike it is on both sides."""
    total = weights.of_role(PREDICATE) * _predicates(first, second)
    for role in dict.fromkeys(label for label, _ in first.roles):
        mine, others = ([filler for label, filler in frame.roles if label == role] for frame in (first, second))
        matched = _matches(mine, others, phrase_likeness)
        total += weights.of_role(role) * sum(phrase_likeness(mine[i], others[j]) for i, j in matched)
    return total


def _covered(
    matched: Sequence[WordFrame], similar: Sequence[float], frames: Sequence[WordFrame], weights: RoleWeights
) -> float:
    """How much of one side's frames the other has, each as heavy as it has words."""
    shares = (
        frame.length * weight / total
        for frame, weight in zip(matched, similar, strict=True)
        if (total := weights.total(frame)) > 0
    )
    length = sum(frame.length for frame in frames)
    return sum(shares) / length if length else 0.0


def _matches(first: Sequence[T], second: Sequence[T], likeness: Callable[[T, T], float]) -> list[tuple[int, int]]:
    """The pairs, each of either side once, whose likeness is greatest together; none that are not alike at all."""
    if not first or not second:
        return []
    if len(first) * len(second) > MOST_PAIRS:
        raise InputError(f"a segment has more than {MOST_PAIRS:,} pairs of frames or fillers: split it into sentences")
    table = np.array([[likeness(mine, other) for other in second] for mine in first])
    if table.size == 1:
        return [(0, 0)] if table[0, 0] > 0 else []
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    return [(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if table[i, j] > 0]


@dataclass(frozen=True, kw_only=True)
class FrameMetric(AnnotatedMetric):
    """A metric over frames, whose corpus score is the mean of its segments."""

    weights: str = parameter("", "weights such as 'predicate=2 ARG0=1.5 other=1'; 1 for all that is not named")
    lowercase: bool = parameter(True, "ignore case")

    def check(self) -> None:
        """Refuse weights that are none."""
        super().check()
        try:
            RoleWeights.of(self.weights)
        except ValueError:
            remedy = "write ROLE=NUMBER, with spaces between, each role once and no number below 0"
            raise SpecError(f"{self.name}: weights={self.weights!r} cannot be read: {remedy}") from None

    @property
    def columns(self) -> tuple[str, ...]:
        """The score of the segment, and 1 to count it."""
        return ("score", "segments")

    def aggregate(self, sums: Floats) -> Floats:
        """The mean."""
        return ratio(sums[..., 0], sums[..., 1])

    @abstractmethod
    def frames(self, annotation: Annotation, words: Words) -> tuple[WordFrame, ...]:
        """The frames of a text whose words are these."""

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        """Take the frames of the references once."""
        weights = RoleWeights.of(self.weights)

        def row(hypothesis: FramedText, reference: FramedText) -> tuple[float, int]:
            return 100 * alike(hypothesis, reference, weights), 1

        return rows_beside_best(self, references, self._framed, row)

    def _framed(self, column: TextColumn) -> list[FramedText]:
        """The words and frames of each text."""
        framed = []
        for annotation in self.annotations(column):
            words = tuple(token.lower() for token in annotation.tokens) if self.lowercase else annotation.tokens
            framed.append(FramedText(words, self.frames(annotation, words)))
        return framed
