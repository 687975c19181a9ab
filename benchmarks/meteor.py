"""METEOR beside METEOR 1.5's program, per segment after both have started."""

from __future__ import annotations

import subprocess
import time

import karat
from benchmarks.harness import Lines, TestSet, wmt21
from karat.resources.files import meteor_jar

SPEC = "meteor(language=de,modules=exact+stem,function_words=released)"
SAMPLE = 4
FEW = 20


def program(hypotheses: Lines, references: Lines) -> float:
    """Seconds that the program takes for these segments, start included."""
    pairs = zip(hypotheses, references, strict=True)
    lines = "".join(f"SCORE ||| {reference} ||| {hypothesis}\n" for hypothesis, reference in pairs)
    command = ["java", "-Xmx2G", "-jar", str(meteor_jar()), "-", "-", "-stdio", "-l", "de", "-norm"]
    start = time.perf_counter()
    subprocess.run(
        [*command, "-m", "exact stem", "-w", "1 0.8"], input=lines, check=True, capture_output=True, encoding="utf-8"
    )
    return time.perf_counter() - start


def per_segment_of_program(testset: TestSet) -> float:
    """Microseconds for one more segment: what many segments take beyond a few."""
    system = [line for one in testset.systems for line in one]
    reference = testset.reference * len(testset.systems)
    more = program(system, reference) - program(system[:FEW], reference[:FEW])
    return 1e6 * more / (len(system) - FEW)


def per_segment(testset: TestSet, threads: int) -> float:
    """Microseconds for a segment, from strings to rows; the references are prepared once for all systems."""
    start = time.perf_counter()
    prepared = karat.metric(SPEC).prepare(testset.reference, threads)
    for system in testset.systems:
        prepared.rows(system)
    return 1e6 * (time.perf_counter() - start) / testset.segments


def meteor() -> None:
    """The contest."""
    testset = wmt21().every(SAMPLE)
    per_segment(testset, 1)
    theirs = per_segment_of_program(testset)
    print(f"\nMETEOR\n  {'METEOR 1.5 (Java)':22}{theirs:>12.2f} us/segment")
    for threads in (1, 2):
        ours = min(per_segment(testset, threads) for _ in range(3))
        print(f"  {f'karat, {threads} threads':22}{ours:>12.2f} us/segment{theirs / ours:>12.1f} times as fast")
