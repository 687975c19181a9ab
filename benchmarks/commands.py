"""Whole commands: `karat score` and `compare` beside sacreBLEU's, and `karat human` on a million ratings.

Processor time of all threads counts, which a busy machine distorts less than the clock. Python that imports NumPy and
ends is the floor of every command of karat that scores.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import data_set
from benchmarks.history import note
from benchmarks.ratings import write

REPEATS = 11
SECONDS_FOR_RATINGS = {"parquet": 5.0, "csv": 10.0, "jsonl": 10.0}


def processor_seconds(command: list[str], repeats: int = REPEATS) -> float:
    """The least of several runs, because noise only ever adds; the first, before which no cache is warm, is not one."""
    times = []
    # A package under development must not be compiled anew each time, while its rival's bytecode was installed.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(repeats + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times[1:])


def start_up() -> None:
    """BLEU of one system of WMT21 en-de, by the commands of karat and of sacreBLEU."""
    directory = data_set("wmt21-news-ende")
    system, *_ = sorted((directory / "system-outputs").glob("*.txt"))
    reference = directory / "references" / "refC.de"
    programs = Path(sys.executable).parent
    karat = [str(programs / "karat"), "score", "-m", "bleu", "-r", str(reference), str(system)]
    peer = [str(programs / "sacrebleu"), str(reference), "-i", str(system), "-m", "bleu"]
    own, theirs = processor_seconds(karat), processor_seconds(peer)
    floor = processor_seconds([sys.executable, "-c", "import numpy"])
    note("karat score -m bleu", "karat", "sacreBLEU 2.6.0", theirs / own)
    print(f"\nkarat score -m bleu, the whole command, processor time{'x karat':>12}")
    print(f"  {'karat':30}{own:>8.3f} s")
    print(f"  {'sacreBLEU 2.6.0':30}{theirs:>8.3f} s{theirs / own:>22.1f}")
    print(f"  {'floor: Python and NumPy':30}{floor:>8.3f} s{floor / own:>22.1f}")


def compare() -> None:
    """BLEU of 8 systems of WMT21 en-de against the first, 10,000 randomisations, by both commands."""
    directory = data_set("wmt21-news-ende")
    systems = [str(path) for path in sorted((directory / "system-outputs").glob("*.txt"))[:8]]
    reference = str(directory / "references" / "refC.de")
    programs = Path(sys.executable).parent
    karat = [str(programs / "karat"), "compare", "-m", "bleu", "-n", "10000", "-r", reference, *systems]
    peer = [str(programs / "sacrebleu"), reference, "-i", *systems, "-m", "bleu", "--paired-ar"]
    peer += ["--paired-ar-n", "10000"]
    own, theirs = processor_seconds(karat, repeats=5), processor_seconds(peer, repeats=2)
    note("karat compare, 8 systems, 10,000 randomisations", "karat", "sacreBLEU 2.6.0", theirs / own)
    print(f"\nkarat compare, 8 systems, 10,000 randomisations, the whole command, processor time{'x karat':>12}")
    print(f"  {'karat':30}{own:>8.3f} s")
    print(f"  {'sacreBLEU 2.6.0':30}{theirs:>8.3f} s{theirs / own:>22.1f}")


def human() -> None:
    """`karat human` on a million ratings from each kind of file, beside the limit it is held against."""
    with tempfile.TemporaryDirectory() as directory:
        print("\nkarat human, 1,000,000 ratings, processor time")
        for form, path in write(Path(directory)).items():
            command = [str(Path(sys.executable).with_name("karat")), "human", str(path), "--json", "--output"]
            seconds = processor_seconds([*command, str(Path(directory, f"{form}.json"))], repeats=1)
            print(f"  {form:22}{seconds:>8.1f} s   (at most {SECONDS_FOR_RATINGS[form]:g} s)")
