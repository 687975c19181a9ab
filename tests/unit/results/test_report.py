"""A report of the sample: its charts have the numbers of its JSON, and what is redacted is not in it."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape, unescape
from pathlib import Path
from urllib.parse import parse_qsl

from tests.pages import saved_records

import karat
from karat.report.page.signs import UNSEEN, with_signs
from karat.results.report import ReportResult
from karat.sample import path as sample_path
from karat.service.analysing import NgramsRequest, analyse_ngrams
from karat.service.human import HumanRequest
from karat.service.inputs import CorpusFile, Files
from karat.service.reporting import ReportRequest, report
from karat.service.requests import EvidenceRequest
from karat.significance import Options


@cache
def sample(*, redact: bool = False) -> ReportResult:
    evidence = EvidenceRequest(texts=CorpusFile(str(sample_path("corpus.jsonl"))), metrics=("bleu", "ter"))
    ratings = HumanRequest(paths=(str(sample_path("ratings.tsv")),))
    return report(ReportRequest(evidence=evidence, options=Options(n=200), ratings=ratings, redact=redact))


def test_every_forest_plot_has_the_numbers_of_the_json_form() -> None:
    result = sample()
    page, pairs = result.to_html(), result.to_json()["rank"]["comparisons"]
    keys = re.findall(r'id="(forest-\d+-\d+-numbers)-data"', page)
    assert len(keys) == 2 * 4
    for key in keys:
        for record in saved_records(page, key):
            systems = {record["baseline"], record["system"]}
            (pair,) = (
                pair
                for pair in pairs
                if {pair["baseline"], pair["system"]} == systems and pair["spec"] == record["metric"]
            )
            sign = 1 if pair["baseline"] == record["baseline"] else -1
            assert record["difference"] == sign * pair["difference"]
            assert record["p_adjusted"] == pair["p_adjusted"]
            bounds = sorted(sign * bound for bound in pair["interval"])
            assert [record["interval_low"], record["interval_high"]] == bounds


def test_the_ranking_has_the_scores_and_intervals_of_the_json_form() -> None:
    result = sample()
    scores = {(score["system"], score["spec"]): score for score in result.to_json()["scores"]}
    for record in saved_records(result.to_html(), "ranking"):
        score = scores[str(record["system"]), str(record["metric"])]
        assert record["score"] == score["score"]
        assert [record["interval_low"], record["interval_high"]] == score["interval"]


def test_scatter_plots_have_the_scores_of_the_json_form() -> None:
    result = sample()
    page = result.to_html()
    systems = {row["system"]: row for row in result.to_json()["human"]["systems"] if row["criterion"] == "adequacy"}
    for record in saved_records(page, "meta-adequacy-scatter-bleu-numbers"):
        assert abs(float(str(record["judgement"])) - systems[record["system"]]["raw"]) < 1e-9


def test_a_redacted_report_has_no_text() -> None:
    corpus = [json.loads(line) for line in sample_path("corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    texts = [text for line in corpus for text in strings(line) if len(text) > 25]
    page = sample(redact=True).to_html()
    assert len(texts) > 100
    assert not [text for text in texts if text in page]
    assert sum(text.replace("'", "&#39;") in sample().to_html() for text in texts[:20]) > 0


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in inner for text in strings(item)]


def test_people_who_disagree_and_kinds_of_segments_are_on_the_first_screen() -> None:
    front = sample().front()
    assert front is not None
    assert front.headline == "neural is better than every other system under both metrics."
    assert any("they rate literal above fluent in adequacy" in said for said in front.objections)
    assert front.where[0].startswith("In BLEU, neural is ahead of fluent on ")
    assert "2 kinds by source length, Holm's correction" in front.where[1]
    assert 1 <= len(front.badges) <= 3
    assert len(front.examples) == 3


def test_every_link_to_segments_names_something_that_the_segments_have() -> None:
    result = sample()
    view = result.segments
    assert view is not None
    known = {(facet.key, value) for facet in view.facets for value in facet.groups}
    known |= {("bucket", f"{facet.title}: {value}") for facet in view.facets for value in facet.groups}
    known |= {("bucket", f"{facet.key}: {value}") for facet in view.facets for value in facet.groups}
    links = {unescape(link) for link in re.findall(r'href="#segments\?([^"]*)"', result.to_html())}
    asked = {pair for link in links for pair in parse_qsl(link, strict_parsing=True)}
    assert asked - known == {("sort", "-difference"), *((side, name) for side in "ab" for name in view.systems)}
    assert {key for key, _ in asked} == {"a", "b", "bucket", "finding", "error", "ngram", "sort", "words"}


def test_every_bucket_kind_of_word_ngram_class_and_finding_leads_to_its_segments() -> None:
    page, looks = sample().page(), sample().looks
    sections = {section.key: section for section in page.sections}
    for key, column, without in (
        ("buckets", 0, ()),
        ("words", 0, ()),
        ("ngrams", 1, ()),
        ("flaws", 0, ("any of them", "percent")),
    ):
        tables = sections[key].exhibits[: 1 if key == "flaws" else None]
        rows = [row for exhibit in tables for row in exhibit.table.rows if row[0].text not in without]
        assert rows
        assert all(row[column].link for row in rows)
    classes = next(one for one in sections["errors"].exhibits if one.table.title == "Errors by class")
    assert all(cell.link or cell.text.startswith("0.00") for row in classes.table.rows for cell in row[1:])
    assert 'href="#segments' not in looks["buckets"].to_html()


def test_the_chart_of_orderings_has_the_freedom_of_the_json_form() -> None:
    result = sample()
    page, freedom = result.to_html(), result.to_json()["audit"]["freedom"]
    for number in (1, 2):
        records = saved_records(page, f"audit-orderings-{number}-numbers")
        (system,) = {record["system"] for record in records}
        own = [(one["tokens"], one["phrases"], one["log10_orderings"]) for one in freedom if one["system"] == system]
        assert len(own) == sum(int(str(record["segments"])) for record in records) == 127
        assert {(record["tokens"], record["phrases"], record["log10_orderings"]) for record in records} == set(own)
    assert 'id="audit-orderings-1-desc">127 segments by their tokens' in page


def test_ngrams_of_many_systems_are_folded_but_for_the_first_table(tmp_path: Path) -> None:
    texts = ["a b c d e f", "g h i j k l", "a c e g i k"] * 8
    for name, gone in {"ref": "z", "s0": "c", "s1": "d", "s2": "e", "s3": "f", "s4": "g"}.items():
        (tmp_path / name).write_text("".join(f"{text}\n".replace(gone, "x") for text in texts), encoding="utf-8")
    files = tuple((name, str(tmp_path / name)) for name in ("s0", "s1", "s2", "s3", "s4"))
    few, many = (
        analyse_ngrams(NgramsRequest(texts=Files((str(tmp_path / "ref"),), systems))).sections()[0].exhibits
        for systems in (files[:4], files)
    )
    assert not any(one.folded for one in few)
    assert [bool(one.folded) for one in many] == [False, *[True] * (len(many) - 1)]
    assert [one.folded for one in many[1:3]] == [one.table.title for one in few[1:3]]


def test_several_runs_are_compared_as_systems_and_shown_one_by_one(tmp_path: Path) -> None:
    names = {"old": ("old, run 1", "old, run 2"), "new": ("new, run 1", "new, run 2")}
    texts = [f"{word} b c d e f g h" for word in "klmnopqrst"] * 3
    for number, name in enumerate([*names["old"], *names["new"], "ref"]):
        worse = [text.replace("c d", "x y") if place % 5 > number else text for place, text in enumerate(texts)]
        (tmp_path / name).write_text("".join(f"{text}\n" for text in worse), encoding="utf-8")
    files = Files(
        (str(tmp_path / "ref"),), tuple((run, str(tmp_path / run)) for runs in names.values() for run in runs)
    )
    evidence = EvidenceRequest(texts=files, metrics=("chrf",))
    request = ReportRequest(evidence=evidence, options=Options(n=200), baseline="old", runs=tuple(names.items()))
    result = report(request)
    first, runs = result.front(), result.to_json()["runs"]
    assert first is not None
    assert first.headline == "These runs of new are better than these of old under chrF2."
    assert first.support[0].startswith("These runs of new are better than these of old by ")
    assert first.facts[0] == "2 systems with 4 runs"
    assert first.where == ()
    assert [one.baseline for one in first.boards[0].forests if one.shown] == ["old, run 1"]
    assert [system["system"] for system in runs["runs"]] == ["old", "new"]
    assert {"mean", "s_sel", "s_opt"} <= set(runs["runs"][0])
    (section,) = (section for section in result.sections() if section.key == "runs")
    assert {"Mean", "s_sel", "s_opt"} <= set(section.exhibits[0].table.headings)
    assert [row["system"] for row in result.to_json()["scores"]] == [*names["old"], *names["new"]]


def test_names_that_no_file_may_have_stand_on_the_page_as_signs() -> None:
    names = ("nul\x00here", "lone \ud800 high \udfff low", "right\u202eto left", "</script><b>")
    references = [f"a b c {place} d e f g" for place in range(20)]
    hypotheses = {
        name: [text.replace("b c", "x") if place % (number + 2) == 0 else text for place, text in enumerate(references)]
        for number, name in enumerate(names)
    }
    page = karat.rank(karat.score(hypotheses, references, ["chrf"]), n=50).to_html()
    assert UNSEEN.search(page) is None
    assert page.encode("utf-8")
    for name in names:
        assert page.count(escape(with_signs(name))) > 4
