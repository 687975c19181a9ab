"""Judgements made for tests: known systems, harsh and mild raters, hard and easy segments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from karat.human.scales.judgements import Judgements

Maker = Callable[..., Judgements]


def judgements_of(
    system: np.ndarray,
    segment: np.ndarray,
    rater: np.ndarray,
    value: np.ndarray,
    *,
    document: np.ndarray | None = None,
    control: np.ndarray | None = None,
    seconds: np.ndarray | None = None,
) -> Judgements:
    """Arrays as judgements, with names that are numbers."""
    unknown = np.full(len(value), -1, dtype=np.intp)
    documents = () if document is None else tuple(f"d{i}" for i in range(int(document.max(initial=-1)) + 1))
    return Judgements(
        systems=tuple(f"s{i}" for i in range(int(system.max(initial=-1)) + 1)),
        segments=tuple(f"{i}" for i in range(int(segment.max(initial=-1)) + 1)),
        raters=tuple(f"r{i}" for i in range(int(rater.max(initial=-1)) + 1)),
        documents=documents,
        domains=(),
        system=system.astype(np.intp),
        segment=segment.astype(np.intp),
        rater=rater.astype(np.intp),
        document=unknown if document is None else document.astype(np.intp),
        domain=unknown,
        text=unknown,
        control=np.zeros(len(value), dtype=np.int8) if control is None else control.astype(np.int8),
        value=value.astype(np.float64),
        seconds=np.full(len(value), np.nan) if seconds is None else seconds.astype(np.float64),
    )


@pytest.fixture(scope="session")
def make() -> Maker:
    """Makes judgements out of arrays."""
    return judgements_of
