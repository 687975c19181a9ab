"""Two installed versions of karat, in turn: `python -m benchmarks.versions OLD_PYTHON NEW_PYTHON [WORD...]`.

Both must be installed in the same way. Each round runs every task in a process of its own for each version; of all
rounds the least counts, because noise only ever adds. Words choose tasks that have one of them in their names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks import installed
from benchmarks.commands import processor_seconds
from benchmarks.harness import data_set

ROUNDS = int(os.environ.get("ROUNDS", "5"))
SCRIPT = Path(installed.__file__)


def in_process(pythons: list[str], tasks: list[str]) -> dict[str, list[float]]:
    """The least seconds of each task by each version; said aloud where their outcomes differ."""
    least: dict[str, list[float]] = {task: [float("inf")] * len(pythons) for task in tasks}
    outcomes: dict[str, set[str]] = {task: set() for task in tasks}
    for _ in range(ROUNDS):
        for place, python in enumerate(pythons):
            for task, (seconds, outcome) in _run(python, tasks).items():
                least[task][place] = min(least[task][place], seconds)
                outcomes[task].add(outcome)
    for task, different in outcomes.items():
        if len(different) > 1:
            print(f"the outcome differs: {task}")
    return least


def _run(python: str, tasks: list[str]) -> dict[str, tuple[float, str]]:
    environment = {**os.environ, "KARAT_SHARED_DATA": str(data_set("wmt21-news-ende").parent)}
    command = [python, str(SCRIPT), *tasks]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd="/")
    found: dict[str, tuple[float, str]] = json.loads(done.stdout)
    return found


def commands() -> dict[str, list[str]]:
    """Whole commands on real data."""
    news = data_set("wmt21-news-ende")
    outputs = [str(path) for path in sorted((news / "system-outputs").glob("*.txt"))]
    reference = ["-r", str(news / "references" / "refC.de")]
    ratings = str(news / "mqm-2021-rater-scores.tsv")
    directory = str(data_set("wmt23-mtme-ende") / "wmt23")
    return {
        "karat score": ["score", "-m", "bleu", "-m", "chrf", *reference, *outputs],
        "karat compare": ["compare", "-m", "bleu", "-m", "chrf", *reference, *outputs],
        "karat rank": ["rank", "-m", "bleu", "-m", "chrf", *reference, *outputs],
        "karat human": ["human", ratings],
        "karat meta": ["meta", directory, "-l", "en-de", "-m", "bleu", "-m", "chrf"],
    }


def of_commands(pythons: list[str], names: list[str]) -> dict[str, list[float]]:
    """The least seconds of each command by each version."""
    least = {name: [float("inf")] * len(pythons) for name in names}
    for _ in range(ROUNDS):
        for place, python in enumerate(pythons):
            for name in names:
                command = [str(Path(python).with_name("karat")), *commands()[name]]
                least[name][place] = min(least[name][place], processor_seconds(command, repeats=1))
    return least


def main() -> None:
    """Print what each task takes, and the new version's share of the old one's time."""
    old, new, *words = sys.argv[1:]
    tasks, named = ([name for name in names if _asked(name, words)] for names in (installed.TASKS, commands()))
    print(f"{'processor time':34}{'old':>12}{'new':>12}{'new / old':>12}")
    for name, (before, after) in {**in_process([old, new], tasks), **of_commands([old, new], named)}.items():
        print(f"{name:34}{1e3 * before:>9.2f} ms{1e3 * after:>9.2f} ms{after / before:>12.2f}")


def _asked(name: str, words: list[str]) -> bool:
    return not words or any(word in name for word in words)


if __name__ == "__main__":
    main()
