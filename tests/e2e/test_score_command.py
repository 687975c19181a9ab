"""`karat score` as a user runs it: tables, JSON, files of all sizes, wrong files."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import sacrebleu

from karat.sample import path as sample_path

SAMPLE = sample_path()
SYSTEMS = ["neural", "fluent", "literal", "glossary"]
FILES = [str(SAMPLE / f"{name}.txt") for name in SYSTEMS]
REFERENCES = ["-r", str(SAMPLE / "refA.en.txt"), "-r", str(SAMPLE / "refB.en.txt")]


def karat(*arguments: str, stdin: str | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "karat", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        input=stdin,
        cwd=cwd,
        check=False,
    )


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").split("\n")[:-1]


def test_json_equals_sacrebleu() -> None:
    result = karat("score", *REFERENCES, *FILES, "-m", "bleu", "-m", "chrf++", "-m", "ter", "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["schema"] == 2
    found = {(entry["system"], entry["name"]): entry for entry in document["scores"]}
    streams = [lines("refA.en.txt"), lines("refB.en.txt")]
    for system in SYSTEMS:
        hypotheses = lines(f"{system}.txt")
        for name, theirs in {
            "BLEU": sacrebleu.BLEU(),
            "chrF2++": sacrebleu.CHRF(word_order=2),
            "TER": sacrebleu.TER(),
        }.items():
            entry = found[system, name]
            assert entry["score"] == pytest.approx(theirs.corpus_score(hypotheses, streams).score, abs=1e-9)
            assert entry["sacrebleu_signature"] == str(theirs.get_signature())
            assert entry["segment_count"] == 127


def test_the_table_marks_nothing_it_should_not_and_shows_signatures() -> None:
    result = karat("score", *REFERENCES, *FILES, "-m", "bleu", "-m", "ter", "--sort", "bleu", "-q")
    assert result.returncode == 0
    assert result.stderr == ""
    printed = result.stdout
    assert "BLEU ↑" in printed
    assert "TER ↓" in printed
    assert [printed.index(name) for name in SYSTEMS] == sorted(printed.index(name) for name in SYSTEMS)
    assert "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0" in printed
    assert "bleu|refs:2|hash:" in printed


def test_a_corpus_file_gives_the_same_scores_as_separate_files() -> None:
    separate = json.loads(karat("score", *REFERENCES, *FILES, "--json").stdout)["scores"]
    together = json.loads(karat("score", "--corpus", str(SAMPLE / "corpus.jsonl"), "--json").stdout)["scores"]
    keep = ("system", "spec", "score", "signature")
    assert [[one[key] for key in keep] for one in separate] == [[one[key] for key in keep] for one in together]


def test_systems_are_named_by_stem_or_by_hand() -> None:
    result = karat("score", *REFERENCES, f"mine={FILES[0]}", FILES[1], "-m", "bleu", "--json")
    assert [one["system"] for one in json.loads(result.stdout)["scores"]] == ["mine", "fluent"]


def test_a_system_may_come_from_stdin() -> None:
    text = (SAMPLE / "neural.txt").read_text(encoding="utf-8")
    piped = karat("score", *REFERENCES, "-", "-m", "bleu", "--json", stdin=text)
    named = karat("score", *REFERENCES, FILES[0], "-m", "bleu", "--json")
    assert piped.returncode == 0, piped.stderr
    assert json.loads(piped.stdout)["scores"][0]["score"] == json.loads(named.stdout)["scores"][0]["score"]


def test_segment_scores_equal_sacrebleu_sentence_by_sentence() -> None:
    result = karat("score", *REFERENCES, FILES[0], "-m", "bleu", "--level", "segment", "--json")
    document = json.loads(result.stdout)
    theirs = sacrebleu.BLEU(effective_order=False)
    pairs = zip(lines("neural.txt"), lines("refA.en.txt"), lines("refB.en.txt"), strict=True)
    expected = [theirs.corpus_score([hyp], [[a], [b]]).score for hyp, a, b in pairs]
    assert [one["score"] for one in document["segments"]] == pytest.approx(expected, abs=1e-9)
    assert [one["segment"] for one in document["segments"]] == [str(i) for i in range(1, 128)]
    assert document["scores"][0]["segment_count"] == 127


def test_document_scores_are_scores_of_the_documents() -> None:
    result = karat("score", "--corpus", str(SAMPLE / "corpus.jsonl"), "-m", "chrf", "--level", "document", "--json")
    document = json.loads(result.stdout)
    entries = [json.loads(line) for line in lines("corpus.jsonl")]
    wanted = entries[0]["document"]
    inside = [entry for entry in entries if entry["document"] == wanted]
    theirs = sacrebleu.CHRF().corpus_score(
        [entry["systems"]["literal"] for entry in inside],
        [[entry["references"][name] for entry in inside] for name in ("refA", "refB")],
    )
    (mine,) = [one for one in document["documents"] if (one["system"], one["document"]) == ("literal", wanted)]
    assert mine["score"] == pytest.approx(theirs.score, abs=1e-9)
    assert len(document["documents"]) == 4 * 14


def test_csv_has_one_line_per_score() -> None:
    result = karat("score", *REFERENCES, *FILES, "--format", "csv")
    table = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["system"] for row in table[::3]] == SYSTEMS
    assert float(table[0]["score"]) > 50


def test_markdown_and_latex_mark_the_best() -> None:
    markdown = karat("score", *REFERENCES, *FILES, "-m", "bleu", "--format", "markdown").stdout
    assert "| neural | **" in markdown
    latex = karat("score", *REFERENCES, *FILES, "-m", "bleu", "--format", "latex", "-w", "1").stdout
    assert r"\toprule" in latex
    assert r"neural & \textbf{" in latex


def test_an_output_file_appears_complete_or_not_at_all(tmp_path: Path) -> None:
    good = tmp_path / "good.csv"
    assert karat("score", *REFERENCES, FILES[0], "-f", "csv", "-o", str(good)).returncode == 0
    assert good.read_text(encoding="utf-8").count("\n") == 4
    short = tmp_path / "short.txt"
    short.write_text("".join(f"{line}\n" for line in lines("neural.txt")[:-1]), encoding="utf-8")
    bad = tmp_path / "bad.csv"
    result = karat("score", *REFERENCES, str(short), "-f", "csv", "--level", "segment", "-o", str(bad))
    assert result.returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.csv", "short.txt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no system output was given"),
        (["{neural}"], "no reference was given"),
        (["-r", "{refA}", "{missing}"], "neural.txt"),
        (["-r", "{refA}", "{neural}", "-m", "blue"], "Did you mean bleu"),
        (["-r", "{refA}", "{neural}", "{neural}"], "neural"),
        (["-r", "{directory}", "{neural}"], "directory"),
        (["-r", "{refA}", "{short}"], "126"),
        (["-r", "{refA}", "{empty}"], "empty"),
        (["-r", "{refA}", "{invalid}"], "UTF-8"),
        (["-r", "{refA}", "{neural}", "--level", "document"], "--documents"),
        (["-r", "{refA}", "{neural}", "--sort", "ter", "-m", "bleu"], "--sort ter"),
        (["--corpus", "{corpus}", "-r", "{refA}"], "--corpus holds everything"),
        (["--corpus", "{corpus}", "nobody"], "nobody"),
        (["-t", "wmt22", "{neural}"], "language pair"),
        (["-r", "{refA}", "{neural}", "-l", "german"], "language pair"),
    ],
)
def test_bad_input_ends_in_exit_2_and_says_why(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("\n".join(lines("neural.txt")[:-1]), encoding="utf-8")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "invalid.txt").write_bytes(b"fine\nb\xe4d\n")
    places = {
        "neural": SAMPLE / "neural.txt",
        "refA": SAMPLE / "refA.en.txt",
        "corpus": SAMPLE / "corpus.jsonl",
        "missing": SAMPLE / "neurol.txt",
        "directory": tmp_path,
        **{name: tmp_path / f"{name}.txt" for name in ("short", "empty", "invalid")},
    }
    result = karat("score", *(argument.format(**places) for argument in arguments))
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_warnings_go_to_stderr_and_can_be_silenced(tmp_path: Path) -> None:
    copied = tmp_path / "copied.txt"
    copied.write_text("".join(f"{line}\n" for line in lines("source.de.txt")), encoding="utf-8")
    arguments = ["score", *REFERENCES, "-s", str(SAMPLE / "source.de.txt"), str(copied), "-m", "bleu"]
    loud, quiet = karat(*arguments), karat(*arguments, "-q")
    assert "warning" in loud.stderr
    assert "copied" in loud.stderr
    assert quiet.stderr == ""
    assert loud.stdout == quiet.stdout


def test_text_cannot_take_over_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("a\n", encoding="utf-8")
    (tmp_path / "sys.txt").write_text("a\n", encoding="utf-8")
    result = karat("score", "-r", "ref.txt", "\x1b[31mx=sys.txt", "-m", "bleu", cwd=tmp_path)
    assert result.returncode == 2
    assert "\x1b" not in result.stdout + result.stderr
    marked = karat("score", "-r", "ref.txt", "[bold]x=sys.txt", "-m", "bleu", cwd=tmp_path)
    assert "[bold]x" in marked.stdout


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place where sacreBLEU finds wmt17 en-de as if it had been downloaded."""
    home = tmp_path / "home"
    (home / "wmt17").mkdir(parents=True)
    for field in ("src", "ref", "docid", "genre", "origlang"):
        text = "one two three four five\nsix seven eight nine ten\n" if field in ("src", "ref") else "en\nen\n"
        (home / "wmt17" / f"wmt17.en-de.{field}").write_text(text, encoding="utf-8")
    monkeypatch.setenv("SACREBLEU", str(home))
    (tmp_path / "sys.txt").write_text("one two three four five\nsix seven nine eight ten\n", encoding="utf-8")
    return tmp_path


