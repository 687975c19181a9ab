"""A million made-up ratings in the forms that `karat human` reads: `python -m benchmarks.ratings DIRECTORY [COUNT]`."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

SYSTEMS, RATERS_EACH, RATERS, DOCUMENT = 20, 5, 100, 10


def ratings(count: int, seed: int = 1) -> pl.DataFrame:
    """Direct assessments of systems that differ, by raters of whom each has a level and a spread of their own."""
    random = np.random.default_rng(seed)
    number = np.arange(count)
    system = number % SYSTEMS
    segment = number // (SYSTEMS * RATERS_EACH)
    rater = (segment // DOCUMENT * RATERS_EACH + number // SYSTEMS % RATERS_EACH) % RATERS
    level, spread = random.normal(60, 8, RATERS), random.uniform(8, 20, RATERS)
    quality = random.normal(0, 1, int(segment.max()) + 1)
    value = level[rater] + spread[rater] * (0.05 * system + 0.5 * quality[segment] + random.normal(0, 1, count))
    return pl.DataFrame(
        {
            "rater": [f"rater-{i}" for i in rater],
            "system": [f"system-{i}" for i in system],
            "document": [f"document-{i // DOCUMENT}" for i in segment],
            "segment": [str(i + 1) for i in segment],
            "criterion": ["adequacy"] * count,
            "value": np.clip(np.rint(value), 0, 100),
        }
    )


def write(directory: Path, count: int = 1_000_000) -> dict[str, Path]:
    """The same ratings as Parquet, CSV and JSONL."""
    table = ratings(count)
    paths = {form: directory / f"ratings.{form}" for form in ("parquet", "csv", "jsonl")}
    table.write_parquet(paths["parquet"])
    table.write_csv(paths["csv"])
    table.write_ndjson(paths["jsonl"])
    return paths


if __name__ == "__main__":
    write(Path(sys.argv[1]), *map(int, sys.argv[2:]))
