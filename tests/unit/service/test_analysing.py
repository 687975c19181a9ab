"""Analyses of small texts whose answers can be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.contract.commands import run

REFERENCE = "the cat sat on the mat\nDogs bark at 3 cats\nwe go home\nBirds sing\n"
GOOD = "the cat sat on the mat\nDogs bark at 3 cats\nwe went home\nBirds sing\n"
BAD = "on the mat cat sat\nDogs barked at cats\nhome we go now\nsing\n"
DOCUMENTS = "a\na\nb\nb\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"ref": REFERENCE, "good": GOOD, "bad": BAD, "docs": DOCUMENTS}.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def analysed(*arguments: str) -> dict[str, Any]:
    outcome = run("analyse", *arguments, "-n", "50", "--json")
    assert outcome.code == 0, outcome.err
    document: dict[str, Any] = json.loads(outcome.out)
    return document


def refused(*arguments: str) -> str:
    outcome = run("analyse", *arguments)
    assert outcome.code == 2, outcome.out
    return outcome.err


TEXTS = ("-r", "ref.txt", "good.txt", "bad.txt")


def test_words_are_counted_on_both_sides() -> None:
    found = analysed("words", *TEXTS, "--by", "number")
    numbers = {entry["system"]: entry for entry in found["words"] if entry["bucket"] == "number"}
    assert [(one["produced"], one["right"], one["expected"]) for one in numbers.values()] == [(1, 1, 1), (0, 0, 1)]
    assert numbers["good"]["f"] == 1
    assert (numbers["bad"]["precision"], numbers["bad"]["recall"], numbers["bad"]["f"]) == (None, 0, 0)
    assert all(entry["few"] for entry in numbers.values())


def test_words_that_a_system_never_writes_stay_in_the_table() -> None:
    table = run("analyse", "words", "-r", "ref.txt", "bad.txt", "--by", "number", "-n", "50").out
    assert [line.split() for line in table.splitlines() if line.startswith("number")] == [["number", "1", "(0.00)"]]


def test_without_labels_of_a_system_there_is_no_f_and_no_difference(here: Path) -> None:
    for name, text in {"ref": REFERENCE, "bad": BAD}.items():
        labels = "\n".join(" ".join("x" for _ in line.split()) for line in text.splitlines())
        (here / f"{name}.labels").write_text(f"{labels}\n", encoding="utf-8")
    files = ("--labels", "reference:ref=ref.labels", "--labels", "bad=bad.labels")
    found = analysed("words", *TEXTS, *files)
    by_system = {entry["system"]: entry for entry in found["words"] if entry["bucket"] == "x"}
    assert (by_system["good"]["f"], by_system["bad"]["difference"]) == (None, None)
    assert by_system["bad"]["f"] > 0 < by_system["good"]["recall"]


@pytest.mark.parametrize(("segments", "few"), [(4, True), (5, False)])
def test_words_of_four_segments_tell_nothing(here: Path, segments: int, few: bool) -> None:
    lines = ["none", *["1 2 3 4 5 6 7 8"] * segments, *["none"] * 4]
    (here / "numbers.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = analysed("words", "-r", "numbers.txt", "same=numbers.txt", "--by", "number")
    assert [entry["few"] for entry in found["words"] if entry["bucket"] == "number"] == [few]


def test_rates_of_four_segments_tell_nothing(here: Path) -> None:
    (here / "long.txt").write_text("a b c d e f g h i j\n" * 4, encoding="utf-8")
    table = run("analyse", "errors", "-q", "-r", "long.txt", "same=long.txt", "-n", "50").out
    assert next(line.split()[2:] for line in table.splitlines() if line.startswith("same")) == ["(0.00)"] * 3


def test_notes_speak_of_marks_that_are_there() -> None:
    table = run("analyse", "words", *TEXTS, "--by", "case", "-n", "50").out
    assert "( ): fewer than 30 words or 5 segments, which tell nothing" in table
    assert "±" not in table
    buckets = run("analyse", "buckets", *TEXTS, "-m", "chrf", "-n", "50").out
    assert "( ): fewer than 30 segments, which tell nothing" in buckets


def test_a_cell_with_few_words_is_marked_and_has_no_star() -> None:
    table = run("analyse", "words", *TEXTS, "--by", "case", "-n", "50").out
    assert "(100.00)" in table
    assert "*" not in table


def test_the_closest_reference_counts(here: Path) -> None:
    (here / "other.txt").write_text("x\nx\nwe went home\nx\n", encoding="utf-8")
    assert "closest" in run("analyse", "words", "-r", "other.txt", *TEXTS, "-n", "50").out
    found = analysed("errors", "-r", "other.txt", *TEXTS, "--words")
    assert found["reference"] == "closest"
    assert [entry["reference"] for entry in found["words"] if entry["system"] == "good"] == [1, 1, 0, 1]
    assert {entry["hypothesis_classes"] for entry in found["words"] if entry["system"] == "good"} == {
        "xxxxxx",
        "xxxxx",
        "xxx",
        "xx",
    }


def test_a_table_tells_whose_words_it_counts_where_each_system_has_its_own(here: Path) -> None:
    (here / "second.txt").write_text("a\n" * 4, encoding="utf-8")
    one, two = (run("analyse", "words", *TEXTS, *more, "--by", "case", "-q").out for more in ((), ("-r", "second.txt")))
    assert "are counted for" not in one
    assert "their words are counted for good" in two


def test_words_by_frequency_in_another_text(here: Path) -> None:
    (here / "train.txt").write_text("cat cat home\n", encoding="utf-8")
    found = analysed("words", *TEXTS, "--by", "frequency", "--frequencies", "train.txt")
    expected = {entry["bucket"]: entry["expected"] for entry in found["words"] if entry["system"] == "good"}
    assert expected == {"0": 14, "1": 1, "2": 1}


def test_errors_without_base_forms_say_so() -> None:
    outcome = run("analyse", "errors", *TEXTS, "-n", "50")
    assert "inflections count as lexical" in outcome.err
    assert "no base forms" in outcome.out


def test_base_forms_make_an_inflection(here: Path) -> None:
    for name, text in (("ref", REFERENCE), ("good", GOOD), ("bad", BAD)):
        (here / f"{name}.base").write_text(text.replace("went", "go").replace("barked", "bark"), encoding="utf-8")
    bases = [
        f"--base-forms={name}={file}.base" for name, file in (("reference", "ref"), ("good", "good"), ("bad", "bad"))
    ]
    found = analysed("errors", *TEXTS, "--tokenize", "none", *bases, "--words")
    (third,) = [entry for entry in found["words"] if entry["system"] == "good" and entry["segment"] == "3"]
    assert (third["hypothesis_classes"], third["reference_classes"]) == ("xix", "xix")
    assert "all systems and references" in refused("errors", *TEXTS, "--tokenize", "none", *bases[:2])


def test_labels_add_up_to_the_rates(here: Path) -> None:
    labels = "\n".join(" ".join("ABC"[len(word) % 3] for word in line.split()) for line in REFERENCE.splitlines())
    (here / "ref.pos").write_text(labels + "\n", encoding="utf-8")
    found = analysed("errors", *TEXTS, "--tokenize", "none", "--labels", "reference=ref.pos")
    for system in ("good", "bad"):
        per = [entry["per"] for entry in found["labels"] if entry["system"] == system]
        (rate,) = [entry["value"] for entry in found["rates"] if (entry["system"], entry["rate"]) == (system, "RPER")]
        assert sum(per) == pytest.approx(rate)
        words = sum(entry["words"] for entry in found["labels"] if entry["system"] == system)
        assert words == len(REFERENCE.split())


def test_recall_alone_where_only_references_have_labels(here: Path) -> None:
    (here / "ref.pos").write_text(
        "\n".join("N " * len(line.split()) for line in REFERENCE.splitlines()) + "\n", "utf-8"
    )
    found = analysed("words", *TEXTS, "--tokenize", "none", "--labels", "ref=ref.pos")
    assert {(entry["f"], entry["precision"]) for entry in found["words"]} == {(None, None)}
    assert [entry["recall"] for entry in found["words"]] == [15 / 16, 12 / 16]


CONLLU = """# a comment
1-2\ton the\t_\t_\t_\t_\t_\t_\t_\t_
1\tthe\tthe\tDET\t_\t_\t_\t_\t_\t_
2\tcat\tcat\tNOUN\t_\t_\t_\t_\t_\t_
2.1\tgone\t_\t_\t_\t_\t_\t_\t_\t_

