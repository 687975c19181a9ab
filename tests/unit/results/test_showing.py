"""Every result shows itself: as JSON, as data frames, in LaTeX and in notebooks, with every text escaped."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from pathlib import Path

import pytest

import karat
from karat.corpus.ratings import BadRow
from karat.human.plan import AnalysisPlan
from karat.results.all_analyses import AllAnalysesResult
from karat.results.base import Result
from karat.results.campaigns import CopyResult, LinksResult, PasswordResult, RaterStatus, StatusResult
from karat.results.comparisons import CompareResult, PowerResult, RankResult, TestedResult
from karat.results.converting import ConvertResult
from karat.sample import path as sample_path
from karat.service.analysed_texts import Resamples
from karat.service.analysing import (
    BucketsRequest,
    ErrorsRequest,
    NgramsRequest,
    WordsRequest,
    analyse_buckets,
    analyse_errors,
    analyse_ngrams,
    analyse_words,
)
from karat.service.analysing_all import AllAnalysesRequest, analyse_all
from karat.service.audit import AuditRequest, audit
from karat.service.campaigns import NewCampaignRequest, new_campaign, planned
from karat.service.combining import CombineRequest, combine
from karat.service.comparing import CompareRequest, PowerRequest, RankRequest, compare_systems, plan, rank_systems
from karat.service.coverage import CoverageRequest, cover
from karat.service.describing import describe_metrics
from karat.service.flaws import FlawsRequest, find_flaws
from karat.service.human import HumanRequest, analyse_ratings
from karat.service.inputs import CorpusFile, Files
from karat.service.meta import MetaRequest, evaluate_metrics
from karat.service.multi_reference import MultiReferenceRequest, multi_reference
from karat.service.pairwise import SimilarityRequest, compare_systems_pairwise
from karat.service.reading import ReadingRequest, choose_segments
from karat.service.reporting import ReportRequest, report
from karat.service.requests import EvidenceRequest, GoldRequest
from karat.service.scoring import ScoreRequest, score_systems
from karat.service.tuning import TuningRequest, tune
from karat.service.vocabulary.metrics import Meteor
from karat.service.word_tags import WordTagsRequest, judge_tags
from karat.significance import Options

NASTY = "<b>a_1 & co</b>"
CORPUS, RATINGS = str(sample_path("corpus.jsonl")), str(sample_path("ratings.tsv"))
TEXTS = Files(
    (str(sample_path("refA.en.txt")), str(sample_path("refB.en.txt"))),
    ((NASTY, str(sample_path("neural.txt"))), ("literal", str(sample_path("literal.txt")))),
)
EVIDENCE = EvidenceRequest(texts=TEXTS, metrics=("chrf",))
QUICK = Options(n=50)
FEW = Resamples(n=50)


def rating_file(directory: Path) -> str:
    """Ratings of a system with a nasty name."""
    values = {NASTY: (5, 4, 5, 4), "literal": (2, 3, 1, 2)}
    rows = [f"r{i % 2},{name},{i},da,overall,{v}" for name, of in values.items() for i, v in enumerate(of, 1)]
    path = directory / "ratings.csv"
    path.write_text("\n".join(["rater,system,segment,protocol,criterion,value", *rows]), encoding="utf-8")
    return str(path)


def word_tags(directory: Path) -> Result:
    (directory / "tags").write_text("OK BAD OK\n", encoding="utf-8")
    return judge_tags(WordTagsRequest(gold=str(directory / "tags"), predicted=((NASTY, str(directory / "tags")),)))


def converted(_: Path) -> Result:
    skipped = (BadRow("x.tsv", 3, "value", "101 is out of range"),)
    done = {"files": {"": b""}, "count": 2, "skipped": skipped, "unfit": (), "lost": {NASTY: 3}}
    return ConvertResult(file="x.tsv", read_as="tsv", written_as="csv", **done)


def tuned(_: Path) -> Result:
    request = {"judgements": RATINGS, "criterion": "adequacy", "starts": 1}
    return tune(TuningRequest(texts=CorpusFile(CORPUS), metric=Meteor(), **request))


def combined(_: Path) -> Result:
    texts = CorpusFile(CORPUS)
    return combine(CombineRequest(texts=texts, ratings=RATINGS, metrics=("chrf", "ter"), criterion="adequacy", folds=2))


RATER = RaterStatus(rater="rater-1", done=2, planned=5, seen=1_700_000_000.0, withdrawn=False)


def campaign(directory: Path) -> Result:
    request = NewCampaignRequest(directory=str(directory / "mine"), texts=TEXTS, protocol="da", raters=3)
    return planned(new_campaign(request))


MADE: dict[str, tuple[Callable[[Path], Result], int]] = {
    "scores": (lambda _: score_systems(ScoreRequest(texts=TEXTS, metrics=("chrf", "ter"))), 4),
    "compare": (lambda _: compare_systems(CompareRequest(evidence=EVIDENCE, options=QUICK)), 1),
    "rank": (lambda _: rank_systems(RankRequest(evidence=EVIDENCE, options=QUICK)), 2),
    "power": (lambda _: plan(PowerRequest(evidence=EVIDENCE)), 1),
    "human": (lambda d: analyse_ratings(HumanRequest(paths=(rating_file(d),), plan=AnalysisPlan(n=50))), 2),
    "meta": (
        lambda d: evaluate_metrics(
            MetaRequest(
                evidence=EvidenceRequest(texts=TEXTS, metrics=("chrf",), gold=GoldRequest(paths=(rating_file(d),)))
            )
        ),
        0,
    ),
    "coverage": (lambda _: cover(CoverageRequest(texts=TEXTS, max_order=2)), 0),
    "multi-reference": (
        lambda d: multi_reference(MultiReferenceRequest(texts=TEXTS, ratings=rating_file(d), metrics=("chrf",))),
        0,
    ),
    "word-tags": (word_tags, 1),
    "convert": (converted, 1),
    "tune": (tuned, 2),
    "combine": (combined, 0),
    "metrics": (lambda _: describe_metrics("chrf"), 1),
    "buckets": (lambda _: analyse_buckets(BucketsRequest(evidence=EVIDENCE, resamples=FEW)), 0),
    "words": (lambda _: analyse_words(WordsRequest(texts=TEXTS, resamples=FEW)), 0),
    "ngrams": (lambda _: analyse_ngrams(NgramsRequest(texts=TEXTS, resamples=FEW)), 0),
    "errors": (lambda _: analyse_errors(ErrorsRequest(texts=TEXTS, resamples=FEW)), 0),
    "findings": (lambda _: find_flaws(FlawsRequest(texts=TEXTS)), 0),
    "segments": (lambda _: choose_segments(ReadingRequest(texts=TEXTS)), 0),
    "all analyses": (lambda _: analyse_all(AllAnalysesRequest(evidence=EVIDENCE, resamples=FEW)), 0),
    "audit": (lambda _: audit(AuditRequest(texts=TEXTS)), 0),
    "report": (lambda _: report(ReportRequest(evidence=EVIDENCE, options=QUICK)), 2),
    "kinds": (lambda _: report(ReportRequest(evidence=EVIDENCE, options=QUICK)).looks["kinds"], 0),
    "mbr": (lambda _: karat.mbr([["a b c", "a b c d", "x"], ["e f", "e f g h", "y"]]), 2),
    "pairwise": (lambda _: compare_systems_pairwise(SimilarityRequest(texts=TEXTS)), 0),
    "campaign": (campaign, 3),
    "campaign status": (lambda _: StatusResult(name=NASTY, raters=(RATER,)), 1),
    "campaign links": (lambda _: LinksResult(name=NASTY, address="http://127.0.0.1:1", links=((1, "s"), (2, None))), 2),
    "campaign copy": (lambda _: CopyResult(name=NASTY, file=f"{NASTY}.sqlite", size=4096), 1),
    "campaign password": (lambda _: PasswordResult(name=NASTY), 1),
    "estimate": (lambda _: karat.bootstrap(karat.score(["a b c", "b"] * 5, ["a b d", "b"] * 5, "chrf")[0], n=50), 1),
}
WITHOUT_SYSTEMS = {"meta", "tune", "combine", "metrics", "estimate", "mbr", "campaign"}
"""Results that do not name the system."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    return {name: make(tmp_path_factory.mktemp("result")) for name, (make, _) in MADE.items()}


