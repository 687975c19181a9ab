"""`make scale`: ten million segments part by part on threads and on Ray: pace, memory, and what 10^9 pairs cost.

`python -m benchmarks.scale --rows 200000 --metric chrf --engine threads`
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.processes import Family

ROWS = 10_000_000
FILE_ROWS = 250_000
WORDS = 20
VOCABULARY = 20_000
CHANGED = 0.2


def write(directory: Path, rows: int) -> None:
    """Files of distinct random sentences, of which hypotheses have a fifth of the words changed."""
    draw = np.random.default_rng(1)
    words = pl.Series([f"w{number}" for number in range(VOCABULARY)])
    for first in range(0, rows, FILE_ROWS):
        count = min(FILE_ROWS, rows - first)
        there = draw.integers(0, VOCABULARY, (WORDS, count))
        drawn = draw.integers(0, VOCABULARY, (WORDS, count))
        own = np.where(draw.random((WORDS, count)) < CHANGED, drawn, there)
        number = pl.int_range(first, first + count, eager=True).cast(pl.String) + "."
        reference, hypothesis = (_joined([words.gather(row) for row in chosen], number) for chosen in (there, own))
        table = pl.DataFrame({"source": reference, "reference": reference, "hypothesis": hypothesis})
        table.write_parquet(directory / f"{first:012}.parquet")


def _joined(columns: list[pl.Series], last: pl.Series) -> pl.Series:
    table = pl.DataFrame([column.alias(str(i)) for i, column in enumerate([*columns, last])])
    return table.select(pl.concat_str(pl.all(), separator=" ")).to_series()


def measured(directory: Path, engine: str, metrics: list[str], rows: int) -> None:
    """Score them all, and tell what it took."""
    named = [word for metric in metrics for word in ("-m", metric)]
    karat = [sys.executable, "-m", "karat", "score", "--corpus", f"{directory}/*.parquet", "-q", *named]
    with tempfile.TemporaryDirectory() as out:
        start = time.monotonic()
        command = [*karat, "--out", f"{out}/scores", "--engine", engine]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            family = Family(process.pid)
            while process.poll() is None:
                family.look()
                time.sleep(0.25)
        seconds = time.monotonic() - start
    if process.returncode:
        raise SystemExit(process.returncode)
    hours = family.processor_seconds / rows * 1e9 / 3600
    print(f"  {engine:10}{rows / seconds:>12,.0f} pairs/s{seconds:>10.1f} s{family.processor_seconds:>10.1f} s", end="")
    print(f" of processors{hours:>8,.1f} core hours for 10^9 pairs; at most {family.most_memory / 2**20:,.0f} MB in ")
    print(f"{'':12}all {family.most_processes} processes, {family.most_in_one / 2**20:,.0f} MB in one", flush=True)


def main() -> None:
    """Write the files, and score them on each engine."""
    options = argparse.ArgumentParser()
    options.add_argument("--rows", type=int, default=ROWS)
    options.add_argument("--metric", action="append", default=None)
    options.add_argument("--engine", action="append", choices=["threads", "ray"], default=None)
    given = options.parse_args()
    metrics = given.metric or ["bleu", "chrf"]
    with tempfile.TemporaryDirectory() as directory:
        write(Path(directory), given.rows)
        print(f"\n{given.rows:,} pairs, {', '.join(metrics)}, {os.cpu_count()} cores", flush=True)
        for engine in given.engine or ["threads", "ray"]:
            measured(Path(directory), engine, metrics, given.rows)


if __name__ == "__main__":
    main()
