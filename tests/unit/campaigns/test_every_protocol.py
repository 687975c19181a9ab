"""Each protocol from the campaign file to the statistics: made, filled in, rated over HTTP, analysed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.unit.campaigns.every_protocol import NAMES, SYSTEMS, corpus_file, made

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

from karat.campaigns.collected import collected
from karat.campaigns.files import read_campaign
from karat.corpus.ratings import read_ratings
from karat.corpus.ratings.protocols import protocol
from karat.errors import ProblemsError
from karat.service import organising
from karat.service.inputs import CorpusFile
from karat.service.ratings import ratings_of


def test_every_protocol_is_collected() -> None:
    assert len(NAMES) == 25
    assert {widget for name in NAMES for widget in collected(name).widgets} == {
        *("points", "slider", "choice", "ranking", "spans", "text")
    }


SCORES: dict[str, dict[str, list[float]]] = {
    "adequacy-fluency": {"fluency": [1, 2, 3], "adequacy": [1, 2, 3]},
    "catastrophic": {"catastrophic": [0, 1, 2]},
    "comprehension": {"comprehension": [1, 0, 0]},
    "custom": {"politeness": [1, 2, 3]},
    "da": {"overall": [0, 1, 2]},
    "da-sqm": {"overall": [0, 1, 2]},
    "effort": {"effort": [1, 2, 3]},
    "error-types": {"penalty": [0, 1, 1]},
    "esa": {"overall": [0, 1, 2]},
    "extraction": {"who": [1, 0, 0], "when": [1, 0, 0], "where": [1, 0, 0]},
    "fidelity": {"fidelity": [0, 1, 2]},
    "four-level-adequacy": {"adequacy": [1, 2, 3]},
    "fragment-adequacy": {"adequacy": [1, 2, 3]},
    "informativeness": {"informativeness": [1, 0, 0]},
    "intelligibility": {"intelligibility": [1, 2, 3]},
    "mqm": {"penalty": [0, 5, 5]},
    "post-edit": {"hter": [0, 0.2, 0.4]},
    "question-answering": {"answers": [1, 0, 0]},
    "sqm": {"overall": [0, 1, 2]},
    "task": {criterion: [0, 1, 1] for criterion in protocol("task").scales},
    "word-tags": {"target": [0, 1 / 11, 1 / 11]},
}
"""What `karat human` must find for the three systems, as the rater answers."""


@pytest.mark.parametrize("name", sorted(SCORES))
def test_a_campaign_comes_to_the_right_statistics(name: str, rated: Any) -> None:
    found = rated(name).analysis.criteria
    assert {each.protocol for each in found} == {name}
    scores = {each.criterion: {one.system: one.score for one in each.systems} for each in found}
    expected = {criterion: dict(zip(SYSTEMS, row, strict=True)) for criterion, row in SCORES[name].items()}
    assert scores == {criterion: pytest.approx(row) for criterion, row in expected.items()}


def test_rankings_put_systems_in_order(rated: Any) -> None:
    (found,) = rated("ranking").analysis.criteria
    assert (found.protocol, found.kind) == ("ranking", "pairs")
    assert [(one.system, one.details["wins"]) for one in found.systems] == [("good", 4), ("bad", 2), ("worse", 0)]


def test_preferences_are_wins(rated: Any) -> None:
    (found,) = rated("preference").analysis.criteria
    assert (found.protocol, found.kind) == ("preference", "pairs")
    rows = ratings_of(rated("preference").running).frame.filter(pl.col("label") != "tie")
    assert {one.system: one.details["wins"] for one in found.systems if one.details["wins"]} == {"good": len(rows)}


def test_every_pair_meets_about_as_often(rated: Any) -> None:
    ratings = ratings_of(rated("preference").running).frame
    assert len(ratings) == 2
    for row in ratings.iter_rows(named=True):
        places = [SYSTEMS.index(row["system"]), SYSTEMS.index(row["other_system"])]
        best = "tie" if min(places) > 0 else "first" if places[0] == 0 else "second"
        assert (row["label"], row["answer"]) == (best, "all are bad" if best == "tie" else None)
    met = {frozenset(pair) for pair in ratings.select("system", "other_system").iter_rows()}
    assert len(met) == 2


def test_translating_and_post_editing_are_timed_apart(rated: Any) -> None:
    found = {each.criterion: each for each in rated("productivity").analysis.criteria}
    assert [one.system for one in found["translation"].systems] == ["from scratch"]
    assert {one.system for one in found["post-editing"].systems} == set(SYSTEMS)
    assert found["translation"].systems[0].n == sum(one.n for one in found["post-editing"].systems) == 3
    assert found["translation"].systems[0].score == 1.0  # four seconds for four words
    assert {one.details["time_saved"] for one in found["post-editing"].systems} == {0.0}


def test_a_sheet_about_systems_names_none_of_them(rated: Any) -> None:
    campaign = rated("femti")
    assert {task["parts"][0]["title"] for task in campaign.tasks} == {f"program {name[::-1]}" for name in SYSTEMS}
    sheet = campaign.analysis.sheet
    assert {(row["system"], row["value"]) for row in sheet} == {(name, 1.0) for name in SYSTEMS}
    assert len(sheet) == 21


def test_texts_that_no_file_can_keep_make_no_campaign(tmp_path: Path) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_text(json.dumps({"segment": "s0", "source": "a\0b", "system:one": "c"}) + "\n", encoding="utf-8")
    with pytest.raises(ProblemsError, match=r"segment 's0' has a sign that is no text"):
        made("da", CorpusFile(str(file)), tmp_path)
    assert not (tmp_path / "da").exists()


@pytest.mark.parametrize("name", ["comprehension", "informativeness", "question-answering", "extraction", "femti"])
def test_what_is_left_to_write_is_told(name: str, tmp_path: Path) -> None:
    directory = made(name, corpus_file(tmp_path), tmp_path)
    with pytest.raises(ProblemsError) as caught:
        read_campaign(str(directory))
    words = "say what raters know" if name == "femti" else "it has no right answer"
    assert words in str(caught.value)


def test_a_log_of_post_editing_is_kept(rated: Any) -> None:
    rows = ratings_of(rated("post-edit").running).frame.filter(system="worse")
    assert set(rows["post_edit"]) == {"X X w0c w0d 2", "X X w1c w1d 2"}
    assert set(rows["keystrokes"]) == {7}
    assert set(rows["seconds"]) == {4.0}
    assert set(rows["extra:pauses"]) == {"[1.25]"}


def test_spans_and_score_are_one_judgement(rated: Any) -> None:
    rows = ratings_of(rated("esa").running).frame
    assert len(rows) == 6
    assert set(rows["criterion"]) == {"overall"}
    spans = dict(rows.select("system", "spans").iter_rows())
    assert [len(spans[name]) for name in SYSTEMS] == [0, 1, 1]
    span = {name: value for name, value in spans["bad"][0].items() if value is not None}
    assert span == {"start": 0, "end": 3, "side": "target", "severity": "major"}


def test_every_word_and_gap_has_a_tag(rated: Any) -> None:
    rows = ratings_of(rated("word-tags").running).frame
    tags = dict(rows.select("system", "label").iter_rows())
    assert tags["good"] == " ".join(["OK"] * 11)
    assert tags["bad"] == " ".join(["OK", "BAD", *["OK"] * 9])
    (found,) = rated("word-tags").analysis.criteria
    assert (found.higher_is_better, found.systems[0].system) == (False, "good")


def test_what_was_collected_is_written_and_read_as_ratings(rated: Any, tmp_path: Path) -> None:
    """What `karat campaign export` writes of any protocol is what `karat human` reads of it."""
    for name in NAMES:
        ratings = ratings_of(rated(name).running)
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(organising.exported_ratings(rated(name).running, "jsonl").files[""])
        assert read_ratings(str(file)).frame.equals(ratings.frame.select(read_ratings(str(file)).frame.columns)), name


FORMS = {
    "esa": {"pearmut": ".jsonl", "appraise": ".csv"},
    "mqm": {"pearmut": ".jsonl", "marot": ".tsv", "google-mqm": ".tsv", "mqm-offsets": ".tsv"},
    "ranking": {"wmt-ranking": ".csv"},
    "da": {"pearmut": ".jsonl", "appraise": ".csv", "wmt-da": ".csv"},
}
"""The forms of other tools that have a place for what was said."""


@pytest.mark.parametrize(("name", "form"), [(name, form) for name, forms in FORMS.items() for form in forms])
def test_forms_of_other_tools_are_read_back_to_the_same(name: str, form: str, rated: Any, tmp_path: Path) -> None:
    file = (tmp_path / "ratings").with_suffix(FORMS[name][form])
    file.write_bytes(organising.exported_ratings(rated(name).running, form).files[""])
    columns = ["rater", "system", "segment", "value"]
    kept, back = (
        each.frame.sort("system", "segment") for each in (ratings_of(rated(name).running), read_ratings(str(file)))
    )
    assert back.select(columns).equals(kept.select(columns))
    if form in ("pearmut", "marot", "google-mqm", "mqm-offsets") and name != "da":
        assert [len(spans) for spans in back["spans"]] == [len(spans) for spans in kept["spans"]]
        places = [[(span["start"], span["end"], span["severity"]) for span in spans] for spans in back["spans"]]
        assert places == [[(span["start"], span["end"], span["severity"]) for span in spans] for spans in kept["spans"]]
