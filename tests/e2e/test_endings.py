"""However a run ends: one line, no traceback, and the exit code that says what happened."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.contract.commands import commands, run
from tests.e2e.commands import CORPUS, REFERENCE, sample_file

from karat.cli import group

SCORE = ("score", "--corpus", CORPUS, "-m", "chrf")
PROGRAM = [sys.executable, "-m", "karat"]
NAMES = [name for name, _ in commands()]
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which karat is the program."""
    program = " ".join(PROGRAM)
    return subprocess.run(
        ["bash", "-c", f'karat() {{ {program} "$@"; }}; {line}'],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
        env={**os.environ, **environment},
    )


def is_one_line(error: str) -> bool:
    return error.startswith("karat: ") and error.count("\n") == 1 and error.endswith("\n")


def fail_with(patch: pytest.MonkeyPatch, error: BaseException) -> None:
    def invoke(_context: object) -> None:
        raise error

    patch.setattr(group, "invoke", invoke)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (RuntimeError("odd\x1b[2J thing"), 70, r"RuntimeError: odd\x1b[2J thing"),
        (MemoryError(), 70, "not enough memory"),
        (OSError(5, "Input/output error", "disk"), 70, "disk: Input/output error"),
        (RecursionError("too deep"), 70, "RecursionError"),
        (BaseException("panic"), 70, "panic"),
        (KeyboardInterrupt(), 130, "karat: interrupted"),
    ],
)
def test_an_error_that_nobody_foresaw_is_one_line(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    fail_with(monkeypatch, error)
    done = run("score", "x")
    assert done.code == code
    assert message in done.err
    assert is_one_line(done.err)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("before", [False, True], ids=["after the command", "before it"])
def test_every_command_shows_the_traceback_when_it_is_asked_to(
    monkeypatch: pytest.MonkeyPatch, name: str, before: bool
) -> None:
    words = name.split()
    command = dict(commands())[name]

    def fail(_context: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr(type(command), "invoke", fail)
    required = {"tune meteor": ["--judgements", "x"], "analyse multi-reference": ["--ratings", "x"]}
    required["analyse word-tags"] = ["--gold", "x", "y"]
    arguments = [*words, *required.get(name, [])]
    silent = run(*arguments)
    assert (silent.code, "Traceback" in silent.err) == (70, False)
    loud = run(*(["--debug", *arguments] if before else [*arguments, "--debug"]))
    assert loud.code == 70
    assert loud.err.startswith("Traceback")
    assert loud.err.endswith(silent.err)


@pytest.mark.parametrize("name", [*NAMES, "analyse", "tune", ""])
def test_bad_usage_has_one_form_in_all_commands(name: str) -> None:
    done = run(*name.split(), "--no-such-option")
    assert done.code == 2
    assert done.out == ""
    assert re.fullmatch(rf"karat: error: .*--no-such-option.* \(see karat{' ' * bool(name)}{name} --help\)\n", done.err)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "metrics"])
