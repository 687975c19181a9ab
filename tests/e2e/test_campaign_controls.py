"""Control items over HTTP: told at once where they are loud, and like any other task until then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")

from tests.contract.commands import run
from tests.e2e.campaign_server import Device, served
from tests.e2e.test_campaign import good, write_texts

GOLD = """
[[gold]]
segment = "1"
system = "canary-alpha"
values = {adequacy = 5}
translation = "a translation that only gold has"
explanation = "Everything is there."
"""


def made_loud(directory: Path, loud: str) -> Path:
    """A campaign of one rater with gold."""
    outcome = run("campaign", "new", str(directory / "mine"), *write_texts(directory), "--raters", "1")
    assert outcome.code == 0, outcome.err
    plan = directory / "mine" / "campaign.toml"
    text = plan.read_text(encoding="utf-8").replace("[controls]", f"[controls]\nloud = {loud}")
    plan.write_text(text + GOLD, encoding="utf-8")
    return directory / "mine"


def rated(directory: Path, values: dict[str, float]) -> list[tuple[str, Any, Any]]:
    """Each translation, its task as it came, and what was told of its answer."""
    told = []
    with served(directory) as running:
        device = Device.of(running.links[1])
        while (task := device.next()) is not None:
            status, kept = device.submit(task, values)
            assert status == 200
            again = device.get(f"/api/tasks/{task['public']}")[1]
            assert again["feedback"] == kept["feedback"]
            told.append((task["parts"][0]["translation"], task, kept["feedback"]))
    return told


def test_a_loud_item_is_told_at_once_and_looks_like_others_until_then(tmp_path: Path) -> None:
    told = rated(made_loud(tmp_path, '["gold"]'), {"fluency": 5, "adequacy": 1})
    assert {feedback is not None for text, _, feedback in told if "only gold" in text} == {True}
    assert [feedback for text, _, feedback in told if "only gold" not in text] == [None] * 8
    (rater,) = good("campaign", "status", str(tmp_path / "mine"))["raters"]
    assert (rater["passed"], rater["failed"]) == (0, 1)
    (feedback,) = (feedback for _, _, feedback in told if feedback is not None)
    assert feedback == {"passed": False, "explanation": "Everything is there.", "expected": None}
    assert len({tuple((name, type(value)) for name, value in task.items()) for _, task, _ in told}) == 1


def test_a_right_answer_is_told_without_an_explanation_and_a_silent_item_not_at_all(tmp_path: Path) -> None:
    for loud, wanted in (('["gold"]', {"passed": True, "explanation": None, "expected": None}), ("[]", None)):
        place = tmp_path / str(len(loud))
        place.mkdir()
        told = rated(made_loud(place, loud), {"fluency": 1, "adequacy": 5})
        assert [feedback for text, _, feedback in told if "only gold" in text] == [wanted]
