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
from karat.sample import path as sample_path

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
        (ImportError("x.so: failed to map segment from shared object"), 70, "not enough memory"),
        (RuntimeError("can't start new thread"), 70, "not enough memory"),
        (NameError("name 'plr' is not defined", name="plr"), 70, "not enough memory"),
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
    of_one = ("backup", "check", "export", "link", "new", "password", "results", "serve", "status")
    required |= {f"campaign {name}": ["x"] for name in of_one}
    required |= {f"campaign {name}": ["x", "y"] for name in ("import", "restore")}
    required["mbr"] = ["x"]
    required["combine"] = ["--ratings", "x", "-o", "x"]
    arguments = [*words, *required.get(name, [])]
    silent = run(*arguments)
    assert (silent.code, "Traceback" in silent.err) == (70, False)
    loud = run(*(["--debug", *arguments] if before else [*arguments, "--debug"]))
    assert loud.code == 70
    assert loud.err.startswith("Traceback")
    assert loud.err.endswith(silent.err)


@pytest.mark.parametrize("name", [*NAMES, "analyse", "campaign", "tune", ""])
def test_bad_usage_has_one_form_in_all_commands(name: str) -> None:
    done = run(*name.split(), "--no-such-option")
    assert done.code == 2
    assert done.out == ""
    assert re.fullmatch(rf"karat: error: .*--no-such-option.* \(see karat{' ' * bool(name)}{name} --help\)\n", done.err)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("metrics", "campaign demo")])
def test_bad_input_has_one_form_in_all_commands(name: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    options = {
        "analyse coverage": ["-r", missing],
        "analyse multi-reference": ["-r", missing, missing, "--ratings", missing],
        "analyse word-tags": ["-g", missing, missing],
        **{f"campaign {name}": [missing] for name in ("backup", "check", "export", "password")},
        **{f"campaign {name}": [missing] for name in ("results", "serve", "status")},
        **{f"campaign {name}": [missing, missing] for name in ("import", "restore")},
        "campaign link": [missing, "1"],
        "campaign new": [missing, "-r", missing, missing],
        "combine": ["-r", missing, missing, "--ratings", missing, "-o", missing],
        "convert": [missing, "--to", "csv"],
        "human": [missing],
        "mbr": [missing],
        "pairwise": [missing, missing],
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


def test_a_number_of_thousands_of_digits_is_shown_by_its_first() -> None:
    done = run(*SCORE, "-j", "9" * 5000)
    assert done.code == 2
    assert len(done.err) < 300
    assert "9" * 40 + "…" in done.err
    assert is_one_line(done.err)


LITTLE_MEMORY = """
import resource, sys
import numpy
from karat.cli import main

pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (64 << 20),) * 2)
main(sys.argv[1:])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="tells how much memory is in use where /proc does")
def test_too_little_memory_ends_in_one_line(tmp_path: Path) -> None:
    for name in ("ref", "sys"):
        (tmp_path / f"{name}.txt").write_text(("a b c d e f g h " * 50 + "\n") * 100_000, encoding="utf-8")
    command = [sys.executable, "-c", LITTLE_MEMORY, "score", "-r", "ref.txt", "sys.txt", "-m", "ter", "-j", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (70, "")
    assert "not enough memory" in done.stderr
    assert is_one_line(done.stderr)


THREAD_WITHOUT_MEMORY = """
import sys, threading
from karat.cli.ending import run_to_end

def without_memory():
    raise MemoryError

def work(session):
    session.debug = bool(sys.argv[1:])
    thread = threading.Thread(target=without_memory)
    thread.start()
    thread.join()

run_to_end(work)
"""


def test_a_thread_without_memory_is_told_in_one_line() -> None:
    command = [sys.executable, "-c", THREAD_WITHOUT_MEMORY]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert told.startswith("karat: warning: a thread has ended: there is not enough memory")
    assert told.count("\n") == 1
    assert "Traceback" in subprocess.run([*command, "debug"], capture_output=True, text=True, check=True).stderr


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


LIBRARY_ENDS = """
import ctypes, os, sys
import karat.cli
from karat.__main__ import main

how = sys.argv.pop(1)

def work():
    if how == "after fork":
        if child := os.fork():
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        ctypes.CDLL(None).exit(1)
    if how == "by C":
        ctypes.CDLL(None).exit(1)
    if how == "by abort":
        ctypes.CDLL(None).abort()
    sys.exit(1)

if how == "in a program":
    import karat.kernels.exits
    karat.score(["a b"], ["a b"])
    ctypes.CDLL(None).exit(1)
karat.cli.main = work
if how == "when done":
    try:
        main()
    except SystemExit:
        ctypes.CDLL(None).exit(1)
main()
"""
ENDED_BY_A_LIBRARY = "karat: error: a library has ended the program, most likely for want of memory\n"


@pytest.mark.skipif(os.name == "nt", reason="calls exit() of POSIX's C library and forks")
@pytest.mark.parametrize(
    ("how", "ending"),
    [
        ("by C", (70, ENDED_BY_A_LIBRARY)),
        ("by abort", (70, ENDED_BY_A_LIBRARY)),
        ("by Python", (1, "")),
        ("after fork", (1, "")),
        ("in a program", (1, "")),
        ("when done", (1, "")),
    ],
)
def test_a_library_that_ends_a_command_does_not_answer_for_it(how: str, ending: tuple[int, str]) -> None:
    command = [sys.executable, "-c", LIBRARY_ENDS, how, "score", "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == ending


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
@pytest.mark.parametrize("kilobytes", [80_000, 95_000, 140_000])
def test_blas_without_memory_is_no_answer_of_a_gate(kilobytes: int) -> None:
    gate = f"karat compare --corpus {CORPUS} literal fluent -m chrf --non-inferior 0.5 -q"
    done = shell(f"ulimit -v {kilobytes}; {gate}")
    assert done.returncode in (0, 70)
    if "OpenBLAS" in done.stderr:
        assert done.stderr.endswith(ENDED_BY_A_LIBRARY)


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
@pytest.mark.parametrize("kilobytes", [300_000, 550_000, 604_160])
def test_polars_without_memory_starts_no_threads_and_gives_no_answer(kilobytes: int) -> None:
    done = shell(f"ulimit -v {kilobytes}; karat human {sample_path('ratings.tsv')} -q")
    assert done.returncode in (0, 70)
    assert "background thread" not in done.stderr
    assert done.returncode == 0 or done.stderr.splitlines()[-1].startswith("karat: error: ")
