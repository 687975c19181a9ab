"""What the parts of a report say: the same as the commands that make them alone, and nothing that they cannot do."""

from __future__ import annotations

import html
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.contract.commands import run
from tests.e2e.report_pages import SAMPLE, Report, write_report
from tests.pages import all_saved_records, saved_records

from karat.cli.report import command
from karat.sample import path as sample_path

CORPUS, RATINGS = str(sample_path("corpus.jsonl")), str(sample_path("ratings.tsv"))


def answer(*words: str) -> dict[str, Any]:
    outcome = run(*words, "--json", "--quiet")
    assert outcome.code == 0, outcome.err
    document: dict[str, Any] = json.loads(outcome.out)
    return document


@pytest.fixture(scope="module")
def sample() -> dict[str, Any]:
    return answer("report", "--corpus", CORPUS, "--ratings", RATINGS, "-m", "chrf", "-n", "100")


def test_people_are_asked_as_karat_human_asks_them(sample: dict[str, Any]) -> None:
    alone = answer("human", RATINGS, "--corpus", CORPUS)
    assert sample["human"] == {part: alone[part] for part in sample["human"]}
    assert "news-handball-derby" in alone["systems"][0]["by_document"]


@pytest.mark.parametrize(
    "options", [("--unit", "segment"), ("--alpha", "0.2"), ("--correction", "none", "--seed", "7")]
)
def test_people_are_tested_as_the_report_is_told(options: tuple[str, ...]) -> None:
    told = answer("report", "--corpus", CORPUS, "--ratings", RATINGS, "-m", "chrf", "-n", "100", *options)
    alone = answer("human", RATINGS, "--corpus", CORPUS, *options)
    assert told["human"]["pairs"] == alone["pairs"]


def test_where_metrics_and_people_disagree_is_looked_for_where_there_are_ratings(sample: dict[str, Any]) -> None:
    reading = sample["segments"]
    assert [one["reason"] for one in reading["skipped"]] == ["metrics"]  # one metric has none to disagree with
    people = [choice for choice in reading["choices"] if choice["reason"] == "people"]
    alone = answer(
        *("analyse", "segments", "--corpus", CORPUS, "--ratings", RATINGS, "-m", "chrf", "--count", "3"),
    )
    assert people == [choice for choice in alone["choices"] if choice["reason"] == "people"] != []


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return write_report(tmp_path_factory.mktemp("sample"), *SAMPLE)


def shown_text(page: Report) -> str:
    """What a page shows, without styles, scripts and the command that made it."""
    bare = re.sub(r"<(style|script|pre)\b.*?</\1>", "", page.html, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "\n", bare))


def test_a_page_advises_no_option_that_its_command_lacks(page: Report) -> None:
    own = {option for parameter in command.params for option in parameter.opts}
    advised = re.findall(r"(karat [a-z ]+?)?(?<!\S)(--[a-z][a-z-]+)", shown_text(page))
    assert len(advised) >= 3
    for other, option in advised:
        if other:
            assert run(*other.split()[1:], "--help").out.count(option) > 0, (other, option)
        else:
            assert option in own


def table_data(page: Report, key: str) -> list[dict[str, Any]]:
    return saved_records(page.html, key)


def test_all_findings_are_saved_and_the_page_says_how_many_it_shows(page: Report) -> None:
    findings = page.json["findings"]["findings"]
    assert table_data(page, "flaws-2") == findings
    assert f"20 of {len(findings)}" in shown_text(page)


def test_every_table_is_called_by_what_it_holds(page: Report) -> None:
    captions = re.findall(r"<caption[^>]*>([^<]*)</caption>", page.html)
    assert "Findings: Where they are" in captions
    assert not [caption for caption in captions if re.search(r"table |[a-z]-\d", caption)]


def test_no_label_of_a_forest_plot_is_cut_off_at_its_left_edge(page: Report) -> None:
    labels = re.findall(r'<text x="(-?[\d.]+)%"[^>]*text-anchor="(\w+)"[^>]*>([^<]*)</text>', page.html)
    numbers = [(float(x), anchor) for x, anchor, text in labels if re.fullmatch(r"[−-]?[\d.]+", text)]
    assert any(0 <= x < 8 for x, _ in numbers)
    assert all(anchor == "start" for x, anchor in numbers if 0 <= x < 8)


@pytest.mark.parametrize("words", [("report", "-m", "chrf", "-f", "csv"), ("score", "-m", "chrf"), ("audit",)])
@pytest.mark.parametrize("other", ["y.html", "./y.html", "link/../y.html"])
def test_two_outputs_do_not_go_to_one_file(words: tuple[str, ...], other: str, tmp_path: Path) -> None:
    (tmp_path / "link").mkdir()
    outcome = run(*words, "--corpus", CORPUS, "-o", str(tmp_path / "y.html"), "--html", f"{tmp_path}/{other}")
    assert outcome.code == 2
    assert "y.html would be written twice" in outcome.err
    assert not (tmp_path / "y.html").exists()