def test_every_kind_of_result_is_made_here(results: dict[str, Result]) -> None:
    kinds = {kind for kind in known_kinds(Result) if kind.__module__.startswith("karat.")}
    assert kinds - {TestedResult} == {type(result) for result in results.values()}


def known_kinds(kind: type) -> set[type]:
    return {*kind.__subclasses__(), *(deeper for below in kind.__subclasses__() for deeper in known_kinds(below))}


@pytest.mark.parametrize("name", MADE)
def test_notebooks_show_every_table_and_no_markup_of_names(name: str, results: dict[str, Result]) -> None:
    page = results[name]._repr_html_()
    assert page.count("<table>") == page.count("</table>") == len(results[name].tables())
    assert "<b>" not in page
    assert ("&lt;b&gt;a_1 &amp; co" in page) == (name not in WITHOUT_SYSTEMS)


@pytest.mark.parametrize("name", MADE)
def test_latex_has_every_table_and_escapes_names(name: str, results: dict[str, Result]) -> None:
    text = results[name].to_latex()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len(results[name].tables())
    assert "a_1" not in text
    assert (r"\textless{}b\textgreater{}a\_1 \& co" in text) == (name not in WITHOUT_SYSTEMS)


@pytest.mark.parametrize("name", MADE)
def test_data_frames_hold_the_records(name: str, results: dict[str, Result]) -> None:
    result = results[name]
    records = result.records()
    assert len(records) >= MADE[name][1]
    assert not MADE[name][1] or len(records) == MADE[name][1]
    names = list(dict.fromkeys(name for record in records for name in record))
    assert result.to_polars().rows(named=True) == [{name: record.get(name) for name in names} for record in records]
    frame = result.to_pandas()
    assert list(frame.columns) == names
    assert len(frame) == len(records)


