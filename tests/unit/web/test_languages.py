"""The page's words: which language is taken, what a file of messages may say, and that English fits the protocols."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")

from tests.unit.campaigns.campaign_of import only_scales

from karat.corpus.ratings.protocols import protocol, protocol_names
from karat.errors import InputError
from karat.web.languages import Languages

ENGLISH = Languages.known().messages("en")


def with_messages(directory: Path, **messages: object) -> Languages:
    (directory / "messages.de.json").write_text(json.dumps(messages), encoding="utf-8")
    return Languages.known(directory)


@pytest.mark.parametrize(
    ("wish", "accepted", "language"),
    [
        (None, None, "en"),
        ("de", None, "de"),
        ("DE-at", "en", "de"),
        ("xx", "de", "de"),
        (None, "fr, de;q=0.5, en;q=0.7", "en"),
        (None, "de-CH,en;q=0.9", "de"),
        ("../../secret", "*;q=no, ;;", "en"),
    ],
)
def test_the_first_language_that_is_there_is_taken(
    wish: str | None, accepted: str | None, language: str, tmp_path: Path
) -> None:
    assert with_messages(tmp_path, submit="Absenden").chosen(wish, accepted) == language


def test_what_is_not_translated_is_english_and_plurals_are_not_mixed(tmp_path: Path) -> None:
    messages = with_messages(tmp_path, **{"submit": "Absenden", "minutes.other": "{count} min"}).messages("de")
    assert messages["submit"] == "Absenden"
    assert messages["back"] == ENGLISH["back"]
    assert "minutes.one" not in messages


@pytest.mark.parametrize(
    ("messages", "complaint"),
    [
        ({"sumbit": "Absenden"}, "Did you mean submit"),
        ({"submit": "{name} absenden"}, "'submit' has a place for name"),
        ({"submit": 3}, "one object of texts"),
        ({"minutes": "{count}"}, "no message 'minutes'"),
    ],
)
def test_a_file_that_the_page_cannot_use_is_refused(
    messages: dict[str, object], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"messages\.de\.json") as refused:
        with_messages(tmp_path, **messages)
    assert complaint in str(refused.value)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "messages.de.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"messages\.de\.json cannot be read as JSON"):
        Languages.known(tmp_path)


def test_labels_in_english_are_those_of_the_protocols() -> None:
    expected = {
        f"label.{name}.{criterion}.{value:g}": label
        for name in protocol_names()
        if only_scales(name)
        for criterion, scale in protocol(name).scales.items()
        for value, label in scale.labels
    }
    shipped = {name: text.format(target="English") for name, text in ENGLISH.items() if name.startswith("label.")}
    assert shipped == expected


def test_every_criterion_that_can_be_asked_for_has_a_question() -> None:
    criteria = {
        criterion
        for name in protocol_names()
        if only_scales(name)
        for criterion, scale in protocol(name).scales.items()
        if criterion != "z"
    }
    assert {f"{kind}.{name}" for name in criteria for kind in ("criterion", "question")} <= ENGLISH.keys()


def test_the_english_words_can_be_printed_to_begin_a_translation() -> None:
    command = [sys.executable, "-m", "karat.web.languages"]
    printed = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8").stdout
    assert json.loads(printed) == ENGLISH


def test_the_example_of_the_documentation_is_taken(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "how-to" / "campaign-languages.md"
    example = re.search(r"```json\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    assert with_messages(tmp_path, **json.loads(example[1])).messages("de")["submit"] == "Absenden"