1\tDogs\tdog\tNOUN\t_\t_\t_\t_\t_\t_
"""


def test_conllu_has_labels_and_base_forms(here: Path) -> None:
    (here / "r.txt").write_text("the cat\nDogs\n", encoding="utf-8")
    (here / "s.txt").write_text("a cat\ndog\n", encoding="utf-8")
    (here / "r.conllu").write_text(CONLLU, encoding="utf-8")
    (here / "s.base").write_text("a cat\ndog\n", encoding="utf-8")
    texts = ("-r", "r.txt", "s.txt", "--tokenize", "none", "--labels", "r=r.conllu")
    found = analysed("errors", *texts, "--base-forms", "r=r.conllu", "--base-forms", "s=s.base", "--words")
    assert {(entry["label"], entry["words"]) for entry in found["labels"]} == {("DET", 1), ("NOUN", 2)}
    assert [entry["reference_classes"] for entry in found["words"]] == ["lx", "i"]


@pytest.mark.parametrize(
    ("labels", "where"),
    [
        ("A A A A A A\nA A A A\nA A A\nA A\n", "ref.pos, line 2: 4 labels, but segment 2 of ref has 5 words"),
        ("A A A A A A\nA A A A A\n", "ref.pos, line 2: there are labels of 2 segments, but ref has 4"),
        ("A\n" * 5, "ref.pos, line 5: there are labels of 5 segments, but ref has 4"),
        ("", "ref.pos"),
    ],
)
@pytest.mark.parametrize("command", ["words", "errors"])
def test_labels_that_do_not_fit_are_refused(command: str, labels: str, where: str, here: Path) -> None:
    (here / "ref.pos").write_text(labels, encoding="utf-8")
    assert where in refused(command, *TEXTS, "--tokenize", "none", "--labels", "reference=ref.pos")


def test_a_broken_line_of_conllu_is_refused(here: Path) -> None:
    (here / "ref.conllu").write_text("1\tthe\tthe\n", encoding="utf-8")
    message = refused("words", *TEXTS, "--labels", "reference=ref.conllu")
    assert "ref.conllu, line 1: 3 columns; a word of CoNLL-U has 10" in message


def test_labels_of_nobody_are_refused() -> None:
    assert "there is no system or reference 'goood'" in refused("words", *TEXTS, "--labels", "goood=x.pos")
    assert "write NAME=FILE" in refused("words", *TEXTS, "--labels", "x.pos")


def test_buckets_hold_every_segment_once(here: Path) -> None:
    (here / "topics.txt").write_text("x\ny\ny\nx\n", encoding="utf-8")
    found = analysed("buckets", *TEXTS, "--documents", "docs.txt", "-m", "chrf", "--labels", "topics.txt")
    members = {entry["bucket"]: entry["segments"] for entry in found["members"]}
    assert members == {"x": ["1", "4"], "y": ["2", "3"]}
    assert (found["unit"], found["units"]) == ("document", 2)
    assert {(entry["count"], entry["few"], entry["interval"]) for entry in found["buckets"]} == {(2, True, None)}


def test_buckets_by_a_column_of_a_table(here: Path) -> None:
    (here / "topics.tsv").write_text("segment\ttopic\n1\tx\n2\ty\n3\ty\n4\tx\n", encoding="utf-8")
    found = analysed("buckets", *TEXTS, "-m", "chrf", "--labels", "topics.tsv:topic")
    assert [(entry["by"], entry["bucket"]) for entry in found["members"]] == [("topic", "x"), ("topic", "y")]
    assert "no column 'tpic'" in refused("buckets", *TEXTS, "--labels", "topics.tsv:tpic")


def test_a_text_without_words_counts_none(here: Path) -> None:
    (here / "empty.txt").write_text("\n", encoding="utf-8")
    message = refused("words", *TEXTS, "--by", "frequency", "--frequencies", "empty.txt")
    assert "--frequencies empty.txt: there are no words in it to count" in message


@pytest.mark.parametrize(("least", "explained"), [("1", True), ("1000", False)])
def test_intervals_are_explained_where_a_table_has_any(least: str, explained: bool, here: Path) -> None:
    for name in ("r.txt", "s.txt"):
        (here / name).write_text("a b c d\n" * 60, encoding="utf-8")
    outcome = run(
        "analyse", "buckets", "-r", "r.txt", "s.txt", "--by", "difficulty", "-m", "chrf", "--least", least, "-q"
    )
    assert outcome.code == 0, outcome.err
    assert ("100.00±0.0" in outcome.out) == ("±: half the 95 % interval" in outcome.out) == explained


def test_systems_that_write_the_same_have_no_ngrams_apart(here: Path) -> None:
    (here / "r.txt").write_text("a b c d\n", encoding="utf-8")
    for name in ("s.txt", "t.txt"):
        (here / name).write_text("a b d\n", encoding="utf-8")
    outcome = run("analyse", "ngrams", "-r", "r.txt", "s.txt", "t.txt", "-n", "40", "-q")
    assert outcome.code == 0, outcome.err
    against_references, against_baseline = outcome.out.split("N-grams of t against s")
    assert "nothing" not in against_references.partition("( )")[0]
    assert against_baseline.splitlines()[3].strip() == "nothing"


def test_two_files_of_labels_for_one_text_are_refused(here: Path) -> None:
    (here / "ref.pos").write_text("A\n", encoding="utf-8")
    message = refused("words", *TEXTS, "--labels", "ref=ref.pos", "--labels", "reference:ref=other.pos")
    assert "reference:ref=other.pos: ref has ref.pos already" in message


@pytest.mark.parametrize(
    ("file", "content", "where"),
    [
        ("topics.tsv:topic", "topic\nA\nB\nA\nB\nA\n", "topics.tsv, line 6: 5 labels are there"),
        ("topics.tsv:topic", "topic\nA\n", "topics.tsv, line 2: 1 label is there"),
        ("topics.txt", "A\nB\nA\nB\nA\nB\n", "topics.txt, line 5: 6 labels are there"),
        ("topics.txt", "A\n\nB\nB\n", "topics.txt, line 2: segment 2 has no label"),
        ("topics.txt", "", "topics.txt is empty"),
    ],
)
def test_labels_that_do_not_fit_segments_name_the_line_of_the_file(
    file: str, content: str, where: str, here: Path
) -> None:
    (here / file.partition(":")[0]).write_text(content, encoding="utf-8")
    assert where in refused("buckets", *TEXTS, "--labels", file)


def test_segment_labels_that_do_not_fit_are_refused(here: Path) -> None:
    (here / "topics.txt").write_text("x\ny\n", encoding="utf-8")
    assert "topics.txt, line 2: 2 labels are there, but the texts have 4 segments" in refused(
        "buckets", *TEXTS, "--labels", "topics.txt"
    )


def test_lengths_differences_and_difficulty_sort_segments() -> None:
    found = analysed("buckets", *TEXTS, "-m", "chrf")
    kinds = {entry["by"] for entry in found["members"]}
    assert kinds == {"length-difference", "difficulty"}  # all references are shorter than ten words
    hardest = next(entry for entry in found["members"] if entry["bucket"] == "hardest fifth")
    assert hardest["segments"] == ["3"]
    zero = {
        entry["system"]: entry["count"]
        for entry in found["buckets"]
        if (entry["by"], entry["bucket"]) == ("length-difference", "0")
    }
    assert zero == {"good": 4}


def test_each_system_is_marked_by_its_own_segments_where_it_has_its_own(here: Path) -> None:
    (here / "r.txt").write_text("a b c\n" * 12, encoding="utf-8")
    (here / "s.txt").write_text("a b c\n" * 10 + "a b c d\n" * 2, encoding="utf-8")
    (here / "t.txt").write_text("a b c\n" * 4 + "a b c d\n" * 8, encoding="utf-8")
    files = ("-r", "r.txt", "s.txt", "t.txt", "-m", "chrf", "--by", "length-difference", "--least", "6")
    few = {(e["system"], e["bucket"]): (e["count"], e["few"]) for e in analysed("buckets", *files)["buckets"]}
    assert few == {
        ("s", "0"): (10, False),
        ("t", "0"): (4, True),
        ("s", "1 to 4"): (2, True),
        ("t", "1 to 4"): (8, False),
    }


def test_references_that_agree_sort_segments(here: Path) -> None:
    (here / "ref2.txt").write_text("the cat sat on a mat\nhounds\nwe go home\nflowers grow\n", encoding="utf-8")
    found = analysed("buckets", "-r", "ref2.txt", *TEXTS, "-m", "chrf", "--by", "agreement")
    assert {entry["bucket"]: entry["segments"] for entry in found["members"]} == {"1": ["2", "4"], "2": ["1", "3"]}


@pytest.mark.parametrize(
    ("kind", "remedy"), [("source-length", "-s FILE"), ("domain", "--documents"), ("agreement", "-r")]
)
def test_a_kind_that_is_not_known_is_refused(kind: str, remedy: str) -> None:
    assert remedy in refused("buckets", *TEXTS, "--by", kind)


def test_ngrams_count_what_is_too_much_and_too_little() -> None:
    found = analysed("ngrams", *TEXTS, "--max-order", "1", "--top", "50")
    of_bad = {
        (entry["contrast"], entry["ngram"]): (entry["count"], entry["other"], entry["segments"])
        for entry in found["ngrams"]
        if entry["system"] == "bad" and entry["against"] is None
    }
    assert of_bad == {
        ("over", "now"): (1, 0, ["3"]),
        ("over", "barked"): (1, 0, ["2"]),
        ("under", "the"): (0, 1, ["1"]),
        ("under", "bark"): (0, 1, ["2"]),
        ("under", "3"): (0, 1, ["2"]),
        ("under", "Birds"): (0, 1, ["4"]),
    }
    gets = [entry["ngram"] for entry in found["ngrams"] if entry["contrast"] == "gets"]
    assert gets == ["go"]


@pytest.mark.parametrize("smoothing", ["nan", "inf", "0", "-1"])
def test_smoothing_is_a_number_above_zero(smoothing: str) -> None:
    assert "--smoothing" in refused("ngrams", *TEXTS, "--smoothing", smoothing)


def test_frequencies_that_nothing_is_sorted_by_are_refused() -> None:
    assert "--by frequency" in refused("words", *TEXTS, "--by", "case", "--frequencies", "ref.txt")


def test_a_perceptron_that_had_nothing_to_learn_from_says_so(here: Path) -> None:
    (here / "one.txt").write_text("a b c\n", encoding="utf-8")
    (here / "two.txt").write_text("a x c\n", encoding="utf-8")
    table = run("analyse", "ngrams", "-r", "one.txt", "two.txt", "--select", "discriminative").out
    assert "too few segments" in table
    assert "0.0 %" not in table


def test_ngrams_without_intervals_have_no_note_on_them(here: Path) -> None:
    assert "each interval" not in run("analyse", "ngrams", *TEXTS, "-n", "50").out
    for name, text in (("long", "a b\n"), ("other", "a c\n")):
        (here / f"{name}.txt").write_text(text * 20, encoding="utf-8")
    assert "each interval" in run("analyse", "ngrams", "-r", "long.txt", "other.txt", "-n", "50").out


def test_an_ngram_within_another_is_told_once() -> None:
    found = analysed("ngrams", *TEXTS, "--top", "50")
    under = [e["ngram"] for e in found["ngrams"] if (e["system"], e["contrast"]) == ("good", "under")]
    assert under == ["we go home"]


def test_a_perceptron_finds_what_sets_output_apart(here: Path) -> None:
    (here / "r.txt").write_text("".join(f"word{i % 7} is very good\n" for i in range(100)), encoding="utf-8")
    (here / "s.txt").write_text("".join(f"word{i % 7} is much good\n" for i in range(100)), encoding="utf-8")
    found = analysed("ngrams", "-r", "r.txt", "s.txt", "--select", "discriminative", "--max-order", "1")
    assert {(e["contrast"], e["ngram"]) for e in found["ngrams"]} == {("over", "much"), ("under", "very")}
    (model,) = found["models"]
    assert (model["accuracy"], model["trained_on"], model["held_out"]) == (1.0, 80, 20)
    assert all((e["weight"] < 0) == (e["contrast"] == "over") for e in found["ngrams"])
    again = analysed("ngrams", "-r", "r.txt", "s.txt", "--select", "discriminative", "--max-order", "1")
    assert again == found


@pytest.mark.parametrize("analysis", ["buckets", "words", "ngrams", "errors", "all"])
def test_resamples_too_few_for_an_interval_are_refused(analysis: str) -> None:
    assert "39 is not in the range 40<=x" in refused(analysis, *TEXTS, "-n", "39")


def test_a_system_and_a_reference_of_one_name_are_told_apart(here: Path) -> None:
    for name in ("same.ref", "same.hyp", "same.lab"):
        (here / name).write_text("a b\n" * 3, encoding="utf-8")
    files = ("-r", "same.ref", "same=same.hyp", "--tokenize", "none")
    assert "There is: reference:same, same." in refused("words", *files, "--labels", "other=same.lab")
    assert "add --labels NAME=FILE for reference:same" in refused("words", *files, "--labels", "same=same.lab")
    found = analysed("words", *files, "--labels", "reference:same=same.lab")
    assert {entry["bucket"] for entry in found["words"]} == {"a", "b"}


def test_texts_without_anything_but_blanks_are_looked_at_all_the_same(here: Path) -> None:
    for name in ("r.txt", "s.txt", "t.txt"):
        (here / name).write_text("\n" * 12, encoding="utf-8")
    found = analysed("all", "-r", "r.txt", "s.txt", "t.txt")
    assert found["segments"]["choices"] == []


@pytest.mark.parametrize("analysis", ["words", "findings", "coverage", "all"])
def test_several_test_sets_are_refused_with_advice_that_can_be_followed(analysis: str, here: Path) -> None:
    entry = '[[testset]]\nname = "{}"\nreferences = ["ref.txt"]\nsystems = {{good = "good.txt"}}\n'
    (here / "two.toml").write_text(entry.format("first") + entry.format("second"), encoding="utf-8")
    message = refused(analysis, "--corpus", "two.toml")
    assert "there are 2 test sets (first, second): this takes one at a time; give its files" in message


def test_an_unknown_baseline_is_refused() -> None:
    assert "no system 'gud'" in refused("words", *TEXTS, "--baseline", "gud")


@pytest.mark.parametrize("analysis", ["words", "errors", "ngrams"])
def test_a_segment_too_long_is_named_with_its_system_and_line(analysis: str, tmp_path: Path) -> None:
    long = " ".join(f"w{i}" for i in range(6000))
    for name, line in (("ref", long), ("short", "w"), ("long", long)):
        (tmp_path / f"{name}.txt").write_text(f"a\n{line}\n")
    files = (str(tmp_path / f"{name}.txt") for name in ("ref", "short", "long"))
    code, _, err = run("analyse", analysis, "-n", "40", "-r", *files)
    assert code == 2
    assert "system long, segment 2 (a text file's line 2) is too long to compare all its words" in err
