"""Output that is empty, cut off, too long or too short; and segments far below what all other systems get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from karat.analysis.flaws.situation import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.analysis.flaws.lines import SegmentTexts
    from karat.analysis.flaws.situation import Situation

_CLOSERS = "\"”“»«’'‘)]}」』）】》* "
_ENDS = frozenset(".!?…。！？؟।॥։።჻၊။៕:;：；")
CUT_SHORT, EXCUSED_LENGTH = 0.75, 0.85
"""Shares of the expected length: below the first an output without an end is cut off; at the second it is not."""
LEAST_LENGTH = 20
"""Shorter segments vary too much in length."""
FAR_RATIO, FAR_DEVIATIONS = 2.0, 4.0
MAD_SCALE = 1.483
FAR_BELOW = 25.0
"""Points of chrF."""


def empty(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments without output, where the source or a reference has text."""
    for segment, line in enumerate(output.lines):
        if not line.strip() and _others_have_text(situation, segment):
            yield Place(segment)


def _others_have_text(situation: Situation, segment: int) -> bool:
    source = [] if situation.source is None else [situation.source.lines[segment]]
    return any(text.strip() for text in (*source, *situation.references_of(segment)))


def has_end(text: str) -> bool:
    """Whether a text ends as sentences do, quotes and brackets behind that aside.

    >>> has_end("„Ja.“"), has_end("ja"), has_end("はい。」")
    (True, False, True)
    """
    return text.rstrip(_CLOSERS)[-1:] in _ENDS


def truncated(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments that end without the mark that source and references end with, and are too short."""
    expected = expected_lengths(situation, output)
    short = (output.lengths < CUT_SHORT * expected) & (expected >= LEAST_LENGTH) & (output.lengths > 0)
    for segment in np.flatnonzero(short).tolist():
        line = output.lines[segment]
        if has_end(line) or not line.strip():
            continue
        source = [] if situation.source is None else [situation.source.lines[segment]]
        if all(map(has_end, (*source, *situation.references_of(segment)))):
            yield Place(segment, added=(f"… {line[-30:].strip()}",))


def expected_lengths(situation: Situation, output: SegmentTexts) -> NDArray[np.float64]:
    """How many characters the system would usually have: what is expected of all, times its own usual ratio."""
    expected = situation.expected_lengths
    known = (expected >= LEAST_LENGTH) & (output.lengths > 0)
    ratio = _median(output.lengths[known] / expected[known]) if known.any() else 1.0
    return np.asarray(expected * ratio)


def _median(values: NDArray[np.float64]) -> float:
    """The median; NumPy's own loads a module that takes longer than all of this.

    >>> _median(np.array([3.0, 1.0, 2.0, 7.0]))
    2.5
    """
    ordered = np.sort(values)
    return float(ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2


def length_outliers(situation: Situation, output: SegmentTexts) -> Iterator[Place]:
    """Segments at least twice as long or short as expected, and far outside of what is usual for the system."""
    expected = expected_lengths(situation, output)
    known = (expected >= LEAST_LENGTH) & (output.lengths > 0)
    ratios = np.log(np.where(known, output.lengths, 1) / np.where(known, expected, 1))
    spread = MAD_SCALE * _median(np.abs(ratios[known])) if known.any() else 0.0
    far = known & (np.abs(ratios) > max(np.log(FAR_RATIO), FAR_DEVIATIONS * spread))
    for segment in np.flatnonzero(far).tolist():
        longer = ratios[segment] > 0
        lengths = [len(text) for text in situation.references_of(segment)]
        excused = any(
            length >= EXCUSED_LENGTH * output.lengths[segment]
            if longer
            else EXCUSED_LENGTH * length <= output.lengths[segment]
            for length in lengths
        )
        if not excused:
            factor = f"{np.exp(ratios[segment]):.2g} of the usual length"
            yield Place(segment, added=(factor,)) if longer else Place(segment, lost=(factor,))


def far_below(situation: Situation, name: str) -> Iterator[Place]:
    """Segments that score far below the lowest of all other systems."""
    others = np.array([scores for system, scores in situation.scores.items() if system != name])
    for segment in np.flatnonzero(situation.scores[name] < others.min(axis=0) - FAR_BELOW).tolist():
        yield Place(segment)