def test_a_page_tells_all_settings_that_it_can_be_made_again_with(page: Report) -> None:
    settings = json.loads(re.findall(r'id="made-data">(.*?)</script>', page.html)[0])["settings"]
    assert settings["metrics"] == ["bleu", "chrf", "ter"]
    pair = page.json["rank"]["comparisons"][0]
    for name in ("n", "seed", "unit", "alpha", "correction"):
        assert settings[name] == pair[name]
    assert re.search(r"seed\s+12345", shown_text(page))


def test_few_documents_that_can_show_nothing_are_told_of_first_and_nothing_is_said_of_bold(tmp_path: Path) -> None:
    lines = Path(CORPUS).read_text(encoding="utf-8").splitlines()
    kept: list[str] = []
    documents: dict[str, None] = {}
    for line in lines:
        documents.setdefault(json.loads(line)["document"])
        kept += [line] if len(documents) <= 4 else []
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(kept) + "\n", encoding="utf-8")
    page = shown_text(write_report(tmp_path, "--corpus", str(few), "-m", "chrf", "-n", "100"))
    first_screen = page[: page.index("Rank\n")]
    assert "Nothing can be shown about the order under chrF2: 4 documents" in first_screen
    assert "--unit segment" in first_screen
    assert "Bold:" not in page


def examples(page: str) -> list[tuple[str, list[str]]]:
    """Why each segment of the first screen is there, and whose texts are shown of it."""
    found = re.search(r'<div class="examples">(.*?)</div>', page, flags=re.DOTALL)
    assert found is not None
    items = [html.unescape(item) for item in found[1].split("<li>")[1:]]
    return [(re.sub(r"<[^>]+>", "", item.split("</p>")[0]), re.findall(r"<dt>(.*?)</dt>", item)) for item in items]


def test_a_telling_segment_shows_the_systems_that_it_tells_of(page: Report) -> None:
    choices = {choice["segment"]: choice for choice in page.json["segments"]["choices"] if choice["rank"] == 1}
    shown = examples(page.html)
    assert len(shown) == 3
    for why, names in shown:
        number = re.search(r"Segment (\d+)", why)
        assert number is not None
        choice = choices[int(number[1])]
        ends = [choice["scores"][0]["system"], choice["scores"][-1]["system"]]
        about = ends if choice["reason"] == "systems" else [choice["system"], choice["baseline"]]
        assert names[1:] == [name for name in about if name is not None]
    assert 'data-beside="#s' in page.html


def test_an_influence_is_told_as_a_share_of_the_difference(tmp_path: Path) -> None:
    page = write_report(tmp_path, "--corpus", CORPUS, "-m", "chrf", "-n", "100")
    (choice,) = (one for one in page.json["segments"]["choices"] if one["reason"] == "influence" and one["rank"] == 1)
    scores = {score["system"]: score["score"] for score in page.json["scores"]}
    assert choice["difference"] == pytest.approx(scores[choice["system"]] - scores[choice["baseline"]])
    told = f"moves the difference most: {choice['value']:.2f} of {choice['difference']:.2f}".replace("-", "−")
    assert any(told in why.replace("-", "−") for why, _ in examples(page.html))


def test_segments_that_a_page_leaves_out_are_said_to_be_and_not_linked(tmp_path: Path) -> None:
    page = write_report(tmp_path, "--corpus", CORPUS, "-m", "chrf", "-n", "100", "--max-segments", "5")
    assert {int(number) for number in re.findall(r'href="#s(\d+)', page.html)} <= {1, 2, 3, 4, 5}
    assert "not among the segments of this page" in examples(page.html)[0][0]
    assert "5 of 127 segments" in shown_text(page)


def test_numbers_are_saved_as_numbers(page: Report) -> None:
    tables = all_saved_records(page.html)
    assert len(tables) > 20
    texts = [value for table in tables for record in table for value in record.values()]
    assert not [
        value for value in texts if isinstance(value, str) and re.fullmatch(r"\(?\d+\.\d+(±[\d.]+)?\)?\**", value)
    ]
    assert [value for table in tables for record in table for value in record.values() if value == "*"]


def test_each_saved_line_of_a_table_tells_all_that_it_is_about(page: Report) -> None:
    saved = table_data(page, "ngrams-1")
    assert {record["Group"] for record in saved} == {"too often", "too rarely"}
    assert len(saved) == len([one for one in page.json["ngrams"]["ngrams"] if _is_first_against_references(one, page)])
    tables = all_saved_records(page.html)
    assert len(tables) > 20
    assert not [record for table in tables for record in table if "" in record]