def test_a_published_test_set_brings_its_references(published: Path) -> None:
    result = karat("score", "-t", "wmt17", "-l", "en-de", "sys.txt", "-m", "bleu", "--json", cwd=published)
    assert result.returncode == 0, result.stderr
    (score,) = json.loads(result.stdout)["scores"]
    reference = ["one two three four five", "six seven eight nine ten"]
    expected = sacrebleu.BLEU().corpus_score((published / "sys.txt").read_text().splitlines(), [reference])
    assert score["score"] == pytest.approx(expected.score, abs=1e-9)
    unknown = karat("score", "-t", "wmt99", "-l", "en-de", "sys.txt", cwd=published)
    assert unknown.returncode == 2
    assert "wmt99" in unknown.stderr


def test_a_manifest_gives_one_table_with_the_tokenizers_of_its_languages(tmp_path: Path) -> None:
    for name, text in {"a": "这是一个测试。", "b": "这是一次测试。", "c": "a b c d e", "d": "a b c d f"}.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    (tmp_path / "sets.toml").write_text(
        """
        [[testset]]
        name = "one"
        source_language = "en"
        target_language = "zh"
        references = ["a"]
        systems = { ours = "b", theirs = "a" }
        [[testset]]
        name = "two"
        references = ["c"]
        systems = { ours = "d" }
        """,
        encoding="utf-8",
    )
    document = json.loads(karat("score", "--corpus", "sets.toml", "-m", "bleu", "--json", cwd=tmp_path).stdout)
    assert [(one["testset"], one["system"], one["spec"]) for one in document["scores"]] == [
        ("one en-zh", "ours", "bleu(tokenize=zh)"),
        ("one en-zh", "theirs", "bleu(tokenize=zh)"),
        ("two", "ours", "bleu"),
    ]
    printed = karat("score", "--corpus", "sets.toml", "-m", "bleu", cwd=tmp_path).stdout
    assert "one en-zh" in printed
    assert "–" in printed


