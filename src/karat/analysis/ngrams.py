"""Which n-grams tell systems from references, and from one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from karat import kernels
from karat.analysis.cells import Cells
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.aligned import AlignedWords
    from karat.analysis.figures import Figure, Subject
    from karat.analysis.resampling import Resampler
    from karat.kernels import NgramKinds, NgramTable, NgramTally

    Positions = NDArray[np.int32] | NDArray[np.int64]
    Floats = NDArray[np.float64]

Selection = Literal["log-odds", "discriminative"]
SELECTIONS: tuple[Selection, ...] = get_args(Selection)

Contrast = Literal["over", "under", "gets", "misses"]
"""More or less often than the reference; right more often or less often than in the baseline."""


@dataclass(frozen=True)
class NgramFigure:
    """One n-gram: how often it counts for a system and against it, and how far these are apart.

    Over and under: `count` is how often the system has it beyond the reference, `other` how often the reference has it
    beyond the system. Gets and misses: how often the system, and the baseline, have it where the reference has it, too.
    `log_odds` is ln((count + a) / (other + a)), `saliency` is (count + a) / (count + other + 2a). `weight` is that of
    the perceptron, where n-grams were selected by it. `segments` are those that it counts in, on either side.
    """

    ngram: tuple[str, ...]
    count: int
    other: int
    few: bool
    log_odds: Figure
    saliency: float
    segments: tuple[int, ...]
    weight: float | None = None


@dataclass(frozen=True)
class NgramContrast:
    """The n-grams that stand out in one contrast, the most telling first, out of `candidates`."""

    contrast: Contrast
    system: str
    against: str | None
    candidates: int
    ngrams: tuple[NgramFigure, ...]


@dataclass(frozen=True)
class NgramModel:
    """What a perceptron learnt that prefers references to one system's output, and how well on held-out segments."""

    system: str
    trained_on: int
    held_out: int
    accuracy: float
    features: int