@pytest.mark.parametrize("name", MADE)
def test_json_has_the_list_that_records_come_from(name: str, results: dict[str, Result]) -> None:
    result = results[name]
    document = result.to_json()
    if isinstance(result, AllAnalysesResult):  # its records are those of its parts
        assert all(isinstance(document[name][part.records_of], list) for name, part in result.parts.items())
    else:
        assert isinstance(document[result.records_of], list)


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("kept", [copy, deepcopy, lambda result: pickle.loads(pickle.dumps(result))])
def test_a_result_can_be_copied_and_pickled(
    kept: Callable[[Result], Result], name: str, results: dict[str, Result]
) -> None:
    result = results[name]
    result.to_json()  # fills whatever is kept for a second use
    again = kept(result)
    assert type(again) is type(result)
    assert repr(again.to_json()) == repr(result.to_json())
    assert str(again) == str(result)


@pytest.mark.parametrize("name", MADE)
def test_a_result_is_short_at_the_prompt_and_whole_in_print(name: str, results: dict[str, Result]) -> None:
    result = results[name]
    prompt, printed = repr(result).splitlines(), str(result)
    assert prompt[0].startswith(type(result).__name__)
    assert 2 <= len(prompt) <= 14
    assert max(map(len, prompt)) <= 120
    for table in result.tables():
        assert all(cell.text in printed for row in table.rows for cell in row)


def test_a_long_result_is_cut_at_the_prompt() -> None:
    scores = karat.score({f"system {i}": ["a b c", "b"] for i in range(40)}, ["a b d", "b"], ["bleu", "chrf", "ter"])
    found = karat.compare(scores, n=20)
    for shown in (scores, found, karat.rank(scores, n=20)):
        assert len(repr(shown)) < 1500
        assert "more" in repr(shown).splitlines()[-1]
    assert str(found).count("system 39") >= 3
    for one in (scores[0], found[0], karat.rank(scores[:6], n=20).ranking[0], scores[0].identity):
        assert len(repr(one)) < 250
        assert "\n" not in repr(one)


def test_an_estimate_has_its_value_and_its_interval() -> None:
    estimate = karat.bootstrap([3, 4, 2, 5, 3, 4] * 10, n=200)
    (record,) = estimate.records()
    assert record["score"] == estimate.value == 3.5
    assert (record["interval_low"], record["interval_high"]) == (estimate.interval.low, estimate.interval.high)
    assert (estimate.unit, estimate.units, estimate.n, estimate.seed) == ("segment", 60, 200, 12345)
    assert estimate.mean == pytest.approx(3.5, abs=0.1)
    assert record["standard_error"] == estimate.standard_error > 0
    assert "[3." in repr(estimate)


def test_few_units_are_a_warning_of_an_estimate() -> None:
    estimate = karat.bootstrap([1.0, 2.0, 3.0], n=20)
    assert "only 3 segments" in estimate.to_json()["warnings"][0]["message"]


def test_digits_are_those_asked_for(results: dict[str, Result]) -> None:
    scored = results["scores"]
    (score, *_) = scored.records()
    assert f"{score['score']:.4f}" in scored.to_latex(digits=4)
    assert f"{score['score']:.4f}" not in scored.to_latex()


def test_scores_from_python_show_themselves() -> None:
    scores = karat.score({NASTY: ["a b c d", "e f"], "b": ["a b c", "e g"]}, ["a b c d", "e f"], ["chrf", "ter"])
    assert "&lt;b&gt;a_1" in scores._repr_html_()
    assert scores.to_polars()["score"].to_list() == scores.to_pandas()["score"].tolist() == [s.score for s in scores]
    assert r"a\_1" in scores.to_latex()
    assert len(scores.to_json()["scores"]) == 4


def test_comparisons_from_python_are_a_sequence() -> None:
    found = karat.compare({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 3.0, 3.0, 5.0], "c": [0.0, 1.0, 2.0, 1.0]})
    assert isinstance(found, CompareResult)
    assert len(found) == 2
    assert [pair.system for pair in found] == ["b", "c"] == [pair.system for pair in found[:]]
    assert found[-1] == found.comparisons[1]
    assert found[0] in found


def test_a_ranking_from_python_holds_places_and_pairs() -> None:
    found = karat.rank({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 3.0, 3.0, 5.0], "c": [0.0, 1.0, 2.0, 1.0]})
    assert isinstance(found, RankResult)
    assert [place.system for place in found.ranking] == ["b", "a", "c"]
    assert len(found.comparisons) == 3
    assert [record["system"] for record in found.records()] == ["b", "a", "c"]
    assert {record["units"] for record in found.records()} == {4}


def test_power_is_a_result_of_its_own(results: dict[str, Result]) -> None:
    power = results["power"]
    assert isinstance(power, PowerResult)
    assert power.records()[0]["needed_units"] >= 2
