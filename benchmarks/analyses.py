"""All analyses of 14 systems against compare-mt 0.2.10 with two, both as commands, by processor time."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.harness import data_set
from benchmarks.history import note

RESAMPLES = 1000
GOAL = 10
# It imports six and absl, and does not say so.
INSTALL = "python -m venv cmt && cmt/bin/pip install compare-mt==0.2.10 six absl-py, then COMPARE_MT=cmt/bin/compare-mt"

DEFAULTS_WITH_DETAILS = (
    "--compare_scores",
    f"score_type=bleu,bootstrap={RESAMPLES}",
    f"score_type=length,bootstrap={RESAMPLES}",
    "--compare_word_accuracies",
    "bucket_type=freq,output_bucket_details=True",  # always 1,000 resamples
    "--compare_sentence_buckets",
    # Details of scores by length end it with a TypeError: its lambda takes two arguments and is given three.
    "bucket_type=length,statistic_type=score,score_measure=bleu",
    "bucket_type=lengthdiff,output_bucket_details=True",
    "bucket_type=score,score_measure=sentbleu,output_bucket_details=True",
)
"""What compare-mt does by default, with details of buckets and resamples wherever it takes them; n-grams and examples
are as they are."""


class Spent(NamedTuple):
    """Processor seconds of a command, and the most memory of any command so far in MiB."""

    seconds: float
    mebibytes: float


def spent(command: Sequence[str]) -> Spent:
    """The less that a command took in two runs on one thread; one that fails ends the benchmark."""
    return min(_spent_once(command) for _ in range(2))


def _spent_once(command: Sequence[str]) -> Spent:
    # Installed programs have their bytecode, and so has karat in the second run.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    one_thread = dict.fromkeys(("KARAT_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**kept, **one_thread}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Spent(seconds, after.ru_maxrss / 1024)


def compare_mt() -> str:
    """Where compare-mt is: it pins packages of its own, so it has an environment of its own."""
    program = os.environ.get("COMPARE_MT") or shutil.which("compare-mt")
    if program is None:
        raise SystemExit(f"there is no compare-mt: {INSTALL}")
    return program


def analyses() -> None:
    """Every analysis of every system on WMT21 en-de, and what compare-mt needs for the first two."""
    directory = data_set("wmt21-news-ende")
    systems = [str(path) for path in sorted((directory / "system-outputs").glob("*.txt"))]
    reference, source = str(directory / "references" / "refC.de"), str(directory / "source.en")
    karat = str(Path(sys.executable).with_name("karat"))
    # karat goes first, for memory is the most of all commands so far.
    ours = spent(
        [
            karat,
            "analyse",
            "all",
            "-r",
            reference,
            "-s",
            source,
            *systems,
            "-l",
            "en-de",
            "-n",
            str(RESAMPLES),
            "--json",
        ]
    )
    with tempfile.TemporaryDirectory() as pages:
        theirs = spent(
            [
                compare_mt(),
                *(reference, *systems[:2], "--src_file", source, "--output_directory", pages),
                *DEFAULTS_WITH_DETAILS,
            ]
        )
    note(
        "all analyses, processor time",
        f"karat, {len(systems)} systems",
        "compare-mt 0.2.10, 2 systems",
        theirs.seconds / ours.seconds,
    )
    print(f"\nall analyses on WMT21 en-de, 1,002 segments, {RESAMPLES:,} resamples, one thread, processor time")
    print(f"  {'':30}{'seconds':>10}{'MiB':>8}{'x karat':>10}")
    print(f"  {f'karat, {len(systems)} systems':30}{ours.seconds:>10.1f}{ours.mebibytes:>8.0f}")
    print(f"  {'compare-mt 0.2.10, 2 systems':30}{theirs.seconds:>10.1f}{'':8}{theirs.seconds / ours.seconds:>10.1f}")
    reached = theirs.seconds >= GOAL * ours.seconds and ours.mebibytes < 1024
    print(f"  goal (a tenth, under 1 GiB): {'reached' if reached else 'not reached'}")