@dataclass(frozen=True)
class Ngrams:
    """The n-grams that stand out; with several references, against the closest by edits."""

    subject: Subject
    tokenize: str
    lowercase: bool
    max_order: int
    smoothing: float
    select: str
    contrasts: tuple[NgramContrast, ...]
    models: tuple[NgramModel, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """One entry per n-gram and contrast."""
        return {
            **self.subject.to_json(),
            "tokenize": self.tokenize,
            "lowercase": self.lowercase,
            "reference": "closest" if self.subject.references > 1 else "only",
            "max_order": self.max_order,
            "smoothing": self.smoothing,
            "select": self.select,
            "ngrams": [
                {
                    "contrast": contrast.contrast,
                    "system": contrast.system,
                    "against": contrast.against,
                    "ngram": " ".join(chosen.ngram),
                    "order": len(chosen.ngram),
                    "count": chosen.count,
                    "other": chosen.other,
                    "few": chosen.few,
                    "log_odds": chosen.log_odds.value,
                    "interval": None if chosen.log_odds.interval is None else list(chosen.log_odds.interval),
                    "saliency": chosen.saliency,
                    "weight": chosen.weight,
                    "segments": self.subject.ids(chosen.segments),
                }
                for contrast in self.contrasts
                for chosen in contrast.ngrams
            ],
            "models": [
                {
                    "system": model.system,
                    "trained_on": model.trained_on,
                    "held_out": model.held_out,
                    "accuracy": model.accuracy,
                    "features": model.features,
                }
                for model in self.models
            ],
        }


@dataclass(frozen=True)
class NgramChoice:
    """Which n-grams are looked at, and how they are ranked."""

    max_order: int = 4
    top: int = 10
    smoothing: float = 1.0
    select: Selection = "log-odds"


def ngrams(
    aligned: AlignedWords,
    choice: NgramChoice,
    subject: Subject,
    resampler: Resampler,
    *,
    threads: int | None = None,
) -> Ngrams:
    """The n-grams that stand out in each system's output."""
    texts, names = aligned.texts, subject.systems
    single = subject.references == 1
    references = [texts.references] if single else [aligned.closest(name) for name in names]
    columns = [*(texts.systems[name] for name in names), *references]
    table = kernels.ngram_table(columns, choice.max_order, threads=threads)
    ranking = _Contrasts(table, texts.types, choice)
    outputs = table.columns[: len(names)]
    theirs = table.columns[len(names) :] * (len(names) if single else 1)
    stood_out: list[_StoodOut] = []
    models: list[NgramModel] = []
    for name, output, reference in zip(names, outputs, theirs, strict=True):
        tally = kernels.ngram_tally(output, reference, apart=True)
        weights = None
        if choice.select == "discriminative":
            learnt = learn(tally, len(table.last), resampler)
            weights = learnt.weights
            models.append(
                NgramModel(name, learnt.trained_on, learnt.held_out, learnt.accuracy, int((weights != 0).sum()))
            )
        stood_out += ranking.two_ways(("over", "under"), name, None, tally, weights)
    matches = list(map(kernels.shared_ngrams, outputs, theirs))
    first = names.index(subject.baseline)
    for i, name in enumerate(names):
        if i != first:
            tally = kernels.ngram_tally(matches[i], matches[first], apart=False)
            stood_out += ranking.two_ways(("gets", "misses"), name, subject.baseline, tally, None)
    return Ngrams(
        subject,
        texts.tokenize,
        texts.lowercase,
        choice.max_order,
        choice.smoothing,
        choice.select,
        tuple(_contrasts(stood_out, choice.smoothing, subject, resampler)),
        tuple(models),
    )


LOOKED_AT = 20
"""So many times the n-grams asked for are looked at, to pass over those that are part of others."""


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The first n-grams by some ranking, with how often each counts in all, out of `candidates`."""

    candidates: int
    ngrams: Positions
    more: Positions
    less: Positions

    @classmethod
    def by_log_odds(cls, tally: NgramTally, kept: int, smoothing: float) -> tuple[_Ranked, _Ranked]:
        """Those that count for something, and those that count against it: equal counts have equal log-odds."""
        kinds = kernels.ngram_kinds(tally, kept)
        log_odds = np.log((kinds.more + smoothing) / (kinds.less + smoothing))
        for_it, against = (cls._best_kinds(kinds, sign * log_odds, kept) for sign in (1, -1))
        return for_it, against

    @classmethod
    def _best_kinds(cls, kinds: NgramKinds, log_odds: Floats, kept: int) -> _Ranked:
        chosen = np.flatnonzero(log_odds > 0)
        order = chosen[np.lexsort((-(kinds.more + kinds.less)[chosen], -log_odds[chosen]))]
        sizes = np.diff(kinds.starts)[order]
        enough = int(np.searchsorted(np.cumsum(sizes), kept)) + 1
        order, sizes = order[:enough], sizes[:enough]
        first = [kinds.first[kinds.starts[kind] : kinds.starts[kind + 1]] for kind in order.tolist()]
        ngrams = np.concatenate([np.zeros(0, dtype=np.int32), *first])[:kept]
        of_kind = np.repeat(order, sizes)[:kept]
        return cls(int(kinds.counts[chosen].sum()), ngrams, kinds.more[of_kind], kinds.less[of_kind])

    @classmethod
    def by_weights(cls, tally: NgramTally, kept: int, weights: Floats) -> tuple[_Ranked, _Ranked]:
        """Those with the lowest weights, for a model that prefers references gives these to what is too often there,
        and those with the highest."""
        more, less = (np.bincount(tally.ngrams, counts, len(weights)) for counts in (tally.more, tally.less))
        sides = []
        for sign in (1, -1):
            chosen = np.flatnonzero(-sign * weights > 0)
            best = chosen[np.lexsort((chosen, -(more + less)[chosen], sign * weights[chosen]))][:kept]
            sides.append(cls(len(chosen), best, more[best].astype(np.intp), less[best].astype(np.intp)))
        return sides[0], sides[1]


@dataclass(frozen=True, eq=False)
class _Pick:
    """An n-gram with how often it counts in all, and in each segment."""

    ngram: tuple[str, ...]
    count: int
    other: int
    segments: Positions
    more: Positions
    less: Positions
    weight: float | None

    def says_more_than(self, other: _Pick) -> bool | None:
        """Whether it has the other as a part; None where neither has, or they do not count in the same segments."""
        if (self.count, self.other) != (other.count, other.other):
            return None
        short, long = sorted((self.ngram, other.ngram), key=len)
        size = len(short)
        if not any(long[i : i + size] == short for i in range(len(long) - size + 1)):
            return None
        return len(self.ngram) > len(other.ngram) if np.array_equal(self.segments, other.segments) else None


@dataclass(frozen=True, eq=False)
class _StoodOut:
    """The n-grams chosen for one contrast, before intervals are drawn."""

    contrast: Contrast
    system: str
    against: str | None
    candidates: int
    picks: list[_Pick]


@dataclass(frozen=True, eq=False)
class _Contrasts:
    """Ranks n-grams and chooses the first ones."""

    table: NgramTable
    types: Sequence[str]
    choice: NgramChoice

    def two_ways(
        self,
        ways: tuple[Contrast, Contrast],
        system: str,
        against: str | None,
        tally: NgramTally,
        weights: Floats | None,
    ) -> Iterator[_StoodOut]:
        """The n-grams that count for the system, and those that count against it."""
        kept = LOOKED_AT * self.choice.top
        if weights is None:
            sides = _Ranked.by_log_odds(tally, kept, self.choice.smoothing)
        else:
            sides = _Ranked.by_weights(tally, kept, weights)
        for way, ranked in zip(ways, sides, strict=True):
            picks = self._longest(self._picks(ranked, tally, weights))
            yield _StoodOut(way, system, against, ranked.candidates, picks)

    def _picks(self, ranked: _Ranked, tally: NgramTally, weights: Floats | None) -> Iterator[_Pick]:
        begins, ends = (np.searchsorted(tally.ngrams, ranked.ngrams, side=side) for side in _SIDES)
        columns = (ranked.ngrams, ranked.more, ranked.less, begins, ends)
        for ngram, more, less, begin, end in zip(*(column.tolist() for column in columns), strict=True):
            yield _Pick(
                self._spelled(ngram),
                more,
                less,
                tally.segments[begin:end],
                tally.more[begin:end],
                tally.less[begin:end],
                None if weights is None else float(weights[ngram]),
            )

    def _longest(self, ranked: Iterator[_Pick]) -> list[_Pick]:
        """The first n-grams, without those that are part of another which counts in the same segments as often."""
        kept: list[_Pick] = []
        for pick in ranked:
            same = next(
                ((i, more) for i, shorter in enumerate(kept) if (more := pick.says_more_than(shorter)) is not None),
                None,
            )
            if same is None:
                if len(kept) == self.choice.top:
                    break
                kept.append(pick)
            elif same[1]:
                kept[same[0]] = pick
        return kept

    def _spelled(self, ngram: int) -> tuple[str, ...]:
        words: list[str] = []
        while ngram >= 0:
            words.append(self.types[self.table.last[ngram]])
            ngram = int(self.table.previous[ngram])
        return tuple(reversed(words))


_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def _contrasts(
    stood_out: Sequence[_StoodOut], smoothing: float, subject: Subject, resampler: Resampler
) -> Iterator[NgramContrast]:
    """The n-grams of all contrasts with their intervals, which are drawn for all of them at once."""
    picks = [pick for contrast in stood_out for pick in contrast.picks]

    def log_odds(sums: Floats) -> Floats:
        return np.asarray(np.log((sums[..., 0] + smoothing) / (sums[..., 1] + smoothing)))

    figures = iter(resampler.figures(_cells(picks, resampler), log_odds) if picks else ())
    for contrast in stood_out:
        chosen = tuple(_figure(pick, next(figures)[0], smoothing, subject.least) for pick in contrast.picks)
        yield NgramContrast(contrast.contrast, contrast.system, contrast.against, contrast.candidates, chosen)


def _cells(picks: Sequence[_Pick], resampler: Resampler) -> Cells:
    """A cell for each n-gram, with how often it counts for and against."""
    more, less = (np.concatenate([getattr(pick, side) for pick in picks]) for side in ("more", "less"))
    segments = np.concatenate([pick.segments for pick in picks])
    of_picks = np.repeat(np.arange(len(picks)), [len(pick.segments) for pick in picks])
    counts = np.stack([more, less], axis=-1).astype(np.float64)[:, np.newaxis]
    return Cells.added(counts, of_picks, len(picks), resampler.unit_of[segments])


def _figure(pick: _Pick, log_odds: Figure, smoothing: float, least: int) -> NgramFigure:
    counts = pick.count, pick.other
    return NgramFigure(
        pick.ngram,
        *counts,
        few=sum(counts) < least,
        log_odds=log_odds,
        saliency=(max(counts) + smoothing) / (sum(counts) + 2 * smoothing),
        segments=tuple(pick.segments.tolist()),
        weight=pick.weight,
    )


PASSES = 10
HELD_OUT = 5
"""One of so many units is held out."""

SHRINKAGE = 0.1
"""How far every weight moves towards zero after each pass over the segments."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """The averaged weights of a perceptron, and how often it prefers the reference on segments held out."""

    weights: Floats
    trained_on: int
    held_out: int
    accuracy: float


def learn(tally: NgramTally, size: int, resampler: Resampler) -> Learnt:
    """Learn to prefer references to output, after Akabe et al. (2014).

    An averaged perceptron over counts of n-grams; after each pass weights are moved towards zero and stop there (L1).
    """
    rng = np.random.default_rng(resampler.seed)
    units = rng.permutation(resampler.units.count)
    held = np.isin(resampler.unit_of, units[: max(1, len(units) // HELD_OUT)])
    order = np.argsort(tally.segments, kind="stable")
    segments, starts = np.unique(tally.segments[order], return_index=True)
    features = np.split(tally.ngrams[order], starts[1:])
    values = np.split((tally.less - tally.more)[order].astype(np.float64), starts[1:])
    training = [i for i, segment in enumerate(segments.tolist()) if not held[segment]]
    weights, total = np.zeros(size), np.zeros(size)
    for _ in range(PASSES):
        total += weights * len(training)
        for step, i in enumerate(rng.permutation(training).tolist()):
            if weights[features[i]] @ values[i] <= 0:
                weights[features[i]] += values[i]
                total[features[i]] += values[i] * (len(training) - step)
        weights = np.sign(weights) * np.maximum(np.abs(weights) - SHRINKAGE, 0)
    average = total / max(1, PASSES * len(training))
    average = np.sign(average) * np.maximum(np.abs(average) - SHRINKAGE, 0)
    right = [average[features[i]] @ values[i] > 0 for i, s in enumerate(segments.tolist()) if held[s]]
    return Learnt(average, len(training), len(right), float(np.mean(right)) if right else 0.0)
