"""Minimum Bayes risk beside fastchrf and beside sacreBLEU in a loop, and a million pairs of different sentences.

Lists are made of the outputs of WMT21's systems for one segment, a few words of each changed, as samples of one model
are alike. Ratios are of processor time, of all threads together.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import fastchrf
import sacrebleu

import karat
from benchmarks.harness import TestSet, wmt21
from benchmarks.history import note

SEGMENT = 5
Choose = Callable[[list[str]], list[float]]
"""The expected utility of every hypothesis of a list."""


def samples(testset: TestSet, count: int, segment: int = SEGMENT, seed: int = 1) -> list[str]:
    """Hypotheses of one segment: outputs of systems with up to three words put in from others."""
    rng = random.Random(seed)
    outputs = [system[segment].split() for system in testset.systems]
    made = []
    for _ in range(count):
        words = list(rng.choice(outputs))
        for _ in range(3):
            words[rng.randrange(len(words))] = rng.choice(rng.choice(outputs))
        made.append(" ".join(words))
    return made


def own(spec: str, threads: int, strategy: str = "exact") -> Choose:
    """Expected utilities by karat, from lists of strings."""
    return lambda texts: list(karat.mbr([texts], spec, strategy=strategy, threads=threads).segments[0].utilities)


def by_fastchrf(texts: list[str]) -> list[float]:
    """The means of fastchrf's matrix."""
    (matrix,) = fastchrf.pairwise_chrf([texts], [texts])
    return [sum(row) / len(row) for row in matrix]


def in_a_loop(metric: sacrebleu.BLEU | sacrebleu.TER) -> Choose:
    """Sentence scores of sacreBLEU, pair by pair."""
    return lambda texts: [sum(metric.sentence_score(h, [r]).score for r in texts) / len(texts) for h in texts]


def measured(work: Choose, texts: list[str], repeats: int) -> tuple[float, float]:
    """Processor seconds and seconds on the clock, each the least of several runs."""
    spent = []
    for _ in range(repeats):
        clock, processor = time.perf_counter(), time.process_time()
        work(texts)
        spent.append((time.process_time() - processor, time.perf_counter() - clock))
    return min(one for one, _ in spent), min(other for _, other in spent)


def beside(title: str, rival: str, theirs: Choose, spec: str, texts: list[str], *, pairs: int | None = None) -> None:
    """Print how many times as long a rival takes, which gets no more than the first `pairs` hypotheses."""
    few = texts if pairs is None else texts[:pairs]
    share = (len(texts) / len(few)) ** 2
    for mine, peer in zip(own(spec, 1)(few), theirs(few), strict=True):
        if abs(mine - peer) > 1e-6:
            raise SystemExit(f"the utilities differ: {mine} and {peer}")
    processor, clock = (share * spent for spent in measured(theirs, few, 1))
    print(f"\n{title}, {len(texts)} hypotheses: {rival} {processor:.3f} s of the processor, {clock:.3f} s")
    for threads in (1, 2):
        mine, wall = measured(own(spec, threads), texts, 5)
        ratios = f"{processor / mine:.0f} times, on the clock {clock / wall:.0f}"
        print(f"  karat, {threads} threads  {mine:.4f} s, {wall:.4f} s  {ratios}")
        note(f"{title} {len(texts)}", f"karat, {threads} threads", rival, processor / mine)


def mbr() -> None:
    """chrF, BLEU and TER as utility, references averaged, and many segments."""
    testset = wmt21()
    for count in (100, 1000):
        beside("MBR chrF", "fastchrf 0.2.1", by_fastchrf, "chrf", samples(testset, count))
    texts = samples(testset, 100)
    bleu, ter = sacrebleu.BLEU(effective_order=True), sacrebleu.TER()
    beside("MBR BLEU", "sacreBLEU 2.6.0", in_a_loop(bleu), "sentence-bleu", texts, pairs=40)
    beside("MBR TER", "sacreBLEU 2.6.0", in_a_loop(ter), "ter", texts, pairs=20)
    print("\nReferences averaged, chrF, 1 thread, processor time")
    for count in (1000, 2000, 4000):
        print(f"  {count} hypotheses  {measured(own('chrf', 1, 'aggregate'), samples(testset, count), 3)[0]:.4f} s")
    _many_segments(testset)


def _many_segments(testset: TestSet) -> None:
    """The whole command on a thousand lists of a hundred, with the memory that it takes."""
    with tempfile.TemporaryDirectory() as directory:
        lists = Path(directory, "lists.txt")
        lines = (text for segment in range(1000) for text in samples(testset, 100, segment, segment))
        lists.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        command = [str(Path(sys.executable).with_name("karat")), "mbr", str(lists), "-k", "100", "-q", "-o"]
        subprocess.run([*command, str(Path(directory, "best.txt"))], check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\nkarat mbr, 1,000 segments of 100: {used.ru_utime + used.ru_stime:.1f} s, {used.ru_maxrss / 1024:.0f} MB")


def pairwise() -> None:
    """Every output of one system against every output of another: a million pairs that share little."""
    testset = wmt21()
    first, second = testset.systems[:2]
    print(f"\nEvery pair of {len(first)} and {len(second)} sentences, 1 thread, processor time")
    for spec in ("chrf", "chrf++", "sentence-bleu"):
        start = time.process_time()
        karat.pairwise(first, second, spec, threads=1)
        print(f"  {spec:16}{time.process_time() - start:.2f} s")
