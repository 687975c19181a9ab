"""Memory of a million distinct rows, and of four."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.slow

MILLION = 1_000_000
PEAK = """
import resource, sys
from karat.cli import main
try:
    main(sys.argv[1:])
except SystemExit as stop:
    assert not stop.code
from karat.corpus.streams.decoders import end_decoders
end_decoders()
lines = open("/proc/self/status").read().splitlines()
own = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
print(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""


def write(path: Path, count: int) -> Path:
    """So many distinct sentences in one file."""
    draw = np.random.default_rng(1)
    words = pl.Series([f"w{number}" for number in range(5000)])
    columns = [words.gather(draw.integers(0, 5000, count)) for _ in range(8)]
    table = pl.DataFrame({str(i): column for i, column in enumerate(columns)})
    number = pl.int_range(count).cast(pl.String)
    table.select(
        reference=pl.concat_str("0", "1", "2", "3", "4", "5", number, separator=" "),
        hypothesis=pl.concat_str("0", "6", "2", "3", "7", "5", number, separator=" "),
    ).write_parquet(path, row_group_size=100_000)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process without its parent's")
@pytest.mark.parametrize("way", ["plain", "parts"])
def test_memory_is_flat(way: str, tmp_path: Path) -> None:
    peaks = []
    for times in (1, 4):
        path = write(tmp_path / f"{times}.parquet", times * MILLION)
        arguments = ["score", "-q", "--corpus", str(path), "-m", "bleu", "-j", "2"]
        arguments += ["--out", str(tmp_path / f"out{times}")] if way == "parts" else []
        done = subprocess.run([sys.executable, "-c", PEAK, *arguments], capture_output=True, text=True, check=True)
        peaks.append([int(number) / 1024 for number in done.stderr.split()])
        print(way, times, peaks[-1])
    for one, four in zip(*peaks, strict=True):
        assert four < 1.1 * one