def test_bad_input_has_one_form_in_all_commands(name: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    options = {
        "analyse coverage": ["-r", missing],
        "analyse multi-reference": ["-r", missing, missing, "--ratings", missing],
        "analyse word-tags": ["-g", missing, missing],
        "convert": [missing, "--to", "csv"],
        "human": [missing],
        "meta": ["--judgements", missing, "--scores", missing],
        "tune meteor": ["-r", missing, missing, "--judgements", missing],
    }.get(name, ["-r", missing, missing])
    done = run(*name.split(), *options)
    assert done.code == 2
    assert done.err.startswith("karat: error: ")
    assert missing in done.err
    assert is_one_line(done.err)


@FULL
@pytest.mark.parametrize("arguments", [SCORE, (*SCORE, "--json"), ("metrics",), ("--help",), ("score", "--help")])
def test_a_full_stdout_is_told(arguments: tuple[str, ...]) -> None:
    done = shell(f"karat {' '.join(arguments)} > /dev/full")
    assert done.returncode == 70
    assert "No space left" in done.stderr
    assert is_one_line(done.stderr)


@FULL
def test_a_full_stderr_changes_nothing() -> None:
    line = f"karat score -r {REFERENCE} -s {REFERENCE} {sample_file('neural')}"
    assert shell(f"{line} 2> /dev/full").stdout == shell(line).stdout != ""


@pytest.mark.parametrize("arguments", [SCORE, ("metrics",)])
def test_a_closed_stdout_is_told(arguments: tuple[str, ...]) -> None:
    done = shell(f"karat {' '.join(arguments)} >&-")
    assert done.returncode == 70
    assert is_one_line(done.stderr)


def test_a_closed_stdout_is_not_needed_for_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert shell(f"karat {' '.join(SCORE)} --json -o {target} >&- 2>&-").returncode == 0
    assert target.stat().st_size


def test_a_reader_who_leaves_is_no_error() -> None:
    done = shell(f"set -o pipefail; karat {' '.join(SCORE)} --level segment -f csv | head -1")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_gate_that_is_not_passed_fails_even_if_nobody_reads_the_table() -> None:
    files = f"-r {REFERENCE} {sample_file('neural')} {sample_file('glossary')}"
    done = shell(f"set -o pipefail; karat compare {files} -m chrf -n 200 --non-inferior 0.5 -q | true")
    assert done.returncode == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("arguments", [SCORE, ("metrics",), ("metrics", "chrf"), ("rank", *SCORE[1:], "-n", "100")])
def test_signs_that_stdout_lacks_are_written_plainly(encoding: str, arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode(encoding)
    assert "Traceback" not in done.stderr.decode(encoding)
    assert "\\u" not in shown.partition("Citation")[0]
    if arguments == SCORE:
        assert ("chrF2 ↑" if encoding == "utf-8" else "chrF2 ^") in shown


def test_json_is_the_same_document_in_any_encoding(tmp_path: Path) -> None:
    for name in ("ref", "sys"):
        (tmp_path / f"{name}.txt").write_text("ä\n", encoding="utf-8")
    line = [*PROGRAM, "score", "-r", "ref.txt", "süß 𝒳=sys.txt", "--json"]
    documents = []
    for encoding in ("utf-8", "ascii", "cp1252"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"}
        done = subprocess.run(line, capture_output=True, check=True, cwd=tmp_path, env=environment)
        documents.append(json.loads(done.stdout.decode(encoding)))
    assert documents[0]["scores"][0]["system"] == "süß 𝒳"
    assert documents[0] == documents[1] == documents[2]


@pytest.mark.parametrize(
    "arguments",
    [
        (*SCORE, "-j", "1000000"),
        (*SCORE, "--ci", "-n", "1000000000000"),
        ("compare", *SCORE[1:], "-n", "99999999999999999999"),
        ("rank", *SCORE[1:], "-n", "0"),
        ("human", "x", "--resamples", "1000000000"),
        ("human", "x", "-n", "1000000000"),
        ("meta", "x", "-n", "1000000000"),
        ("analyse", "coverage", "-r", "x", "-j", "0"),
        ("tune", "meteor", "--judgements", "x", "--starts", "1000000"),
    ],
)
def test_counts_beyond_reason_are_refused_with_their_range(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert re.search(r"is not in the range 1<=x<=\d+", done.err)
    assert is_one_line(done.err)


def waiting(tmp_path: Path, *arguments: str) -> subprocess.Popen[str]:
    """A run that waits for what nobody writes into a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*PROGRAM, "score", "-r", str(pipe), "sys.txt", "-o", "out.json", "--json", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, Ctrl-C is ignored, and would be here.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob(".karat-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(tmp_path.glob(".karat-*"))
    return process


@pytest.mark.parametrize(
    ("number", "code", "message"),
    [(signal.SIGINT, 130, "karat: interrupted\n"), (signal.SIGTERM, 143, "karat: terminated\n")],
)
def test_a_signal_ends_the_run_and_leaves_no_file(
    tmp_path: Path, number: signal.Signals, code: int, message: str
) -> None:
    (tmp_path / "sys.txt").write_text("a\n", encoding="utf-8")
    with waiting(tmp_path) as process:
        time.sleep(0.2)
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (code, message)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "sys.txt"]


def test_all_exit_codes_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    for code in (0, 1, 2, 70, 130, 143):
        assert f"| {code} |" in page
    assert "(exit-codes.md)" in (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