def _is_first_against_references(ngram: dict[str, Any], page: Report) -> bool:
    return ngram["against"] is None and ngram["system"] == page.json["scores"][0]["system"]


def test_segments_that_tables_name_lead_to_the_segments(page: Report) -> None:
    rows = [choice["segment"] for choice in page.json["segments"]["choices"]]
    section = page.html.split('<section id="segments"')[0].split("Where systems differ most</h3>")[1]
    linked = [int(number) for number in re.findall(r'href="#s(\d+)"[^>]*>\1</a>', section)]
    assert linked == rows
    examples_of_audit = re.findall(r"<h3>\w+, segment (\d+)</h3>.*?<a href=\"#s(\d+)\"", page.html, flags=re.DOTALL)
    assert len(examples_of_audit) == len(page.json["audit"]["systems"])
    assert all(titled == linked_to for titled, linked_to in examples_of_audit)


def badges(page: Report) -> list[tuple[str, str]]:
    """Kind and title of the signs of trust on the first screen."""
    found = re.findall(r'<li class="badge (\w+)">\s*<strong>(?:<a [^>]*>)?(.*?)<', page.html)
    return [(kind, html.unescape(title)) for kind, title in found]


def test_few_units_are_told_of_on_the_first_screen(page: Report) -> None:
    assert page.json["rank"]["comparisons"][0]["units"] < 30
    assert badges(page)[0] == ("warn", "Few documents")


def test_nobody_is_told_that_nothing_is_wrong_with_identical_systems(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Path(CORPUS).read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["systems"] = {"first": line["systems"]["neural"], "second": line["systems"]["neural"]}
    corpus = tmp_path / "alike.jsonl"
    corpus.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    page = write_report(tmp_path, "--corpus", str(corpus), "-m", "bleu", "-n", "100")
    assert ("warn", "Identical systems") in badges(page)
    assert {kind for kind, _ in badges(page)} == {"warn"}
    assert "1 pairs" not in shown_text(page)
    assert "A rule:" not in shown_text(page)


def test_rules_are_explained_where_there_are_any(page: Report) -> None:
    assert "A rule: every system above it beats every one below." in shown_text(page)


def test_a_page_names_the_signatures_of_all_that_is_in_it(page: Report) -> None:
    made = json.loads(re.findall(r'id="made-data">(.*?)</script>', page.html)[0])
    assert made["signatures"] == list(dict.fromkeys(re.findall(r'"signature": "(.*?)"', json.dumps(page.json))))


def test_a_page_can_be_made_again_from_what_it_says_of_itself(tmp_path: Path) -> None:
    texts = ("-r", "the reference.txt", "-s", "source.txt", "it's a=neural.txt", "$b=fluent.txt")
    for name, copied in {
        "the reference": "refA.en",
        "source": "source.de",
        "neural": "neural",
        "fluent": "fluent",
    }.items():
        (tmp_path / f"{name}.txt").write_bytes(sample_path(f"{copied}.txt").read_bytes())
    page = tmp_path / "report.html"

    def made(words: list[str]) -> str:
        page.unlink(missing_ok=True)
        subprocess.run([sys.executable, "-m", "karat", *words], cwd=tmp_path, check=True, capture_output=True)
        return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "TIME", page.read_text(encoding="utf-8"))

    first = made(["report", *texts, "-m", "chrf", "-n", "50", "--seed", "7", "-q", "-o", "report.html"])
    said = json.loads(re.findall(r'id="made-data">(.*?)</script>', first)[0])
    program, *words = shlex.split(said["command"])
    assert program == "karat"
    assert made(words) == first


@pytest.mark.parametrize(
    ("metric", "said"),
    [("chrf", "the audit looks at BLEU, which is not among the metrics: add -m bleu"), ("bleu", None)],
)
def test_a_report_says_what_it_says_nothing_of(metric: str, said: str | None) -> None:
    warnings = answer("report", "--corpus", CORPUS, "-m", metric, "-n", "50", "--max-segments", "0")["warnings"]
    assert [warning["message"] for warning in warnings if warning["code"] == "no-audit"] == ([said] if said else [])


def test_a_report_of_scores_alone_says_so(tmp_path: Path) -> None:
    lines = [
        "system\tsegment\tq",
        *(f"{name}\t{row}\t{row % 7 + add}" for name, add in (("a", 0), ("b", 1)) for row in range(30)),
    ]
    (tmp_path / "s.tsv").write_text("\n".join(lines), encoding="utf-8")
    warnings = answer("report", "--scores", str(tmp_path / "s.tsv"), "-n", "50")["warnings"]
    assert "about scores alone" in " ".join(warning["message"] for warning in warnings)
