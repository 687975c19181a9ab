"""Tags of words from files: what is not defined is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.service.word_tags import WordTagsRequest, judge_tags


@pytest.mark.parametrize(
    ("gold", "predicted", "blamed"),
    [("OK BAD OK", "OK OK OK", "mine have"), ("OK OK OK", "OK BAD OK", "the true tags have")],
)
def test_a_correlation_without_a_value_is_warned_of(gold: str, predicted: str, blamed: str, tmp_path: Path) -> None:
    for name, tags in (("gold", gold), ("mine", predicted)):
        (tmp_path / name).write_text(f"{tags}\n", encoding="utf-8")
    request = WordTagsRequest(gold=str(tmp_path / "gold"), predicted=(("mine", str(tmp_path / "mine")),))
    (warning,) = judge_tags(request).warnings
    assert (warning.code, warning.system) == ("undefined", "mine")
    assert f"for {blamed} one kind of tag only" in warning.message


def test_a_correlation_with_a_value_is_not(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("OK BAD OK\n", encoding="utf-8")
    (tmp_path / "mine").write_text("OK BAD BAD\n", encoding="utf-8")
    request = WordTagsRequest(gold=str(tmp_path / "gold"), predicted=(("mine", str(tmp_path / "mine")),))
    result = judge_tags(request)
    assert not result.warnings
    assert result.systems["mine"].mcc == pytest.approx(0.5)
