"""METEOR beside METEOR 1.5's program, per segment after both have started, on the clock and by processor time."""

from __future__ import annotations

import resource
import subprocess

import karat
from benchmarks.harness import Lines, Spent, TestSet, difference, now, wmt21
from benchmarks.history import note
from karat.resources import stems
from karat.resources.files import meteor_jar

SPEC = "meteor(language=de,modules=exact+stem,function_words=released)"
SAMPLE = 4
FEW = 20


def program(hypotheses: Lines, references: Lines) -> Spent:
    """What the program takes for these segments, start included."""
    pairs = zip(hypotheses, references, strict=True)
    lines = "".join(f"SCORE ||| {reference} ||| {hypothesis}\n" for hypothesis, reference in pairs)
    command = ["java", "-Xmx2G", "-jar", str(meteor_jar()), "-", "-", "-stdio", "-l", "de", "-norm"]
    start = now(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*command, "-m", "exact stem", "-w", "1 0.8"], input=lines, check=True, capture_output=True, encoding="utf-8"
    )
    return difference(now(resource.RUSAGE_CHILDREN), start)


def per_segment_of_program(testset: TestSet) -> Spent:
    """What one more segment takes: what many take beyond a few."""
    system = [line for one in testset.systems for line in one]
    reference = testset.reference * len(testset.systems)
    many, few = program(system, reference), program(system[:FEW], reference[:FEW])
    return difference(many, few, len(system) - FEW)


def per_segment(testset: TestSet, threads: int) -> Spent:
    """What a segment takes from strings to rows; the references are prepared once for all systems."""
    stems._stemmer.cache_clear()  # the stems that an earlier run has looked up are not known yet
    start = now(resource.RUSAGE_SELF)
    prepared = karat.metric(SPEC).prepare(testset.reference, threads)
    for system in testset.systems:
        prepared.rows(system)
    return difference(now(resource.RUSAGE_SELF), start, testset.segments)


def fastest(runs: list[Spent]) -> Spent:
    """The least of each, because noise only ever adds."""
    return Spent(min(run.clock for run in runs), min(run.processor for run in runs))


def meteor() -> None:
    """The contest."""
    testset = wmt21().every(SAMPLE)
    per_segment(testset, 1)
    theirs = per_segment_of_program(testset)
    print(f"\nMETEOR, us/segment    {'clock':>12}{'processor':>12}{'x clock':>12}{'x processor':>14}")
    print(f"  {'METEOR 1.5 (Java)':20}{theirs.clock:>12.2f}{theirs.processor:>12.2f}")
    for threads in (1, 2):
        ours = fastest([per_segment(testset, threads) for _ in range(3)])
        note(
            "METEOR, processor time",
            f"karat, {threads} threads",
            "METEOR 1.5 (Java)",
            theirs.processor / ours.processor,
        )
        ratios = f"{theirs.clock / ours.clock:>12.1f}{theirs.processor / ours.processor:>14.1f}"
        print(f"  {f'karat, {threads} threads':20}{ours.clock:>12.2f}{ours.processor:>12.2f}{ratios}")
