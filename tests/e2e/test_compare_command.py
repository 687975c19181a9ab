"""`karat compare` as a user runs it: baselines, units, seeds, outside scores, several runs, gates, wrong input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from tests.e2e.commands import CORPUS, REFERENCE, SAMPLE, document, karat, sample_file

import karat as karat_package

pytestmark = pytest.mark.contained

FILES = [sample_file(name) for name in ("fluent", "neural", "literal")]
KEYS = (
    *("metric", "baseline", "system", "baseline_score", "score", "difference", "interval", "p", "p_adjusted"),
    *("wins", "losses", "ties", "test", "unit", "n", "seed", "signature"),
)
SMALL = ["-m", "chrf", "-n", "500"]


def test_the_json_form_has_all_that_was_promised() -> None:
    found = document("compare", "-r", REFERENCE, *FILES, "-m", "bleu", "-m", "ter", "-n", "500")
    assert found["schema"] == 2
    compared = found["comparisons"]
    assert [(one["metric"], one["baseline"], one["system"]) for one in compared] == [
        (metric, "fluent", system) for metric in ("bleu", "ter") for system in ("neural", "literal")
    ]
    for one in compared:
        assert set(KEYS) <= set(one)
        assert one["difference"] == one["score"] - one["baseline_score"]
        assert one["interval"][0] <= one["difference"] <= one["interval"][1]
        assert one["wins"] + one["losses"] + one["ties"] == pytest.approx(1)
        assert (one["test"], one["unit"], one["n"], one["seed"]) == ("randomization", "segment", 500, 12345)
        assert "|hash:" in one["signature"]
        assert one["p_adjusted"] >= one["p"]


def test_scores_are_those_of_karat_score() -> None:
    compared = document("compare", "-r", REFERENCE, *FILES, "-m", "bleu(tokenize=intl)", "-n", "100")["comparisons"]
    scored = document("score", "-r", REFERENCE, *FILES, "-m", "bleu(tokenize=intl)")["scores"]
    assert [compared[0]["baseline_score"], *(one["score"] for one in compared)] == [one["score"] for one in scored]
    assert (compared[0]["metric"], compared[0]["spec"]) == ("bleu", "bleu(tokenize=intl)")
    assert compared[0]["signature"] == scored[0]["signature"]


def test_any_system_may_be_the_baseline() -> None:
    found = document("compare", "-r", REFERENCE, *FILES, *SMALL, "--baseline", "literal")["comparisons"]
    assert [(one["baseline"], one["system"]) for one in found] == [("literal", "fluent"), ("literal", "neural")]


def test_a_seed_gives_the_same_on_any_number_of_threads_and_zero_is_one() -> None:
    arguments = ["compare", "-r", REFERENCE, *FILES[:2], "-m", "chrf", "-n", "2000", "--test", "bootstrap"]
    one, two = (document(*arguments, "--seed", "0", "-j", threads) for threads in ("1", "2"))
    assert one == two
    assert one["comparisons"][0]["seed"] == 0
    other = document(*arguments)
    assert other["comparisons"][0]["interval"] != one["comparisons"][0]["interval"]


def test_documents_are_the_unit_where_they_are_known() -> None:
    (known,) = document("compare", "--corpus", CORPUS, "literal", "fluent", *SMALL)["comparisons"]
    assert (known["unit"], known["units"]) == ("document", 14)
    overridden = document("compare", "--corpus", CORPUS, "literal", "fluent", *SMALL, "--unit", "segment")
    assert (overridden["comparisons"][0]["unit"], overridden["comparisons"][0]["units"]) == ("segment", 127)
    assert any("14 documents are known" in warning["message"] for warning in overridden["warnings"])
    assert any("only 14 documents" in warning for warning in known["warnings"])


def test_documents_may_come_from_a_file_of_labels(tmp_path: Path) -> None:
    labels = [line.split("\t")[1] for line in (SAMPLE / "segments.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    (tmp_path / "documents").write_text("\n".join(labels) + "\n", encoding="utf-8")
    references = ["-r", REFERENCE, "-r", str(SAMPLE / "refB.en.txt")]
    files = [sample_file("literal"), sample_file("fluent")]
    labelled = document("compare", *references, *files, "--documents", str(tmp_path / "documents"), *SMALL)
    keep = ("difference", "interval", "p", "units")
    corpus = document("compare", "--corpus", CORPUS, "literal", "fluent", *SMALL)
    assert [labelled["comparisons"][0][key] for key in keep] == [corpus["comparisons"][0][key] for key in keep]


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "permutation", "wilcoxon", "moses"])
def test_identical_systems_are_never_different(test: str) -> None:
    (one,) = document("compare", "-r", REFERENCE, f"a={FILES[0]}", f"b={FILES[0]}", *SMALL, "--test", test)[
        "comparisons"
    ]
    assert (one["difference"], one["interval"], one["ties"]) == (0, [0, 0], 1)
    # The one test that is kept for its published numbers alone gives identical systems its smallest p.
    assert one["p"] == (pytest.approx(1 / 501) if test == "moses" else 1)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_own_segment_scores_from_a_file_give_the_same_result(tmp_path: Path, suffix: str) -> None:
    segments = document("score", "--corpus", CORPUS, "-m", "ter", "--level", "segment")["segments"]
    path = write(tmp_path / f"own.{suffix}", [{**one, "higher_is_better": False} for one in segments])
    (read,) = document("compare", "--scores", path, "literal", "fluent", "-n", "500")["comparisons"]
    by_system = {name: [one["score"] for one in segments if one["system"] == name] for name in ("literal", "fluent")}
    documents = [one["document"] for one in segments if one["system"] == "literal"]
    (made,) = karat_package.compare(by_system, documents=documents, higher_is_better=False, n=500)
    assert (read["difference"], read["p"], read["interval"], read["wins"]) == (
        made.difference,
        made.p,
        [made.interval.low, made.interval.high],
        made.wins,
    )
    assert (read["unit"], read["metric"], read["higher_is_better"]) == ("document", "ter", False)


def write(path: Path, records: list[dict[str, object]]) -> str:
    import polars

    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    elif path.suffix == ".parquet":
        polars.DataFrame(records).write_parquet(path)
    else:
        polars.DataFrame(records).write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return str(path)


def test_the_csv_of_karat_score_can_be_compared(tmp_path: Path) -> None:
    path = str(tmp_path / "segments.csv")
    arguments = ["-m", "bleu", "-m", "ter", "--level", "segment", "-f", "csv", "-o", path]
    assert karat("score", "--corpus", CORPUS, *arguments, "-q").returncode == 0
    found = document("compare", "--scores", path, "literal", "neural", "-n", "500")["comparisons"]
    assert [(one["spec"], one["higher_is_better"], one["significant"]) for one in found] == [
        ("bleu", True, True),
        ("ter", False, True),
    ]
    assert all(one["wins"] == 1 for one in found)


def test_ratings_stand_beside_metrics(tmp_path: Path) -> None:
    ids = range(1, 128)
    rows = [f"{i}\t{i % 5}\t{(i + 1) % 5 if i != 7 else ''}\t9" for i in ids]
    (tmp_path / "ratings.tsv").write_text("\n".join(["segment\tliteral\tfluent\tnobody", *rows]) + "\n")
    result = karat(
        *(
            "compare",
            "--corpus",
            CORPUS,
            "literal",
            "fluent",
            "--scores",
            str(tmp_path / "ratings.tsv"),
            *SMALL,
            "--json",
        )
    )
    found = json.loads(result.stdout)
    assert [one["metric"] for one in found["comparisons"]] == ["chrf", "ratings"]
    assert [one["units"] for one in found["comparisons"]] == [14, 14]
    # Segment 7 has no rating of one system, so it counts for neither.
    assert found["comparisons"][1]["baseline_score"] == pytest.approx(sum(i % 5 for i in ids if i != 7) / 126)
    assert found["comparisons"][1]["shared_segments"] == 126
    assert "1 more system, left out: nobody" in result.stderr


GOOD = "system\tsegment\tscore\n" + "".join(f"{name}\t{i}\t{i}\n" for name in "ab" for i in range(1, 4))


MANIFEST = """
[[testset]]
name = "first"
source_language = "de"
target_language = "en"
references = ["{directory}/refA.en.txt"]
[testset.systems]
literal = "{directory}/literal.txt"
neural = "{directory}/neural.txt"
[[testset]]
name = "second"
source_language = "de"
target_language = "en"
tokenizer = "intl"
references = ["{directory}/refB.en.txt"]
[testset.systems]
literal = "{directory}/literal.txt"
neural = "{directory}/fluent.txt"
"""


def test_the_csv_of_several_test_sets_gives_the_results_of_their_texts(tmp_path: Path) -> None:
    (tmp_path / "sets.toml").write_text(MANIFEST.format(directory=Path(REFERENCE).parent), encoding="utf-8")
    path = str(tmp_path / "segments.csv")
    sets = ("--corpus", str(tmp_path / "sets.toml"), "-m", "wer")
    assert karat("score", *sets, "--level", "segment", "-f", "csv", "-o", path, "-q").returncode == 0
    texts = document("compare", *sets, "--test", "wilcoxon")["comparisons"]
    read = document("compare", "--scores", path, "--test", "wilcoxon")["comparisons"]
    assert [one["testset"] for one in read] == ["first de-en", "second de-en", "all test sets"]
    # A file of segments has their mean where WER has its own formula, but a test of segments sees the same scores.
    assert [(one["testset"], one["system"], one["units"]) for one in read] == [
        (one["testset"], one["system"], one["units"]) for one in texts
    ]
    assert [one["p"] for one in read[:2]] == [one["p"] for one in texts[:2]]
    (chosen,) = document("compare", "--scores", path, "--test", "wilcoxon", "--testset", "second de-en")["comparisons"]
    assert chosen["p"] == read[1]["p"]
    beside = document("compare", *sets[:2], "-m", "chrf", "--scores", path, "--test", "wilcoxon")["comparisons"]
    assert [one["p"] for one in beside[1::2]] == [one["p"] for one in read]
    unknown = karat("compare", "--scores", path, "--testset", "third")
    assert (unknown.returncode, "there is no test set 'third'" in unknown.stderr) == (2, True)


def test_a_metric_that_follows_the_test_set_is_still_one_over_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "sets.toml").write_text(MANIFEST.format(directory=Path(REFERENCE).parent), encoding="utf-8")
    path = str(tmp_path / "segments.csv")
    sets = ("--corpus", str(tmp_path / "sets.toml"), "-m", "sentence-bleu")
    assert karat("score", *sets, "--level", "segment", "-f", "csv", "-o", path, "-q").returncode == 0
    read = document("compare", "--scores", path, *SMALL[2:])["comparisons"]
    assert [(one["testset"], "intl" in one["spec"]) for one in read] == [
        ("first de-en", False),
        ("second de-en", True),
        ("all test sets", False),
    ]
    assert read[2]["score"] == pytest.approx((read[0]["score"] + read[1]["score"]) / 2)


def test_score_takes_one_of_several_test_sets(tmp_path: Path) -> None:
    (tmp_path / "sets.toml").write_text(MANIFEST.format(directory=Path(REFERENCE).parent), encoding="utf-8")
    sets = ("--corpus", str(tmp_path / "sets.toml"), "-m", "wer")
    both = document("score", *sets)["scores"]
    (literal, neural) = document("score", *sets, "--testset", "second")["scores"]
    assert [literal["score"], neural["score"]] == [one["score"] for one in both if one["testset"] == "second de-en"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD.replace("b\t2\t2", "b\t2\tNaN"), "line 6: the score is nan"),
        (GOOD.replace("a\t2\t2", "a\t2\tinf"), "line 3: the score is inf"),
        (GOOD.replace("a\t2\t2", "a\t2\tgood"), "line 3: 'good' is not a number"),
        (GOOD.replace("b\t2\t2\n", ""), "b has scores for 2 of 3 segments"),
        (GOOD + "b\t3\t1\n", "line 8: segment 3 of b has a second"),
        (GOOD.replace("b\t2", "\t2"), "line 6: the system has no name"),
        (GOOD.replace("b\t2", "b\t"), "line 6: the segment has no name"),
        (
            GOOD.replace("b\t1\t1", "b\t1\t").replace("b\t2\t2", "b\t2\t").replace("b\t3\t3", "b\t3\t"),
            "no scores score",
        ),
        ("system\tsegment\tvalue\tother\na\t1\t2\t3\n", "expected the columns system, segment and score"),
        ("segment\n1\n", "expected the columns"),
        ("system\tsegment\tscore\n", "has no scores"),
        ("system\tsegment\tscore\thigher_is_better\na\t1\t2\tmaybe\n", "higher_is_better is 'maybe'"),
        ("system\tsegment\tscore\thigher_is_better\na\t1\t2\ttrue\na\t2\t2\tfalse\n", "changes"),
        ("system\tdocument\tsegment\tscore\na\td\t1\t2\na\t\t2\t2\n", "1 of 2 segments name their document"),
        ("system\tsegment\tscore\na\t1\t2\nb\t1\t3\n", "fewer than 2"),
        ("", "empty"),
    ],
)
def test_wrong_score_files_are_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "scores.tsv").write_text(content, encoding="utf-8")
    result = karat("compare", "--scores", "scores.tsv", cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("segment\tliteral\tfluent\n1\t2\t3\n2\t2\t3\n", "125 of the 127 segments compared have no ratings score"),
        ("segment\tliteral\tneural\n1\t2\t3\n", "no ratings scores of 'fluent'"),
        (
            "segment\tliteral\tfluent\n" + "".join(f"x{i}\t1\t2\n" for i in range(127)),
            "none of 127 segments is among the 127 looked at (1, 2, 3, 4, 5, ...), and x0 is not",
        ),
    ],
)
def test_scores_that_do_not_fit_the_texts_are_refused_with_counts(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "ratings.tsv").write_text(content, encoding="utf-8")
    result = karat("compare", "--corpus", CORPUS, "literal", "fluent", "--scores", "ratings.tsv", cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no system output was given"),
        (["-r", REFERENCE, FILES[0]], "there is one system only"),
        (["-r", REFERENCE, *FILES, "--baseline", "nobody"], "there is no system 'nobody'"),
        (["-r", REFERENCE, *FILES, "--test", "student"], "'student' is not one of"),
        (["-r", REFERENCE, *FILES, "-n", "0"], "0 is not in the range 1<=x<=10000000"),
        (["-r", REFERENCE, *FILES, "--seed", "-1"], "seed"),
        (["-r", REFERENCE, *FILES, "--alpha", "2"], "alpha is 2.0: it must lie between 0 and 1"),
        (["-r", REFERENCE, *FILES, "--unit", "document"], "name the documents"),
        (["-r", REFERENCE, *FILES, "--non-inferior", "-1"], "margin"),
        (["-r", REFERENCE, "{short}", FILES[0]], "126"),
        (["-r", "{one}", "x={one}", "y={one}"], "fewer than 2"),
        (["-r", "{two}", "x={two}", "y={two}", "--documents", "{two}", "--unit", "document"], "one document"),
        (["-r", REFERENCE, f"{FILES[0]},{FILES[1]}", FILES[2]], "need a name"),
        (["-r", REFERENCE, f"a={FILES[0]},{FILES[1]}", f"a={FILES[2]},{FILES[1]}"], "two systems are named 'a'"),
        (["-r", REFERENCE, f"a={FILES[0]},{FILES[1]}", FILES[2], "--test", "bootstrap"], "by randomization"),
        (["-r", REFERENCE, f"a={FILES[0]},,{FILES[1]}", FILES[2]], "a run has no file"),
        (["--scores", "{missing}"], "there is no file"),
        (["--scores", REFERENCE], "segment scores come as"),
        (["--scores", "{scores}", "-m", "bleu"], "are about texts"),
        (["--scores", "{scores}", "a", "c"], "no scores scores of 'c'"),
        (["--corpus", "{sets}", "--testset", "three"], "no test set 'three'"),
    ],
)
def test_bad_input_ends_in_exit_2_and_says_why(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("x\n" * 126, encoding="utf-8")
    (tmp_path / "one.txt").write_text("a\n", encoding="utf-8")
    (tmp_path / "two.txt").write_text("a\na\n", encoding="utf-8")
    (tmp_path / "scores.tsv").write_text(GOOD, encoding="utf-8")
    entry = '[[testset]]\nname = "{}"\nreferences = ["two.txt"]\nsystems = {{ a = "two.txt", b = "two.txt" }}\n'
    (tmp_path / "sets.toml").write_text(entry.format("one") + entry.format("two"), encoding="utf-8")
    places = {"short": "short.txt", "one": "one.txt", "two": "two.txt", "scores": "scores.tsv", "sets": "sets.toml"}
    places["missing"] = "missing.tsv"
    named = [argument.format(**places) if "{" in argument else argument for argument in arguments]
    result = karat("compare", *named, cwd=tmp_path)
    assert result.returncode == 2, result.stdout
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_non_inferiority_is_a_gate() -> None:
    pair = ["-r", REFERENCE, sample_file("literal"), sample_file("fluent"), "-m", "chrf", "--json"]
    shown = karat("compare", *pair, "--non-inferior", "0.5")
    assert shown.returncode == 0
    (gate,) = json.loads(shown.stdout)["non_inferiority"]
    assert gate["shown"]
    assert gate["loss_bound"] < 0.5
    refused = karat("compare", *pair, "--non-inferior", "0.5", "--baseline", "fluent")
    assert refused.returncode == 1
    (gate,) = json.loads(refused.stdout)["non_inferiority"]
    assert not gate["shown"]
    table = karat("compare", *pair[:-1], "--non-inferior", "0.5", "--baseline", "fluent")
    assert table.returncode == 1
    assert "It is not shown that literal loses less than 0.5 chrF2 against fluent" in table.stdout


def test_every_form_says_how_it_was_found() -> None:
    arguments = ["compare", "--corpus", CORPUS, "--baseline", "literal", *SMALL, "--seed", "7", "-q"]
    for form in ("table", "markdown", "latex"):
        printed = karat(*arguments, "-f", form).stdout.replace("\\allowbreak ", "").replace("\\", "")
        for said in (
            "approximate randomisation",
            "document (14",
            "n = 500",
            "seed 7",
            "Holm over 3",
            "chrf|refs:2|hash:",
        ):
            assert said in printed, (form, said)
        assert form == "latex" or "neural is better than literal by 22.52 chrF2 (95 % interval" in printed
        assert "*** at most 0.001" in printed
    table = list(csv.DictReader(io.StringIO(karat(*arguments, "-f", "csv").stdout)))
    assert [(row["system"], row["test"], row["unit"], row["n"], row["seed"]) for row in table] == [
        (name, "randomization", "document", "500", "7") for name in ("neural", "fluent", "glossary")
    ]
    assert all(float(row["interval_low"]) <= float(row["difference"]) for row in table)


def test_systems_that_are_alike_are_said_to_be() -> None:
    arguments = ["compare", "-r", REFERENCE, f"a={FILES[0]}", f"b={FILES[0]}", f"c={FILES[0]}", *SMALL]
    printed = karat(*arguments).stdout
    assert "b and c have the same score as a in every segment under chrF2: there is nothing to test." in printed
    one = karat("compare", "-r", REFERENCE, f"a={FILES[0]}", f"b={FILES[0]}", *SMALL).stdout
    assert "b has the same score as a in every segment under chrF2: there is nothing to test." in one


def scores_file(path: Path, systems: dict[str, list[float]], documents: int) -> str:
    """A file of segment scores, with as many documents."""
    lines = ["system\tdocument\tsegment\tscore"]
    for name, scores in systems.items():
        lines += (f"{name}\td{i % documents}\t{i}\t{score}" for i, score in enumerate(scores))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_what_may_be_chance_is_said_to_be(tmp_path: Path) -> None:
    scores = {"a": [1.0, 2.0, 3.0, 4.0] * 10, "b": [2.0, 1.0, 3.5, 3.6] * 10, "c": [1.5, 1.6, 2.9, 4.1] * 10}
    path = scores_file(tmp_path / "scores.tsv", scores, documents=40)
    printed = karat("compare", "--scores", path, *SMALL[2:]).stdout
    assert "Nothing can be said about b and c against a under" in printed
    assert "does not show that they are equal" in printed
    one = karat("compare", "--scores", path, "a", "b", *SMALL[2:]).stdout
    assert "Nothing can be said about b and a under scores: the difference of 0.02" in one


@pytest.mark.parametrize("command", ["compare", "rank"])
def test_what_could_never_be_shown_has_its_remedy(command: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(mean, 1, 40).tolist() for name, mean in (("a", 1), ("b", 50), ("c", 90))}
    path = scores_file(tmp_path / "scores.tsv", scores, documents=5)
    result = karat(command, "--scores", path, *SMALL[2:])
    assert (
        "5 documents cannot give a p below 0.0625, and alpha is 0.05; take 7 documents or more, or segments with "
        "--unit segment." in result.stdout
    )
    assert "chance" not in result.stdout
    assert "all 32 flips" in result.stdout


@pytest.mark.parametrize("command", ["compare", "rank"])
def test_a_test_that_contradicts_the_scores_says_so(command: str, tmp_path: Path) -> None:
    scores = {"a": [50.0] * 40, "b": [49.0 - i / 40 for i in range(39)] + [200.0]}
    path = scores_file(tmp_path / "scores.tsv", scores, documents=40)
    printed = karat(command, "--scores", path, "--unit", "segment", "--test", "wilcoxon").stdout
    assert "a tends to have better segment scores than b" in printed
    assert ("but the worse score" if command == "compare" else "Against the order of scores") in printed
    assert "< 0.0001 †" in printed
    assert "***" not in printed.split("Correction")[0]


def test_several_runs_are_told_from_luck(shared_data: Path) -> None:
    example = shared_data / "multeval-example" / "example"
    runs = {
        name: ",".join(str(example / f"hyps.lc.tok.en.{name}.opt{i}") for i in range(3))
        for name in ("baseline", "sys1")
    }
    arguments = ["-r", str(example / "refs.test2010.lc.tok.en.0"), *(f"{name}={of}" for name, of in runs.items())]
    result = karat("compare", *arguments, "-m", "bleu(tokenize=none)", "-n", "200", "--json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    baseline, system = found["runs"]
    assert baseline["scores"][0] == pytest.approx(18.54, abs=0.005)
    assert len(system["scores"]) == 3
    assert system["mean"] == pytest.approx(sum(system["scores"]) / 3)
    assert sorted(system["scores"])[1] == system["scores"][system["median_run"]]
    (one,) = found["comparisons"]
    assert set(KEYS) <= set(one)
    assert one["p_over_runs_smallest"] == pytest.approx(0.1)
    assert one["p"] == one["p_these_runs"] < 0.05 < one["p_over_runs"]
    assert one["difference"] == pytest.approx(system["mean"] - baseline["mean"])
    assert "nothing can be shown about other runs: 3 against 3 runs cannot give a p below 0.1" in result.stderr


def test_two_runs_are_few_and_a_gate_takes_their_mean() -> None:
    runs = [f"old={FILES[2]},{FILES[0]}", f"new={FILES[1]},{FILES[1]}"]
    result = karat("compare", "-r", REFERENCE, *runs, "-m", "chrf", "-n", "100", "--non-inferior", "1")
    assert result.returncode == 0
    assert "with fewer than 3" in result.stderr
    for said in ("s_sel", "s_opt", "p, these runs", "p, over runs", "These runs of new are better", "other runs"):
        assert said in result.stdout
    gate = document("compare", "-r", REFERENCE, *runs, "-m", "chrf", "-n", "100", "--non-inferior", "1")
    scores = document("score", "-r", REFERENCE, FILES[2], FILES[0], "-m", "chrf")["scores"]
    assert gate["non_inferiority"][0]["baseline_score"] == pytest.approx(sum(one["score"] for one in scores) / 2)


def test_a_path_with_a_comma_is_one_path(tmp_path: Path) -> None:
    (tmp_path / "a,b.txt").write_text("x y\nz\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("x y\nq\n", encoding="utf-8")
    found = document("compare", "-r", "c.txt", "a,b.txt", "n=a,b.txt", "-m", "chrf", cwd=tmp_path)
    assert [(one["baseline"], one["system"]) for one in found["comparisons"]] == [("a,b", "n")]


def test_post_edits_of_each_system_can_be_compared(tmp_path: Path) -> None:
    lines = [
        {"references": ["x y z"], "systems": {"a": f"a b c {i}", "b": "a b"}, "post_edits": {"a": "a b d", "b": "a b"}}
        for i in range(40)
    ]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (one,) = document(
        "compare", "--corpus", "c.jsonl", "-m", "ter", "--post-edits", "instead", "-n", "200", cwd=tmp_path
    )["comparisons"]
    assert (one["score"], one["significant"]) == (0, True)
    assert "hash:own-" in one["signature"]


def test_an_output_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert karat("compare", "-r", REFERENCE, *FILES, *SMALL, "--json", "-o", str(path)).returncode == 0
    assert json.loads(path.read_text(encoding="utf-8"))["schema"] == 2
    bad = tmp_path / "bad.json"
    assert karat("compare", "-r", REFERENCE, *FILES, *SMALL, "--baseline", "x", "-o", str(bad)).returncode == 2
    assert not bad.exists()


def test_many_differences_are_listed_instead_of_told_one_by_one(shared_data: Path) -> None:
    directory = shared_data / "wmt21-news-ende"
    systems = [str(path) for path in sorted((directory / "system-outputs").glob("*.txt"))]
    arguments = ["-r", str(directory / "references" / "refC.de"), *systems, "-m", "bleu", "-n", "500"]
    found = document("compare", *arguments)["comparisons"]
    printed = karat("compare", *arguments).stdout
    for better, word in ((True, "Better"), (False, "Worse")):
        certain = [one for one in found if one["significant"] and (one["difference"] > 0) == better]
        (told,) = [
            line for line in printed.splitlines() if line.startswith(f"{word} than {found[0]['baseline']} under")
        ]
        assert told.count("), ") + told.count(") and ") == len(certain) - 1
        assert all(f"{one['system']} ({abs(one['difference']):.2f})" in told for one in certain)
    uncertain = [one["system"] for one in found if not one["significant"]]
    assert uncertain
    (told,) = [line for line in printed.splitlines() if line.startswith("Nothing can be said about")]
    assert all(name in told for name in uncertain)


def test_ratings_of_real_people_are_compared_by_document(shared_data: Path, tmp_path: Path) -> None:
    """Segment scores of MQM on WMT21 English-German, with the documents of the segments."""
    directory = shared_data / "wmt21-news-ende"
    documents = dict(
        line.split("\t")[:2]
        for line in (directory / "rated-segments-docs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    )
    lines = (directory / "mqm_newstest2021_ende.avg_seg_scores.tsv").read_text(encoding="utf-8").splitlines()[1:]
    table = ["system\tdocument\tsegment\tscore"]
    for line in lines:
        system, score, segment = line.split()
        if segment in documents:
            table.append(f"{system}\t{documents[segment]}\t{segment}\t{'' if score == 'None' else score}")
    (tmp_path / "mqm.tsv").write_text("\n".join(table) + "\n", encoding="utf-8")
    found = document("rank", "--scores", str(tmp_path / "mqm.tsv"), "-n", "500")
    count = len(found["ranking"])
    assert len(found["comparisons"]) == count * (count - 1) // 2
    assert {(one["metric"], one["unit"]) for one in found["comparisons"]} == {("mqm", "document")}
    judged: dict[str, set[str]] = {}
    for line in table[1:]:
        system, _, segment, score = line.split("\t")
        if score:
            judged.setdefault(system, set()).add(segment)
    shared = set.intersection(*judged.values())
    assert found["comparisons"][0]["units"] == len({documents[segment] for segment in shared})
    assert found["ranking"][-1]["rank_low"] > 1


def test_documents_without_a_score_of_a_system_are_no_scores_of_zero(tmp_path: Path) -> None:
    lines = ["system\tsegment\tdocument\tscore"]
    for number in range(12):
        lines.append(f"full\t{number}\td{number // 2}\t{60 + number % 3}")
        lines.append(f"partly\t{number}\td{number // 2}\t{70 + number % 2 if number < 6 else ''}")
    (tmp_path / "ratings.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    arguments = (
        "compare",
        "--scores",
        "ratings.tsv",
        "full",
        "partly",
        "--baseline",
        "full",
        "-n",
        "2000",
        "--unpaired",
    )
    (found,) = document(*arguments, cwd=tmp_path)["comparisons"]
    assert found["unit"] == "document"
    assert 8 < found["interval"][0] <= found["interval"][1] < 12
    assert any("of the draws are left out" in text for text in found["warnings"])
    assert "left out" in karat(*arguments, cwd=tmp_path).stderr
