"""What karat shows in a terminal: tables that fit, words that are whole, how far it has come."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.contract.commands import run
from tests.contract.option_files import write_option_files
from tests.e2e.commands import CORPUS, SAMPLE
from tests.e2e.terminal import in_terminal

from karat.cli.output import Progress, show_warnings
from karat.service.vocabulary.texts import Diagnostic

RATINGS = str(SAMPLE / "ratings.tsv")
TABLES = {
    "score": ["score", "--corpus", CORPUS, "-m", "bleu,chrf,ter,wer,cer,ribes", "--ci", "-n", "100"],
    "suite": ["score", "--corpus", CORPUS, "-m", "suite:classic", "-l", "de-en"],
    "documents": ["score", "--corpus", CORPUS, "-m", "bleu,chrf,ter", "--level", "document"],
    "compare": ["compare", "--corpus", CORPUS, "-m", "bleu,chrf", "-n", "200"],
    "gate": ["compare", "--corpus", CORPUS, "-m", "chrf", "-n", "200", "--non-inferior", "1"],
    "rank": ["rank", "--corpus", CORPUS, "-m", "bleu,chrf", "-n", "200"],
    "power": ["power", "--corpus", CORPUS, "-m", "bleu,chrf"],
    "human": ["human", RATINGS, "--corpus", CORPUS, "-n", "200", "--without", "any"],
    "meta": ["meta", "--corpus", CORPUS, "--ratings", RATINGS, "--criterion", "adequacy", "-n", "50"],
    "coverage": ["analyse", "coverage", "--corpus", CORPUS],
    "multi-reference": ["analyse", "multi-reference", "--corpus", CORPUS, "--ratings", RATINGS],
    "word-tags": ["analyse", "word-tags", "-g", "gold.tags", "predicted.tags", "other.tags"],
    "metrics": ["metrics"],
    "metric": ["metrics", "chrf"],
    "formats": ["convert", "--formats"],
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("terminal")
    write_option_files(made)
    return made


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\s─-]+", text))


@pytest.mark.parametrize(("name", "columns"), [*((name, 60) for name in TABLES), ("score", 80), ("compare", 80)])
def test_what_is_shown_fits_and_has_every_word_of_the_pipe(
    name: str, columns: int, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here)
    piped = run(*TABLES[name])
    shown = in_terminal(*TABLES[name], columns=columns)
    assert piped.code in (0, 1), piped.err
    assert words(piped.out) <= words(shown)
    for line in shown.splitlines():
        is_copied = line.startswith("karat: ") or max(map(len, line.split()), default=0) > columns
        assert len(line) <= columns or is_copied, line


def test_a_warning_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    show_warnings([Diagnostic("a", "one"), Diagnostic("b", "two"), Diagnostic("a", "one")])
    assert capsys.readouterr().err == "karat: warning: one\nkarat: warning: two\n"


class Terminal:
    """A stderr that is one."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_tells_share_and_time_left(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    seconds = 0.0
    told: list[str] = []
    monkeypatch.setattr("karat.cli.output.time.monotonic", lambda: seconds)
    monkeypatch.setattr("rich.status.Status.update", lambda _, text: told.append(text))
    monkeypatch.setattr("rich.status.Status.start", lambda _: None)
    monkeypatch.setattr("sys.stderr", Terminal())
    progress = Progress(quiet=quiet)
    for done, seconds in ((1, 10.0), (2, 30.0), (3, 40.0)):  # noqa: B007 - the clock tells it
        progress.draws(done, 10)
    assert told == ([] if quiet else ["drawing: 10%", "drawing: 20%, 2 min 40 s left", "drawing: 30%, 1 min 45 s left"])


def test_segments_are_told_with_their_share_where_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 0.0
    told: list[str] = []
    monkeypatch.setattr("karat.cli.output.time.monotonic", lambda: seconds)
    monkeypatch.setattr("rich.status.Status.update", lambda _, text: told.append(text))
    monkeypatch.setattr("rich.status.Status.start", lambda _: None)
    monkeypatch.setattr("sys.stderr", Terminal())
    progress = Progress()
    for share, seconds in ((0.25, 10.0), (0.5, 20.0), (None, 30.0)):  # noqa: B007 - the clock tells it
        progress.segments(20_000, share)
    assert told == [
        "20,000 segments (2,000 a second): 25%",
        "40,000 segments (2,000 a second): 50%, 20 s left",
        "60,000 segments (2,000 a second)",
    ]
