"""Errors of words by class, after Popović (2011), and WER and PER as sums over classes and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np

from karat.analysis.aligned import EVERY_MARK
from karat.analysis.cells import Cells, distinct
from karat.analysis.resampling import share
from karat.kernels import NO_MARK
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.aligned import AlignedWords
    from karat.analysis.aligned import Side as WordSide
    from karat.analysis.figures import Figure, Subject
    from karat.analysis.resampling import Resampler
    from karat.analysis.words import Sorting

    Floats = NDArray[np.float64]

Side = Literal["hypothesis", "reference"]
SIDES: tuple[Side, ...] = get_args(Side)
LONE = 2
"""The operation of a word without a partner."""

CLASSES = ("right", "inflection", "order", "missing", "extra", "lexical")
"""The classes of words; their positions are the numbers that the core gives."""

CODES = "xiomel"
"""One letter for each class, by which the words of a segment are spelt."""


@dataclass(frozen=True)
class WordErrorRate:
    """WER, RPER or HPER of one system: `errors` out of `words`, which are those of the side it is about."""

    system: str
    rate: str
    errors: int
    words: int
    figure: Figure


@dataclass(frozen=True)
class ErrorClass:
    """Words of one side in one class, as a share of all words of that side; `runs` counts neighbours as one."""

    system: str
    side: Side
    name: str
    count: int
    runs: int
    few: bool
    share: Figure


@dataclass(frozen=True)
class LabelErrors:
    """Words of one side with a label: how many, and how many are errors of WER, of PER, and in each class.

    `wer` and `per` are what the label adds to the rates of its side: errors over all words of that side.
    """

    system: str
    side: Side
    label: str
    words: int
    few: bool
    wer_errors: int
    per_errors: int
    wer: Figure
    per: Figure
    classes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class SegmentErrors:
    """The classes of the words of one segment, a letter of `CODES` for each; `reference` is the position of the one
    that counts among those of the segment."""

    system: str
    segment: int
    reference: int
    hypothesis_classes: str
    reference_classes: str


@dataclass(frozen=True)
class WordErrors:
    """The errors of all systems; with several references, against the one with the lowest error rate.

    `base_forms` tells where they are from; it is None where there are none, so that an inflection counts as lexical.
    """

    subject: Subject
    tokenize: str
    lowercase: bool
    base_forms: str | None
    rates: tuple[WordErrorRate, ...]
    classes: tuple[ErrorClass, ...]
    labels: tuple[LabelErrors, ...]
    words: Sequence[SegmentErrors]

    def to_json(self, *, words: bool = False) -> dict[str, Any]:
        """Rates, classes and labels, one entry per system each; the classes of every word if asked for."""
        body = {
            **self.subject.to_json(),
            "tokenize": self.tokenize,
            "lowercase": self.lowercase,
            "reference": "closest" if self.subject.references > 1 else "only",
            "base_forms": self.base_forms,
            "rates": [
                {
                    "system": entry.system,
                    "rate": entry.rate,
                    "errors": entry.errors,
                    "words": entry.words,
                    **entry.figure.to_json("value"),
                }
                for entry in self.rates
            ],
            "classes": [
                {
                    "system": entry.system,
                    "side": entry.side,
                    "class": entry.name,
                    "count": entry.count,
                    "runs": entry.runs,
                    "few": entry.few,
                    **entry.share.to_json("share"),
                }
                for entry in self.classes
            ],
            "labels": [_label_json(entry) for entry in self.labels],
        }
        return {**body, "words": [self._segment_json(entry) for entry in self.words]} if words else body

    def _segment_json(self, entry: SegmentErrors) -> dict[str, Any]:
        return {
            "system": entry.system,
            "segment": self.subject.segments[entry.segment],
            "reference": entry.reference,
            "hypothesis_classes": entry.hypothesis_classes,
            "reference_classes": entry.reference_classes,
        }


def _label_json(entry: LabelErrors) -> dict[str, Any]:
    figures = {
        key: value
        for name, figure in (("wer", entry.wer), ("per", entry.per))
        for key, value in (
            (name, figure.value),
            (f"{name}_interval", None if figure.interval is None else list(figure.interval)),
        )
    }
    return {
        "system": entry.system,
        "side": entry.side,
        "label": entry.label,
        "words": entry.words,
        "few": entry.few,
        "wer_errors": entry.wer_errors,
        "per_errors": entry.per_errors,
        **figures,
        "classes": dict(entry.classes),
    }


def word_errors(
    aligned: AlignedWords,
    subject: Subject,
    resampler: Resampler,
    *,
    base_forms: str | None,
    labels: Sorting | None = None,
) -> WordErrors:
    """Count errors by class, and by label where words have any."""
    sides: dict[str, dict[Side, WordSide]] = {
        name: {"hypothesis": aligned.hypothesis(name), "reference": aligned.reference(name)} for name in subject.systems
    }
    counts: Counts = {
        name: {which: _counted(side, which, resampler) for which, side in both.items()} for name, both in sides.items()
    }
    return WordErrors(
        subject,
        aligned.texts.tokenize,
        aligned.texts.lowercase,
        base_forms,
        rates=tuple(_rates(counts, subject, resampler)),
        classes=tuple(_classes(sides, counts, subject, resampler)),
        labels=() if labels is None else tuple(_labels(sides, labels, subject, resampler)),
        words=_SpelledWords(aligned, sides),
    )


Sides = Mapping[str, Mapping["Side", "WordSide"]]


def _per_unit(side: WordSide, kept: NDArray[np.bool_], resampler: Resampler) -> Floats:
    """How many of the words chosen each unit has."""
    counts: NDArray[np.intp] = np.bincount(resampler.unit_of[side.segments[kept]], minlength=resampler.units.count)
    return counts.astype(np.float64)


def _table(columns: Sequence[Sequence[tuple[Floats, Floats]]]) -> Floats:
    """Units by cells by systems by (count, out of) from the columns of each cell and system."""
    return np.stack([np.stack([np.stack(both, axis=-1) for both in cell], axis=1) for cell in columns], axis=1)


ALL, WRONG, UNMATCHED, FIRST_CLASS = range(4)
"""Columns of counts: all words, errors of the alignment and of the bag, and the classes of the side."""


def _counted(side: WordSide, which: Side, resampler: Resampler) -> Floats:
    """Units by columns: how many words of a side are what, all counted at once by their marks."""
    present = np.flatnonzero(np.bincount(side.marks, minlength=NO_MARK))
    number = np.zeros(NO_MARK, dtype=np.intp)
    number[present] = np.arange(len(present))
    cells = resampler.unit_of[side.segments] * len(present) + number[side.marks]
    size = resampler.units.count * len(present)
    by_mark = np.bincount(cells, minlength=size).reshape(resampler.units.count, len(present))
    return by_mark.astype(np.float64) @ _columns(which)[present]


@cache
def _columns(which: Side) -> Floats:
    """Marks by columns: which of these each mark counts in. Of a hypothesis, WER counts insertions alone."""
    wrong = EVERY_MARK.operations == LONE if which == "hypothesis" else EVERY_MARK.misaligned
    classes = [EVERY_MARK.classes == number for number in _numbers_of(which)]
    return np.stack([np.ones(NO_MARK), wrong, ~EVERY_MARK.matched, *classes], axis=1)


Counts = Mapping[str, Mapping["Side", "Floats"]]


def _rates(counts: Counts, subject: Subject, resampler: Resampler) -> Iterator[WordErrorRate]:
    """WER counts insertions, too, which are words of the hypothesis without a partner."""
    wer, rper, hper = [], [], []
    for name in subject.systems:
        hypothesis, reference = counts[name]["hypothesis"].T, counts[name]["reference"].T
        wer.append((reference[WRONG] + hypothesis[WRONG], reference[ALL]))
        rper.append((reference[UNMATCHED], reference[ALL]))
        hper.append((hypothesis[UNMATCHED], hypothesis[ALL]))
    table = _table([wer, rper, hper])
    figures = resampler.figures(Cells.of(table), share, subject.systems.index(subject.baseline))
    sums = table.sum(axis=0).astype(int)
    for i, rate in enumerate(("WER", "RPER", "HPER")):
        for s, name in enumerate(subject.systems):
            yield WordErrorRate(name, rate, int(sums[i, s, 0]), int(sums[i, s, 1]), figures[i][s])


def _classes(sides: Sides, counts: Counts, subject: Subject, resampler: Resampler) -> Iterator[ErrorClass]:
    cells = [
        (which, column, number) for which in SIDES for column, number in enumerate(_numbers_of(which), FIRST_CLASS)
    ]
    table = _table(
        [
            [(counts[name][which][:, column], counts[name][which][:, ALL]) for name in subject.systems]
            for which, column, _ in cells
        ]
    )
    figures = resampler.figures(Cells.of(table), share, subject.systems.index(subject.baseline))
    sums = table.sum(axis=0).astype(int)
    for c, (which, _, number) in enumerate(cells):
        for s, name in enumerate(subject.systems):
            count, words = sums[c, s].tolist()
            side = sides[name][which]
            few = words < subject.least
            yield ErrorClass(name, which, CLASSES[number], count, _runs(side, number), few, figures[c][s])


def _numbers_of(side: Side) -> list[int]:
    """The classes that words of a side can be in, errors only."""
    absent = {"hypothesis": "missing", "reference": "extra"}[side]
    return [number for number, name in enumerate(CLASSES) if name not in ("right", absent)]


def _runs(side: WordSide, number: int) -> int:
    """How many times words of a class follow one another within a segment."""
    inside = side.classes == number
    if not len(inside):
        return 0
    follows = np.zeros(len(inside), dtype=bool)
    follows[1:] = inside[:-1] & (side.segments[1:] == side.segments[:-1])
    return int((inside & ~follows).sum())


def _labels(sides: Sides, sorting: Sorting, subject: Subject, resampler: Resampler) -> Iterator[LabelErrors]:
    for which in SIDES:
        for name in subject.systems:
            side = sides[name][which]
            buckets = sorting.of_system(name, side) if which == "hypothesis" else sorting.of_reference(side)
            if buckets is not None:
                yield from _labelled(name, which, side, buckets, sorting, subject, resampler)


def _labelled(
    name: str,
    which: Side,
    side: WordSide,
    buckets: NDArray[np.intp],
    sorting: Sorting,
    subject: Subject,
    resampler: Resampler,
) -> Iterator[LabelErrors]:
    """What each label adds to the rates of one side of a system."""
    there = distinct(buckets[buckets >= 0]).tolist()
    words = _per_unit(side, np.ones(len(side.ids), dtype=bool), resampler)
    wrong = {"wer": side.misaligned, "per": ~side.matched}
    table = _table(
        [
            [(_per_unit(side, kept & (buckets == number), resampler), words) for kept in wrong.values()]
            for number in there
        ]
    )
    figures = resampler.figures(Cells.of(table), share)
    for i, number in enumerate(there):
        chosen = buckets == number
        by_class = np.bincount(side.classes[chosen], minlength=len(CLASSES)).tolist()
        yield LabelErrors(
            name,
            which,
            sorting.labels[number],
            int(chosen.sum()),
            bool(chosen.sum() < subject.least),
            int((chosen & wrong["wer"]).sum()),
            int((chosen & wrong["per"]).sum()),
            figures[i][0],
            figures[i][1],
            tuple((CLASSES[kind], by_class[kind]) for kind in _numbers_of(which)),
        )


class _SpelledWords(Sequence["SegmentErrors"]):
    """The classes of the words of all segments, spelled when somebody looks at them."""

    def __init__(self, aligned: AlignedWords, sides: Sides) -> None:
        self._aligned, self._sides = aligned, sides

    @cached_property
    def _segments(self) -> tuple[SegmentErrors, ...]:
        return tuple(_spelled(self._aligned, self._sides))

    def __len__(self) -> int:
        return len(self._sides) * self._aligned.texts.segment_count

    @overload
    def __getitem__(self, index: int) -> SegmentErrors: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[SegmentErrors, ...]: ...
    def __getitem__(self, index: int | slice) -> SegmentErrors | tuple[SegmentErrors, ...]:
        return self._segments[index]


def _spelled(aligned: AlignedWords, sides: Sides) -> Iterator[SegmentErrors]:
    letters = np.frombuffer(CODES.encode(), dtype=np.uint8)
    for name, both in sides.items():
        spelled = {which: letters[side.classes].tobytes().decode() for which, side in both.items()}
        ends = {
            which: np.cumsum(np.bincount(side.segments, minlength=aligned.texts.segment_count)).tolist()
            for which, side in both.items()
        }
        chosen = (aligned.marks[name].chosen - aligned.texts.starts[:-1]).tolist()
        begins = dict.fromkeys(both, 0)
        for segment, reference in enumerate(chosen):
            parts = [spelled[which][begins[which] : ends[which][segment]] for which in SIDES]
            begins = {which: ends[which][segment] for which in both}
            yield SegmentErrors(name, segment, reference, parts[0], parts[1])
