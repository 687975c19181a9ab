"""What an audit of BLEU says: how outputs can be changed, what the test set is, which signals speak of a pair."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Freedom:
    """How freely one segment of a system can be reordered without losing a match; segments are counted from 1.

    Phrases are what lies between mismatches: pairs of neighbours that no reference has. Any order of them scores at
    least as high: `log10_orderings` of phrases! orders, of which `log10_strings` are different texts. `free_words`
    are tokens that no reference has, so that they could be anything.
    """

    system: str
    segment: int
    tokens: int
    phrases: int
    log10_orderings: float
    log10_strings: float
    free_words: int


VariantKind = Literal["ordering", "substitution", "free-words"]


@dataclass(frozen=True)
class Variant:
    """Another text that scores at least as high as the output: its tokens, what matches, and sentence BLEU."""

    kind: VariantKind
    tokens: tuple[str, ...]
    matches: tuple[int, ...]
    bleu: float


@dataclass(frozen=True)
class Enumeration:
    """All orders of the phrases of a segment, by how they score against the order of the output."""

    orderings: int
    higher: int
    equal: int
    lower: int


@dataclass(frozen=True)
class Example:
    """One segment of a system: its phrases, its free words, and texts that score at least as high."""

    system: str
    segment: int
    phrases: tuple[tuple[str, ...], ...]
    free_words: tuple[str, ...]
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    bleu: float
    variants: tuple[Variant, ...]
    enumeration: Enumeration | None


@dataclass(frozen=True)
class SystemFreedom:
    """The segments of a system together; the quartiles are those of log10 of the numbers of orderings."""

    system: str
    segments: int
    tokens: int
    free_words: int
    quartiles: tuple[float, float, float]
    largest: float
    over_million: int
    """Segments with more than a million orderings."""


@dataclass(frozen=True)
class FreedomPoint:
    """Segments of a system that have as many tokens and as many phrases as each other; `segments` is their number."""

    tokens: int
    phrases: int
    log10_orderings: float
    segments: int


@dataclass(frozen=True)
class ScoreShare:
    """Which tokens a system's matches are made of, as shares of its matched n-grams' tokens; None: not known."""

    system: str
    punctuation: float
    function_words: float | None
    content_words: float | None


@dataclass(frozen=True)
class Detectable:
    """The smallest difference that the test set shows with the given power, at the median over pairs of systems."""

    measure: str
    difference: float | None
    power: float
    alpha: float
    pairs: int


@dataclass(frozen=True)
class Facts:
    """What the test set is; `reference_tokens` are those of all references together."""

    segments: int
    documents: int | None
    unit: str
    units: int
    references: tuple[str, ...]
    references_per_segment: str
    reference_tokens: int
    language_pair: str | None
    tokenizer: str
    tokenized: tuple[str, ...]
    """Texts that look tokenised already, references and systems by name."""
    lowercased: tuple[str, ...]
    detectable: tuple[Detectable, ...]
    shares: tuple[ScoreShare, ...]


SignalCode = Literal["different-kinds", "little-power", "few-segments", "close-reference", "metrics-disagree"]


@dataclass(frozen=True)
class SignalKind:
    """What a signal looks at and what to make of it; `advice` follows the paper's section 6."""

    code: SignalCode
    title: str
    explanation: str
    advice: str


@dataclass(frozen=True)
class Evidenced:
    """A number that a signal rests on, and what it is called."""

    name: str
    value: float


@dataclass(frozen=True)
class Signal:
    """Whether a signal fires about a pair of systems: `value` against `threshold`, and the numbers behind it.

    `direction` tells on which side of the threshold it fires. `segments` are those that it is about, the weightiest
    first, counted from 1; `concerns` names the system or reference that it is about, where it is one.
    """

    code: SignalCode
    baseline: str
    system: str
    fires: bool
    value: float
    threshold: float
    direction: Literal["above", "below"]
    measure: str | None = None
    concerns: str | None = None
    reference: str | None = None
    segments: tuple[int, ...] = ()
    numbers: tuple[Evidenced, ...] = ()


@dataclass(frozen=True)
class PairScore:
    """The scores of a pair under one measure; z is the difference in its standard errors, None where they are 0."""

    measure: str
    baseline: str
    system: str
    baseline_score: float
    score: float
    z: float | None


@dataclass(frozen=True)
class SystemPoint:
    """One system under people and under a metric."""

    system: str
    judgement: float
    score: float
    outlier: bool


@dataclass(frozen=True)
class PeopleFit:
    """A metric against people over systems: the share of variance explained, with and without outliers.

    It is None with fewer than three systems, or where all have the same score.
    """

    criterion: str
    measure: str
    r2: float | None
    r2_without_outliers: float | None
    points: tuple[SystemPoint, ...]


@dataclass(frozen=True)
class Audit:
    """Facts, signals of every pair with the scores behind them, freedom of every segment, examples, and people."""

    measure: str
    signature: str
    systems: tuple[str, ...]
    facts: Facts
    pairs: tuple[PairScore, ...]
    signals: tuple[Signal, ...]
    summaries: tuple[SystemFreedom, ...]
    freedoms: tuple[Freedom, ...]
    examples: tuple[Example, ...]
    fits: tuple[PeopleFit, ...]

    @property
    def extremes(self) -> tuple[str, ...]:
        """The systems whose median segment has most orderings, and fewest; one where there is one only."""
        ordered = sorted(self.summaries, key=lambda summary: summary.quartiles[1])
        return tuple(dict.fromkeys(summary.system for summary in (ordered[-1], ordered[0]))) if ordered else ()

    def points(self, system: str) -> tuple[FreedomPoint, ...]:
        """Length against orderings, as in figure 1 of the paper: the segments of a system, those alike as one."""
        own = [freedom for freedom in self.freedoms if freedom.system == system]
        counts = Counter((freedom.tokens, freedom.phrases) for freedom in own)
        orderings = {freedom.phrases: freedom.log10_orderings for freedom in own}
        return tuple(
            FreedomPoint(tokens, phrases, orderings[phrases], count)
            for (tokens, phrases), count in sorted(counts.items())
        )