def test_the_language_pair_decides_the_tokenizer(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("这是一个测试。\n", encoding="utf-8")
    (tmp_path / "sys.txt").write_text("这是一次测试。\n", encoding="utf-8")
    arguments = [
        "score",
        "-r",
        "ref.txt",
        "sys.txt",
        "-l",
        "en-zh",
        "-m",
        "bleu",
        "-m",
        "bleu(tokenize=char)",
        "--json",
    ]
    document = json.loads(karat(*arguments, cwd=tmp_path).stdout)
    assert [one["spec"] for one in document["scores"]] == ["bleu(tokenize=zh)", "bleu(tokenize=char)"]


def test_post_edits_take_the_place_of_references_when_asked(tmp_path: Path) -> None:
    line = {"references": ["x y z"], "systems": {"s": "a b c"}, "post_edits": {"s": "a b d"}}
    (tmp_path / "c.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    scores = {}
    for choice in ("never", "instead", "beside"):
        result = karat("score", "--corpus", "c.jsonl", "-m", "ter", "--post-edits", choice, "--json", cwd=tmp_path)
        scores[choice] = json.loads(result.stdout)["scores"][0]["score"]
    assert scores == pytest.approx({"never": 100.0, "instead": 100 / 3, "beside": 100 / 3})


def test_a_pipe_gets_a_line_for_each_metric() -> None:
    heading, *lines = karat("metrics").stdout.splitlines()
    known = json.loads(karat("metrics", "--json").stdout)["metrics"]
    assert len(lines) == len(known)
    place = heading.index("What it is")
    for one in known:
        (line,) = (line for line in lines if f"  {one['name']}  " in line)
        assert line.startswith(one["summary"], place)
    assert not set("─│…") & {character for line in (heading, *lines) for character in line}


def test_metrics_are_listed_and_explained() -> None:
    listed = karat("metrics")
    assert {"bleu", "chrf", "ter"} <= set(listed.stdout.split())
    explained = karat("metrics", "bleu").stdout
    for word in ("Formula", "Do not use when", "smooth_value", "papineni", "BP = {1 if c ≥ r; e^(1-r/c) if c < r}"):
        assert word in explained
    assert "Kishore Papineni, Salim Roukos, Todd Ward and Wei-Jing Zhu (2002). Bleu: a Method" in explained
    assert not set("$\\─…") & set(explained)
    document = json.loads(karat("metrics", "--json").stdout)
    assert [one["name"] for one in document["metrics"]] == sorted(one["name"] for one in document["metrics"])
    unknown = karat("metrics", "blue")
    assert unknown.returncode == 2
    assert "bleu" in unknown.stderr


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    for name in ("refA.en.txt", "neural.txt"):
        (tmp_path / name).write_bytes((SAMPLE / name).read_bytes() * 200)
    program = [sys.executable, "-m", "karat", "score", "-r", "refA.en.txt", "neural.txt", "-m", "bleu"]
    with subprocess.Popen(
        [*program, "--level", "segment", "-f", "csv"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"], ["--version"], ["metrics", "-h"]])
def test_help_is_no_error(arguments: list[str]) -> None:
    result = karat(*arguments)
    assert result.returncode == 0
    assert "karat" in result.stdout


def test_an_unknown_command_is_bad_usage() -> None:
    result = karat("scor")
    assert result.returncode == 2
    assert "scor" in result.stderr


def test_a_suite_is_a_tall_table_by_family_with_the_common_part_of_signatures_once() -> None:
    result = karat("score", *REFERENCES, *FILES, "-m", "suite:all", "--sort", "bleu", "-q")
    assert result.returncode == 0, result.stderr
    head, *rows = result.stdout.splitlines()
    assert head.split() == ["Family", "Metric", *SYSTEMS]
    bleu = next(row for row in rows if row.startswith("n-gram") and "BLEU" in row.split()).split()[3:]
    assert [float(score) for score in bleu] == sorted(map(float, bleu), reverse=True)
    assert result.stdout.count("unicode:") == 1
    assert "chrF2++: chrf(word_order=2)" in rows


def test_hter_does_not_leave_post_edits_out_in_silence(tmp_path: Path) -> None:
    line = {"references": ["x y z"], "systems": {"s": "a b c"}, "post_edits": {"s": "a b d"}}
    (tmp_path / "c.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    refused = karat("score", "--corpus", "c.jsonl", "-m", "hter", cwd=tmp_path)
    assert refused.returncode == 2
    assert "hter measures against post-edits" in refused.stderr
    given = karat("score", "--corpus", "c.jsonl", "-m", "hter", "--post-edits", "instead", "--json", cwd=tmp_path)
    assert json.loads(given.stdout)["scores"][0]["score"] == pytest.approx(100 / 3)
