"""Whether raters mark the same places: F1 of characters, plain and weighted by severity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from karat.human.agreement.base import MarkedOutputs, MarkedSpan, SpanStatistic, register
from karat.human.agreement.value import NOTHING, AgreementValue

SEVERITY_WEIGHTS: Mapping[str, float] = {"neutral": 0.0, "minor": 1.0, "major": 5.0, "critical": 25.0}
"""What a character marked with a severity weighs; other severities weigh as a minor one."""


@dataclass
class _Overlap:
    """Sums over all compared pairs of markings: what both share, and what each has."""

    shared: float = 0.0
    total: float = 0.0
    macro: float = 0.0
    pairs: int = 0

    def add(self, first: np.ndarray, second: np.ndarray) -> None:
        shared, total = float(np.minimum(first, second).sum()), float(first.sum() + second.sum())
        self.shared, self.total, self.pairs = self.shared + shared, self.total + total, self.pairs + 1
        # Two raters who mark nothing agree fully on this output.
        self.macro += 2 * shared / total if total else 1.0


def span_f1(outputs: Iterable[Sequence[Sequence[MarkedSpan]]]) -> tuple[AgreementValue, AgreementValue]:
    """F1 of marked characters between raters, pooled over all pairs of raters of an output: plain, and by severity.

    `outputs` has for each output the spans of each rater who judged it. Pooled, an output without marks counts for
    nothing; `macro` in the details is the mean over outputs, where two raters who mark nothing agree. By severity, a
    character weighs what its severity weighs, and two raters share the smaller of both weights.

    >>> plain, weighted = span_f1([[[MarkedSpan(0, 4)], [MarkedSpan(2, 4, "major")]]])
    >>> round(plain.value, 3), round(weighted.value, 3)
    (0.667, 0.286)
    """
    plain, weighted = _Overlap(), _Overlap()
    for raters in outputs:
        if len(raters) < 2:
            continue
        length = max((span.end for spans in raters for span in spans), default=0)
        marks = [_weights(spans, length) for spans in raters]
        for first, second in combinations(marks, 2):
            plain.add((first > 0).astype(float), (second > 0).astype(float))
            weighted.add(first, second)
    return _agreement("spans F1", plain), _agreement("spans F1 by severity", weighted)


def _weights(spans: Sequence[MarkedSpan], length: int) -> np.ndarray:
    """The weight of each character: that of the most severe span over it."""
    weights = np.zeros(length)
    for span in spans:
        weight = SEVERITY_WEIGHTS.get(span.severity.lower(), 1.0)
        part = weights[span.start : span.end]
        np.maximum(part, weight, out=part)
    return weights


def _agreement(measure: str, overlap: _Overlap) -> AgreementValue:
    if overlap.pairs == 0:
        return AgreementValue(measure, None, 0, "pairs", note=NOTHING)
    pooled = 2 * overlap.shared / overlap.total if overlap.total else 1.0
    return AgreementValue(
        measure, pooled, overlap.pairs, "pairs", pooled, details={"macro": overlap.macro / overlap.pairs}
    )


@register
class SpanAgreement(SpanStatistic):
    r"""Whether raters mark the same characters as errors, plain and weighted by severity.

    Formula
    -------
    $$F_1 = \frac{2 \sum_c \min(a_c, b_c)}{\sum_c a_c + \sum_c b_c}$$ with the weights $a_c$, $b_c$ that two raters give
    to character $c$

    What karat does
    ---------------
    Pooled over all outputs and pairs of raters; an output in which nobody marked anything counts for nothing there, and
    as full agreement in the mean over outputs (`macro` in JSON). Plain: a marked character weighs 1. By severity: minor
    1, major 5, critical 25, and two raters share the smaller weight.

    Example
    -------
    >>> from karat.human.agreement.base import MarkedSpan
    >>> from karat.human.agreement.spans import span_f1
    >>> plain, weighted = span_f1([[[MarkedSpan(0, 4)], [MarkedSpan(2, 4, "major")]]])
    >>> round(plain.value, 3), round(weighted.value, 3)
    (0.667, 0.286)
    """

    name = "span-agreement"
    title = "Agreement on spans"
    citation = "freitag-etal-2021-experts"
    place = 90

    def evaluate(self, judged: MarkedOutputs) -> tuple[AgreementValue, ...]:
        """F1 of characters, plain and by severity."""
        return span_f1(judged.outputs)
