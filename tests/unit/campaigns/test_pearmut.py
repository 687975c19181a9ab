"""Campaign files of Pearmut: what is taken of them, what is not, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from karat.campaigns.pearmut import PearmutCampaign, read_pearmut
from karat.corpus.files import InputFile
from karat.errors import InputError

INFO = {"assignment": "single-stream", "protocol": "DA", "users": 3}


def item(name: str, *systems: str, **more: Any) -> dict[str, Any]:
    return {"src": f"source of {name}", "tgt": {each: f"{name} by {each}" for each in systems}, "item_id": name} | more


def read(directory: Path, data: Any, info: dict[str, Any] = INFO, **more: Any) -> PearmutCampaign:
    path = directory / "pearmut.json"
    path.write_text(json.dumps({"info": info, "campaign_id": "try", "data": data} | more), encoding="utf-8")
    return read_pearmut(InputFile.of(str(path)))


def test_documents_for_all_users_are_taken_with_their_settings(tmp_path: Path) -> None:
    info = INFO | {"instructions": "Judge <b>all</b> of it.<br>Be fair &amp; calm.", "docs_per_user": 3}
    found = read(tmp_path, [[item("1", "a", "b"), item("2", "a", "b", ref="right")], [item("3", "a", "b")]], info)
    assert (found.protocol, found.unit, found.raters, found.judgements) == ("da", "document", 3, 1)
    assert found.guidelines == "Judge all of it.\nBe fair & calm."
    assert [(segment.name, segment.document) for segment in found.material.segments] == [
        ("1", "document-1"),
        ("2", "document-1"),
        ("3", "document-2"),
    ]
    assert found.material.segment("2").reference == "right"
    assert found.material.segment("3").outputs == {"a": "3 by a", "b": "3 by b"}
    assert found.left == ("info.docs_per_user",)


def test_what_each_user_gets_is_put_together(tmp_path: Path) -> None:
    info = {"assignment": "task-based", "protocol": "cESA"}
    first, second = [[item("1", "a"), item("2", "a")], [item("3", "b")]], [[item("1", "b", "a")]]
    found = read(tmp_path, [first, second], info)
    assert (found.protocol, found.raters, found.judgements) == ("esa", 2, 2)
    assert found.material.segment("1").outputs == {"a": "1 by a", "b": "1 by b"}
    assert list(found.material.segment("2").outputs) == ["a"]
    assert {segment.document for segment in found.material.segments} == {"document-1", "document-2"}


def test_own_sliders_are_scales_where_nothing_else_is_asked(tmp_path: Path) -> None:
    sliders = [{"name": "Fluency", "min": 0, "max": 5, "step": 1}, {"name": "XSTS", "min": 1, "max": 5, "step": 0.5}]
    found = read(tmp_path, [[item("1", "a")]], INFO | {"sliders": sliders})
    assert (found.protocol, found.scales) == ("custom", (("Fluency", 0.0, 5.0), ("XSTS", 1.0, 5.0)))
    unknown = read(tmp_path, [[item("1", "a")]], INFO | {"protocol": "XSTSRP", "sliders": sliders})
    assert unknown.protocol == "custom"
    esa = read(tmp_path, [[item("1", "a")]], INFO | {"protocol": "ESA", "sliders": sliders})
    assert (esa.protocol, esa.scales, esa.left) == ("esa", (), ("info.sliders",))


def test_items_with_right_answers_are_no_ordinary_work(tmp_path: Path) -> None:
    check = item("2", "a", validation={"a": {"score": [70, 80], "warning": "between 70 and 80"}}, skippable=True)
    spans = {"a": [{"start_i": 0, "end_i": 3, "severity": "minor"}]}
    other = check | {"src": "another text under the same name"}
    found = read(tmp_path, [[item("1", "a", error_spans=spans)], [check], [other]], data_welcome=[[check]])
    assert ([segment.name for segment in found.material.segments], found.judgements) == (["1"], 1)
    assert found.left == ("data_welcome", "documents with validation (2)", "error_spans of items")


def test_users_may_be_named_and_items_have_no_names(tmp_path: Path) -> None:
    found = read(tmp_path, [[{"tgt": {"a": "x"}}, {"tgt": {"a": "y"}}]], INFO | {"users": ["ann", "bob"]})
    assert found.raters == 2
    assert [segment.name for segment in found.material.segments] == ["1.1", "1.2"]
    assert read(tmp_path, [[item("1", "a")]], INFO | {"users": None}).raters is None


@pytest.mark.parametrize(
    ("data", "info", "message"),
    [
        ({}, INFO, 'that is an object with "info" and "data"'),
        ([], INFO, "has no items to judge"),
        ([[item("1", "a")]], INFO | {"assignment": "task-based"}, "task 1 of data: this is no list of documents"),
        ([["x"]], INFO, "task 1 of data: this is no list of documents"),
        ([[item("1", "a")]], INFO | {"protocol": "SQM"}, "the protocol is 'SQM'; karat knows"),
        ([[item("1")]], INFO, "item '1': tgt must be an object"),
        ([[item("1", "a", tgt={"a": 3})]], INFO, "item '1': tgt of a is no text"),
        ([[item("1", "a", src=["x"])]], INFO, "item '1': src is no text"),
        ([[item("1", "a")], [item("1", "a", src="other")]], INFO, "the item '1' is there twice, with another source"),
        ([[item("1", "a")], [item("1", tgt={"a": "z"})]], INFO, "the item '1' is there twice, with another a"),
        ([[item("1", "a")]], INFO | {"sliders": [{"name": "x", "min": 0}]}, "a slider has a name, a min and a max"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, data: Any, info: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, data, info)
    assert message in str(caught.value)


def test_what_is_no_json_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="is not JSON"):
        read_pearmut(InputFile.of(str(tmp_path / "x.json")))
