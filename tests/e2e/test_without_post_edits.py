"""What asks for post-edits where there are none says so."""

from __future__ import annotations

import json

import pytest
from tests.e2e.commands import REFERENCE, karat, sample_file

pytestmark = pytest.mark.contained

OUTPUT = sample_file("neural")


def _said(*arguments: str) -> list[str]:
    done = karat("score", "-r", REFERENCE, OUTPUT, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return [warning["message"] for warning in json.loads(done.stdout)["warnings"] if warning["code"] == "no-post-edits"]


def test_hter_against_references_warns_that_it_may_be_ter() -> None:
    (message,) = _said("-m", "hter", "-m", "ter")
    assert message.startswith("hter: no text here is a post-edit")
    assert "this is TER" in message
    assert not _said("-m", "ter")


def test_post_edits_beside_references_warn_where_there_are_none() -> None:
    (message,) = _said("-m", "ter", "--post-edits", "beside")
    assert message.startswith("--post-edits beside: there are no post-edits")
