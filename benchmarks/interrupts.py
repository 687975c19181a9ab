"""What every long command still does after Ctrl-C: processor time, for a busy machine must not count."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.processes import SYSTEM, TICKS, USER

MOMENTS = (0.6, 1.5, 3.0)
"""Seconds of the processor after which Ctrl-C is sent."""
ALLOWED = 1.0
"""Seconds of the processor that may follow."""
SEGMENTS = 25_000
LOOK = 0.01
SLOW_METRICS = (
    "ter",
    "terp(synonyms=none)",
    "eed",
    "character",
    "m-ter",
    "gtm",
    "tesla-m-style",
    "beer",
    "chrf",
    "bleu",
)
INTERRUPTED = 130

Run = tuple[int, float | None]
"""The exit status, and what was spent after the signal; None where the command had ended before."""


def interrupts() -> None:
    """Every command that can take long, interrupted at several moments."""
    print(f"\nCtrl-C, seconds of the processor that follow it (at most {ALLOWED:g})")
    slow = []
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        write_texts(directory, SEGMENTS)
        for title, arguments in commands().items():
            runs = [interrupted(arguments, directory, moment) for moment in MOMENTS]
            print(f"  {title:24}" + "".join(_shown(run) for run in runs), flush=True)
            if any(status not in (0, INTERRUPTED) or (seconds or 0) > ALLOWED for status, seconds in runs):
                slow.append(title)
    if slow:
        raise SystemExit(f"more is done after Ctrl-C than may be: {', '.join(slow)}")


def interrupted(arguments: Sequence[str], directory: Path, moment: float) -> Run:
    """Send Ctrl-C to a command when it has spent so much time of the processor."""
    program = [str(Path(sys.executable).with_name("karat")), *arguments]
    # What runs in the background ignores Ctrl-C, and would here.
    with subprocess.Popen(
        program,
        cwd=directory,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        before = _wait_until(process, moment)
        os.kill(process.pid, signal.SIGINT)  # Popen would collect a process that has ended, and what it has spent.
        _, ended, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(ended)
    if process.returncode == 0 or before is None:
        return process.returncode, None
    return process.returncode, usage.ru_utime + usage.ru_stime - before


def _wait_until(process: subprocess.Popen[bytes], moment: float) -> float | None:
    """What the command has spent when it has spent enough; None when it ends before."""
    while (spent := _spent(process.pid)) is not None and spent < moment:
        time.sleep(LOOK)
    return spent


def _spent(pid: int) -> float | None:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return None if fields[0] == "Z" else (int(fields[USER]) + int(fields[SYSTEM])) / TICKS


def _shown(run: Run) -> str:
    status, seconds = run
    text = "done before" if seconds is None else f"{seconds:.2f}"
    return f"{text:>14}" + ("" if status in (0, INTERRUPTED) else f" (exit {status})")


def commands() -> Mapping[str, Sequence[str]]:
    """What each command is called with, where the texts are."""
    texts = ("-r", "ref.txt", "a.txt", "b.txt", "c.txt", "d.txt")
    scores = {f"score {spec}": ("score", *texts, "-m", spec) for spec in SLOW_METRICS}
    people = ("--judgements", "people.csv", "--scores", "metric.csv")
    return {
        **scores,
        "score, intervals": ("score", *texts, "-m", "bleu", "-m", "chrf", "--ci", "-n", "100000"),
        "compare": ("compare", *texts, "-m", "bleu", "-m", "chrf", "-n", "100000"),
        "compare, by bootstrap": ("compare", *texts, "-m", "bleu", "-n", "100000", "--test", "bootstrap"),
        "rank": ("rank", *texts, "-m", "chrf", "-n", "100000"),
        "human": ("human", "people.csv", "-n", "20000"),
        "meta": ("meta", *people, "-n", "5000"),
        "analyse all": ("analyse", "all", *texts),
        "audit": ("audit", *texts),
        "report": ("report", *texts, "-m", "ter", "-m", "chrf", "-n", "20000", "-o", "report.html"),
        "mbr": ("mbr", "nbest.txt", "-k", "100", "-m", "chrf"),
        "mbr, by TER": ("mbr", "nbest.txt", "-k", "100", "-m", "ter"),
        "pairwise": ("pairwise", "-m", "chrf", "ref.txt"),
        "tune meteor": ("tune", "meteor", *texts, "--judgements", "people.csv", "-l", "en-de"),
        "convert": ("convert", "people.csv", "--to", "jsonl", "-o", "people.jsonl"),
    }


def write_texts(directory: Path, segments: int) -> None:
    """Texts of random words, systems that differ from the reference here and there, and what people say of them."""
    chance = random.Random(1)
    words = [f"{chance.choice('bdfgklmnprst')}{chance.choice('aeiou')}{number:x}" for number in range(3000)]
    reference = [chance.choices(words, k=chance.randint(10, 45)) for _ in range(segments)]
    _write_lines(directory / "ref.txt", reference)
    for share, system in enumerate("abcd", 1):
        _write_lines(directory / f"{system}.txt", [_changed(chance, line, words, share) for line in reference])
    nbest = [_changed(chance, line, words, 3) for line in reference[:300] for _ in range(100)]
    _write_lines(directory / "nbest.txt", nbest)
    for name, raters in (("people", ("r1", "r2", "r3")), ("metric", ("",))):
        header = "system,segment,score" + (",rater" if name == "people" else "")
        rows = _judged(chance, raters, segments)
        (directory / f"{name}.csv").write_text("\n".join([header, *rows, ""]), encoding="utf-8")


def _judged(chance: random.Random, raters: Sequence[str], segments: int) -> Iterator[str]:
    for system in "abcd":
        for segment in range(1, segments + 1):
            for rater in raters:
                yield f"{system},{segment},{chance.randint(0, 100)}" + (f",{rater}" if rater else "")


def _changed(chance: random.Random, line: Sequence[str], words: Sequence[str], share: int) -> list[str]:
    changed = [chance.choice(words) if chance.random() < share / 10 else word for word in line]
    cut = chance.randrange(len(changed))
    return changed[cut:] + changed[:cut]


def _write_lines(path: Path, lines: Sequence[Sequence[str]]) -> None:
    path.write_text("".join(" ".join(line) + "\n" for line in lines), encoding="utf-8")
