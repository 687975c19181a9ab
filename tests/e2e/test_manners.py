"""What karat says to somebody who writes a command in another way than it likes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contract.commands import run
from tests.contract.option_files import write_option_files


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_option_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_metrics_may_be_joined_by_commas() -> None:
    together = run("score", "-r", "ref.txt", "a.txt", "-m", "bleu,chrf(word_order=2,beta=3),ter")
    apart = run("score", "-r", "ref.txt", "a.txt", "-m", "bleu", "-m", "chrf(word_order=2,beta=3)", "-m", "ter")
    assert together == apart
    assert together.code == 0


def test_a_metric_in_the_place_of_a_system_is_explained() -> None:
    done = run("score", "-r", "ref.txt", "a.txt", "-m", "bleu", "chrf")
    assert done.code == 2
    assert "no file chrf, but there is such a metric: write -m before each metric, -m chrf" in done.err


def test_a_system_with_the_name_of_a_metric_is_a_system() -> None:
    shutil.copy("a.txt", "chrf")
    assert run("score", "-r", "ref.txt", "-m", "bleu", "chrf").code == 0


def test_systems_may_be_named_as_for_sacrebleu() -> None:
    assert run("score", "-r", "ref.txt", "-i", "a.txt", "-i", "x=b.txt") == run(
        "score", "-r", "ref.txt", "a.txt", "x=b.txt"
    )
    done = run("score", "ref.txt", "-i", "a.txt")
    assert done.code == 2
    assert "ref.txt counts as the output of a system, since only -r names references" in done.err


@pytest.mark.parametrize("name", ["comet", "COMET", "cometkiwi", "wmt22-comet-da", "bleurt", "metricx", "bertscore"])
def test_neural_metrics_are_brought_as_scores(name: str) -> None:
    done = run("score", "-r", "ref.txt", "a.txt", "-m", name)
    assert done.code == 2
    assert "--scores FILE" in done.err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["scor"], "Did you mean score"),
        (["comapre"], "Did you mean compare"),
        (["analyse", "coverge"], "Did you mean coverage"),
        (["tune", "metoer"], "Did you mean meteor"),
        (["score", "--referense", "x"], "--reference"),
        (["score", "-r", "ref.txt", "a.txt", "-m", "chfr"], "Did you mean chrf"),
        (["metrics", "belu"], "Did you mean bleu"),
        (["score", "-r", "ref.txt", "a.txt", "-f", "tabel"], "table"),
    ],
)
def test_a_misspelt_name_gets_a_near_one(arguments: list[str], hint: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert hint in done.err
    assert done.err.count("\n") == 1


READS = [
    ("score -r ref.txt a.txt", "ref.txt"),
    ("score -r ref.txt a.txt", "./a.txt"),
    ("score -r ref.txt x=a.txt", "a.txt"),
    ("score -r ref.txt -i a.txt", "a.txt"),
    ("score -r ref.txt -s src.txt a.txt", "src.txt"),
    ("score -r ref.txt --documents docs.txt a.txt", "docs.txt"),
    ("score --corpus all.jsonl", "all.jsonl"),
    ("score --corpus sets.toml", "sets.toml"),
    ("score --corpus sets.toml", "b.txt"),
    ("compare -r ref.txt x=a.txt,b.txt y=b.txt,c.txt", "c.txt"),
    ("compare --scores scores.tsv", "scores.tsv"),
    ("rank --scores scores.tsv", "scores.tsv"),
    ("power -r ref.txt a.txt b.txt", "b.txt"),
    ("meta --judgements judged.tsv --scores scores.tsv", "judged.tsv"),
    ("human ratings.tsv", "ratings.tsv"),
    ("human ratings.tsv --corpus all.jsonl", "all.jsonl"),
    ("convert ratings.tsv --to csv", "ratings.tsv"),
    ("analyse coverage -r ref.txt -r ref2.txt", "ref2.txt"),
    ("analyse word-tags -g gold.tags predicted.tags", "gold.tags"),
    ("analyse word-tags -g gold.tags predicted.tags", "predicted.tags"),
    ("analyse multi-reference --corpus all.jsonl --ratings ratings.tsv", "ratings.tsv"),
]


@pytest.mark.parametrize(("command", "output"), READS, ids=[f"{command} -o {output}" for command, output in READS])
def test_what_is_read_is_not_written(command: str, output: str) -> None:
    before = Path(output).read_bytes()
    Path("link").symlink_to(output)
    for name in (output, "link"):
        done = run(*command.split(), "-o", name)
        assert done.code == 2
        assert f"{name} is read, so it is not written to" in done.err
        assert Path(output).read_bytes() == before


def test_a_page_does_not_replace_what_is_read() -> None:
    done = run("meta", "--judgements", "judged.tsv", "--scores", "scores.tsv", "--html", "judged.tsv")
    assert (done.code, "is read" in done.err) == (2, True)


def test_a_directory_is_no_output() -> None:
    for name in (".", "meta"):
        done = run("score", "-r", "ref.txt", "a.txt", "-o", name)
        assert (done.code, done.err) == (2, f"karat: error: cannot write {name}: it is a directory; name a file\n")


EVIL = "evil\x1b]0;owned\x07\x1b[2J"
SHOWN = r"evil\x1b]0;owned\x07\x1b[2J"


def spoil(source: str, target: str, old: str) -> None:
    """A copy of a file with a name in it that would move the cursor."""
    text = Path(source).read_text(encoding="utf-8")
    assert old in text
    Path(target).write_text(text.replace(old, old.replace(old.strip("\t\n"), EVIL)), encoding="utf-8")


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
@pytest.mark.parametrize(
    ("command", "source", "old"),
    [
        ("score -r ref.txt a.txt --level document --documents evil", "docs.txt", "d0\n"),
        ("human evil --input-format tsv --show raters", "ratings.tsv", "\nr\t"),
        ("human evil --input-format tsv -c fluency -n 50", "ratings.tsv", "\ta\t"),
    ],
)
def test_names_in_files_cannot_move_the_cursor(command: str, source: str, old: str, form: str) -> None:
    spoil(source, "evil", old)
    done = run(*command.split(), "-f", form)
    assert (done.code == 0 and "x1b" in done.out) or SHOWN in done.err, done.err
    assert not {"\x1b", "\x07"} & set(done.out + done.err)


def test_warnings_about_files_cannot_move_the_cursor() -> None:
    shutil.copy("bad.tsv", f"{EVIL}.tsv")
    done = run("convert", f"{EVIL}.tsv", "--to", "jsonl", "-o", "out.jsonl", "--skip-bad")
    assert done.code == 0
    assert SHOWN in done.err
    assert not {"\x1b", "\x07"} & set(done.out + done.err)


def test_errors_about_names_cannot_move_the_cursor() -> None:
    for arguments in (["score", "-r", "no\x1b[2J", "a.txt"], ["score", "--no\x1b[2J"], ["no\x1b[2J"]):
        done = run(*arguments)
        assert done.code == 2
        assert r"no\x1b[2J" in done.err
        assert "\x1b" not in done.err


def test_test_sets_and_documents_cannot_move_the_cursor() -> None:
    manifest = Path("sets.toml").read_text(encoding="utf-8").replace('name = "ref"', 'name = "ref\\u001b[2J"')
    Path("evil.toml").write_text(manifest, encoding="utf-8")
    done = run("score", "--corpus", "evil.toml", "-m", "chrf")
    assert done.code == 0, done.err
    assert r"ref\x1b[2J" in done.out
    assert "\x1b" not in done.out + done.err


COMPLETIONS = {"karat sc": "score", "karat score -m chr": "chrf++", "karat score --lev": "--level"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(("line", "expected"), COMPLETIONS.items(), ids=list(COMPLETIONS))
def test_a_shell_completes(here: Path, shell: str, line: str, expected: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (here / "karat").write_text(f'#!/bin/sh\nexec {sys.executable} -m karat "$@"\n', encoding="utf-8")
    (here / "karat").chmod(0o755)
    environment = {**os.environ, "PATH": f"{here}:{os.environ['PATH']}", "HOME": str(here)}
    done = subprocess.run(
        [shell, "-c", SCRIPTS[shell]],
        capture_output=True,
        text=True,
        env={**environment, "LINE": line},
        timeout=60,
        check=False,
    )
    assert expected in done.stdout.split(), (done.stdout, done.stderr)


SCRIPTS = {
    "bash": """
        eval "$(_KARAT_COMPLETE=bash_source karat)"
        COMP_WORDS=($LINE); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _karat_completion karat; printf '%s\\n' "${COMPREPLY[@]}"
    """,
    # The functions of zsh's line editor are missing in a script, so what would be handed to them is printed.
    "zsh": """
        compdef() { :; }
        _describe() { print -l -- ${completions_with_descriptions%%:*}; }
        compadd() { print -l -- $completions; }
        eval "$(_KARAT_COMPLETE=zsh_source karat)"
        words=(${=LINE}); CURRENT=${#words}; _karat_completion
    """,
    "fish": """
        eval (_KARAT_COMPLETE=fish_source karat | string collect)
        complete -C "$LINE" | string replace -r '\\t.*' ''
    """,
}
