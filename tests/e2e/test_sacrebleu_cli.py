"""`python -m karat.compat.sacrebleu` and `python -m sacrebleu`: the same command lines, the same output to the byte."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

WORDS = ["the", "The", "cat", "sat", "on", "mat.", "3.5", "it's", "5-6", "&quot;x&quot;", "straße,", "中文字", "(so)"]

DRIVER = """
import importlib, json, os, runpy, sys, tempfile, traceback

def redirect(number, data=b""):
    file = tempfile.TemporaryFile()
    file.write(data)
    file.seek(0)
    os.dup2(file.fileno(), number)
    return file

def execute(module, arguments, environment):
    os.environ.update(environment)
    sys.argv = ["sacrebleu", *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code or 0
    except Exception:
        traceback.print_exc()
        return 1
    return 0

def run(module, arguments, stdin, environment):
    source, out = redirect(0, stdin.encode()), redirect(1)
    child = os.fork()
    if child == 0:
        status = execute(module, arguments, environment)
        sys.stdout.flush()
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    out.seek(0)
    return out.read().decode(), status

module = sys.argv[1]
commands = json.load(sys.stdin)
real = os.dup(1)
importlib.import_module(module + ".sacrebleu")  # once for all children
results = json.dumps([run(module, *command) for command in commands]).encode()
with open(real, "wb") as file:
    file.write(results)
"""

COMMANDS = [
    "ref -i near",
    "ref -i near -m bleu chrf ter",
    "ref -i near -m ter chrf bleu -f text",
    "ref -i near -m bleu chrf ter -f text -sh -w 3",
    "ref -i near -m bleu chrf ter -b -w 4",
    "ref -i near -m bleu ter -b -f text",
    "ref -i near -b",
    "ref -i near -f latex",
    "ref -i near -w 0",
    "ref other -i near -m bleu chrf ter -f text",
    "both.tsv -nr 2 -i near -f text",
    "both.tsv -nr 3 -i near",
    "ref.gz -i near -f text",
    "ref -i near -tok intl -lc -s floor -sv 0.2 -f text",
    "ref -i near -tok none -s add-k -sv 2 -f text",
    "ref -i near -tok char -s none --force",
    "ref -i near -l en-zh -f text -q",
    "ref -i near -m chrf --chrf-word-order 2 --chrf-beta 3 --chrf-whitespace --chrf-lowercase -cc 4 -f text",
    "ref -i near -m chrf --chrf-eps-smoothing -cw 1",
    "ref -i near -m ter --ter-case-sensitive --ter-asian-support --ter-no-punct --ter-normalized -f text",
    "ref -i near -sl",
    "ref other -i near -sl -m chrf -sh -w 5",
    "ref -i near -sl -m ter -b -w 3",
    "ref -i near -ci",
    "ref other -i near -ci -cin 100 -m bleu chrf ter -f text -w 4",
    "ref -i near -ci -cin 60 -m bleu chrf -b",
    "ref -i near far",
    "ref -i near far -m bleu ter chrf -f text -w 2",
    "ref -i near far sub/we_ird%&$#{}~^<>é -m bleu chrf -f latex",
    "ref -i near far -f text -sh",
    "ref other -i near sub/far -m bleu chrf ter --paired-bs -pbsn 80 -f text",
    "ref -i near far same -m bleu chrf ter --paired-ar -parn 90 -f text -w 3",
    "ref -i near near far -m bleu --paired-bs -pbsn 70 -f latex",
    "ref -i near far -m bleu chrf ter --paired-ar -parn 50",
    "ref -i near far -m bleu --paired-bs -pbsn 50 -q",
    "ref -i near --paired-bs",
    "ref -i near far -ci",
    "ref -i near far -sl",
    "ref -i near -sl -m bleu chrf",
    "ref -i near -sl -ci",
    "ref -i short",
    "ref short -i near",
    "ref -i near near",
    "ref other -i near -nr 2",
    "ref -i near -e latin-1 -m bleu chrf -f text",
    "ref -i near -m nonsense",
    "ref -i missing",
    "ref -i near -t wmt17 -l en-de",
    "blank -i blank -m bleu chrf ter -f text",
    "--version",
    "--cite",
    "--list -t wmt17",
    "-t wmt17 -l en-de -i near -m bleu chrf -f text",
    "-t wmt17 -l en-de -i near far -m ter --paired-ar -parn 30 -f text",
    "-t wmt17 -l en-de --echo src ref",
    "-t wmt17 -l en-de -i near --origlang en -b",
    "-t nonsense -l en-de -i near",
    "-t wmt17 -i near",
]
WITH_STDIN = [
    "ref -f text",
    "ref -m bleu chrf",
    "ref --paired-bs -pbsn 40 -f text -sh",
    "ref --paired-ar -parn 40 -m bleu",
]


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="many commands in one process need fork")


def noisy(lines: list[str], share: float, rng: random.Random) -> list[str]:
    return [" ".join(w if rng.random() > share else rng.choice(WORDS) for w in line.split()) for line in lines]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reference, another one, and systems near to it and far from it."""
    directory = tmp_path_factory.mktemp("files")
    rng = random.Random(5)
    ref = [" ".join(rng.choices(WORDS, k=rng.randint(3, 14))) for _ in range(40)]
    other, near, far = (noisy(ref, share, rng) for share in (0.2, 0.3, 0.5))
    weird = "sub/we_ird%&$#{}~^<>é"
    (directory / "sub").mkdir()
    contents = {"ref": ref, "other": other, "near": near, "far": far, "same": near, "sub/far": far, weird: far}
    contents |= {"short": near[:-1], "blank": [*near[:3], "", "  "]}
    contents["both.tsv"] = [f"{a}\t{b}" for a, b in zip(ref, other, strict=True)]
    contents["two.tsv"] = [f"{a}\t{b}" for a, b in zip(near, far, strict=True)]
    for name, lines in contents.items():
        (directory / name).write_text("\n".join(lines) + "\n", "utf-8")
    (directory / "wmt17").mkdir()
    for field in ("src", "ref", "docid", "genre", "origlang"):  # as if the test set had been downloaded
        lines = ref if field in ("src", "ref") else ["en" if field == "origlang" else field] * len(ref)
        (directory / "wmt17" / f"wmt17.en-de.{field}").write_text("\n".join(lines) + "\n", "utf-8")
    (directory / "ref.gz").write_bytes(gzip.compress((directory / "ref").read_bytes()))
    return directory


def batch(module: str, commands: list[tuple[list[str], str, dict[str, str]]], directory: Path) -> list[Any]:
    """Standard output and exit status of many commands in one process."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, module],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=directory,
        env={**os.environ, "SACREBLEU": str(directory)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    results: list[Any] = json.loads(done.stdout)
    return results


def without_notes(output: str) -> str:
    """Leave out the explanation of paired tests, which karat gives in its own words."""
    return re.sub(r"\n - (Each|Every) system is .*?(?=\n-{17}\n)", "", output, flags=re.DOTALL)


@needs_fork
def test_output_and_status_are_equal(files: Path) -> None:
    commands: list[tuple[list[str], str, dict[str, str]]] = [(line.split(), "", {}) for line in COMMANDS]
    for name in ("near", "two.tsv"):
        stdin = (files / name).read_text("utf-8")
        commands.extend((line.split(), stdin, {}) for line in WITH_STDIN)
    commands.append((["ref", "-i", "near"], "", {"SACREBLEU_FORMAT": "text"}))
    commands.append((["ref", "-i", "near", "-ci"], "", {"SACREBLEU_SEED": "77"}))
    ours = batch("karat.compat.sacrebleu", commands, files)
    theirs = batch("sacrebleu", commands, files)
    different = [
        f"{command[0]}\n--- karat {our_status}\n{our_output}\n--- sacreBLEU {their_status}\n{their_output}"
        for command, (our_output, our_status), (their_output, their_status) in zip(commands, ours, theirs, strict=True)
        if (without_notes(our_output), our_status) != (without_notes(their_output), their_status)
    ]
    assert not different, "\n".join(different)
    assert sum(status == 0 for _, status in ours) > 40


@pytest.mark.parametrize("line", ["ref -i near -m bleu chrf ter -f text", "ref -i short"])
def test_as_real_processes(files: Path, line: str) -> None:
    ours, theirs = (
        subprocess.run([sys.executable, "-m", module, *line.split()], capture_output=True, cwd=files)
        for module in ("karat.compat.sacrebleu", "sacrebleu")
    )
    assert (ours.stdout, ours.returncode) == (theirs.stdout, theirs.returncode)


@needs_fork
def test_json_of_a_bootstrap_test_has_every_metric(files: Path) -> None:
    """sacreBLEU fails here: its float32 numbers are not JSON."""
    command = (["ref", "-i", "near", "far", "-m", "bleu", "chrf", "ter", "--paired-bs", "-pbsn", "30"], "", {})
    ((output, status),) = batch("karat.compat.sacrebleu", [command], files)
    assert status == 0
    base, far = json.loads(output)
    assert base["system"] == "Baseline: near"
    assert set(far) == {"system", "BLEU", "chrF2", "TER"}
    assert far["TER"]["p_value"] == pytest.approx(1 / 31)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("ref -i short", "39 hypotheses, but 40 segments"),
        ("ref -i missing", "missing"),
        ("ref -i", "names no file"),
        ("ref -i near -l en", "language pair"),
        ("both.tsv -nr 3 -i near", "line 1: expected 3 fields, but found 2"),
        ("-i near", "references before -i"),
        ("ref.gz -i near -e ascii", "ref.gz cannot be read"),
    ],
)
def test_messages_say_what_is_wrong(files: Path, line: str, part: str) -> None:
    command = [sys.executable, "-m", "karat.compat.sacrebleu", *line.split()]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=files)
    assert done.returncode in (1, 17)
    assert done.stdout == ""
    assert part in done.stderr
    assert "Traceback" not in done.stderr
