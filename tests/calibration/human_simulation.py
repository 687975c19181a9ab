"""Campaigns in which all systems are equally good, and how often each way of ranking calls two of them different.

A value is the sum of what the document, the segment, the rater, the system on this document (systems have good and bad
documents, though none is better on the whole) and chance contribute. Every segment of every system is judged twice.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from karat.human.ordering import ordering
from karat.human.ordering.presets import PRESETS, preset
from karat.human.plan import AnalysisPlan
from karat.human.scales.judgements import Judgements

DOCUMENTS, SEGMENTS, RATERS = 30, 8, 10
DEVIATIONS = {"document": 8.0, "segment": 10.0, "rater": 8.0, "system on document": 5.0, "chance": 15.0}


def campaign(rng: np.random.Generator, systems: int) -> Judgements:
    """One campaign of equal systems; the two judgements of a segment are by two raters drawn for its document."""
    system, segment, turn = (grid.ravel() for grid in np.mgrid[0:systems, 0 : DOCUMENTS * SEGMENTS, 0:2])
    document = segment // SEGMENTS
    pairs = np.stack([rng.choice(RATERS, 2, replace=False) for _ in range(DOCUMENTS)])
    rater = pairs[document, turn]
    parts = (
        rng.normal(0, DEVIATIONS["document"], DOCUMENTS)[document],
        rng.normal(0, DEVIATIONS["segment"], DOCUMENTS * SEGMENTS)[segment],
        rng.normal(0, DEVIATIONS["rater"], RATERS)[rater],
        rng.normal(0, DEVIATIONS["system on document"], (systems, DOCUMENTS))[system, document],
        rng.normal(0, DEVIATIONS["chance"], len(system)),
    )
    unknown = np.full(len(system), -1, dtype=np.intp)
    return Judgements(
        systems=tuple(f"s{i}" for i in range(systems)),
        segments=tuple(str(i) for i in range(DOCUMENTS * SEGMENTS)),
        raters=tuple(f"r{i}" for i in range(RATERS)),
        documents=tuple(f"d{i}" for i in range(DOCUMENTS)),
        domains=(),
        system=system,
        segment=segment,
        rater=rater,
        document=document,
        domain=unknown,
        text=unknown,
        control=np.zeros(len(system), dtype=np.int8),
        value=np.clip(70 + sum(parts), 0, 100),
        seconds=np.full(len(system), np.nan),
    )


WAYS = ("default", "default, segments as units", "signed-rank", "rank-sum", *PRESETS)


def called_different(given: Judgements, way: str, seed: int) -> bool:
    """Whether this way of ranking finds any two of the systems different."""
    if way in PRESETS:
        return bool(preset(way).order(given, seed).beats.any())
    chosen = {
        "default": AnalysisPlan(seed=seed, n=999),
        "default, segments as units": AnalysisPlan(seed=seed, n=999, unit="segment"),
        "signed-rank": AnalysisPlan(seed=seed, test="signed-rank"),
        "rank-sum": AnalysisPlan(seed=seed, test="rank-sum"),
    }[way]
    return any(pair.significant for pair in ordering(given, chosen, higher_is_better=True).pairs)


def false_claims(way: str, systems: int, runs: int, seed: int = 1) -> float:
    """The share of campaigns of equal systems in which any two are called different."""
    return float(np.mean(list(_claims(way, systems, runs, seed))))


def _claims(way: str, systems: int, runs: int, seed: int) -> Iterator[bool]:
    for run in range(runs):
        rng = np.random.default_rng([seed, systems, run])
        yield called_different(campaign(rng, systems), way, run)


if __name__ == "__main__":
    chosen = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for name in sys.argv[2:] or WAYS:
        rates = (false_claims(name, systems, runs, chosen) for systems, runs in ((2, 1000), (6, 200)))
        print(name, *(f"{rate:.3f}" for rate in rates), flush=True)
