"""Large input: memory stays flat, streams equal tables, late mismatches leave nothing behind."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from karat.sample import path as sample_path

REPEATS = 700


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample many times over: 88,900 segments, more than four blocks."""
    directory = tmp_path_factory.mktemp("large")
    for name in ("refA.en.txt", "neural.txt", "fluent.txt"):
        (directory / name).write_bytes((sample_path(name)).read_bytes() * REPEATS)
    return directory


def karat(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "karat", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)


def test_a_stream_scores_as_a_table_does(large: Path) -> None:
    metrics = ["-m", "bleu", "-m", "chrf", "-m", "ter"]
    streamed = json.loads(karat("score", "-r", "refA.en.txt", "neural.txt", *metrics, "--json", cwd=large).stdout)
    (large / "documents.txt").write_text("d\n" * (127 * REPEATS), encoding="utf-8")
    whole = json.loads(
        karat(
            "score", "-r", "refA.en.txt", "neural.txt", *metrics, "--documents", "documents.txt", "--json", cwd=large
        ).stdout
    )
    keep = ("spec", "score", "signature", "segment_count")
    assert [[one[key] for key in keep] for one in streamed["scores"]] == [
        [one[key] for key in keep] for one in whole["scores"]
    ]


def test_segment_scores_stream_out_in_order(large: Path) -> None:
    result = karat(
        "score", "-r", "refA.en.txt", "neural.txt", "-m", "bleu", "--level", "segment", "-f", "csv", "-o", "out.csv",
        cwd=large,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    with (large / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["segment"] for row in rows] == [str(i) for i in range(1, 127 * REPEATS + 1)]
    assert rows[5]["score"] == rows[5 + 127 * (REPEATS - 1)]["score"]


def test_a_mismatch_in_the_last_block_is_found_and_leaves_nothing(large: Path) -> None:
    text = (large / "neural.txt").read_bytes()
    (large / "short.txt").write_bytes(text[: text.rindex(b"\n", 0, -1) + 1])
    result = karat(
        "score", "-r", "refA.en.txt", "short.txt", "-m", "bleu", "--level", "segment", "-f", "csv", "-o", "late.csv",
        cwd=large,
    )  # fmt: skip
    assert result.returncode == 2
    assert f"{127 * REPEATS - 1}" in result.stderr
    assert f"{127 * REPEATS}" in result.stderr
    assert not list(large.glob("late.csv*"))


PEAK = """
import resource, sys
from pathlib import Path
from karat.cli import main
try:
    main(sys.argv[1:])
except SystemExit as stop:
    assert not stop.code
status = Path("/proc/self/status")
if status.exists():  # what getrusage tells on Linux includes the memory of the process that started this one
    lines = status.read_text(encoding="ascii", errors="replace").splitlines()
    peak = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(peak, file=sys.stderr)
"""


def test_memory_does_not_grow_with_the_input(large: Path) -> None:
    peaks = []
    for repeats in (200, REPEATS):
        for name in ("refA.en.txt", "neural.txt"):
            (large / f"part-{name}").write_bytes(sample_path(name).read_bytes() * repeats)
        arguments = ["score", "-q", "-r", "part-refA.en.txt", "part-neural.txt", "-m", "bleu", "-m", "chrf"]
        command = [sys.executable, "-c", PEAK, *arguments]
        result = subprocess.run(command, cwd=large, capture_output=True, text=True, check=True)
        peaks.append(int(result.stderr))
    assert peaks[1] < 1.3 * peaks[0]
    assert peaks[1] < 500e6


@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++", "ter", "ter(search=full)"])
def test_a_pathological_segment_ends(metric: str, tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("word " * 10_000 + "\nfine\n" + "a b " * 50_000 + "\n", encoding="utf-8")
    (tmp_path / "sys.txt").write_text("word " * 9_000 + "\nfine\n" + "b c a " * 30_000 + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "karat", "score", "-r", "ref.txt", "sys.txt", "-m", metric, "--json"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    if result.returncode == 2:
        assert "segment" in result.stderr
    else:
        assert len(json.loads(result.stdout)["scores"]) == 1
