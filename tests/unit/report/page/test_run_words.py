"""What is said first of several runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from karat.report.page.run_words import runs_headline


def pair(better: str | None, low: float = 1, high: float = 2, *, significant: bool = True) -> Any:
    interval = SimpleNamespace(low=low, high=high)
    return SimpleNamespace(system="new", baseline="old", better=better, interval=interval, significant=significant)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (
            {"BLEU": pair("new"), "TER": pair("new", -2, -1)},
            "These runs of new are better than these of old under BLEU and TER.",
        ),
        (
            {"BLEU": pair("new"), "TER": pair("old")},
            "These runs of new are better than these of old under BLEU; "
            "these runs of old are better than these of new under TER.",
        ),
        (
            {"BLEU": pair("new"), "TER": pair("new", -1)},
            "These runs of new are better than these of old under BLEU; under TER that is not shown.",
        ),
        (
            {"BLEU": pair("new", significant=False)},
            "No difference between these runs of new and old is shown under BLEU.",
        ),
    ],
)
def test_the_headline_holds_what_every_test_and_interval_hold(pairs: dict[str, Any], said: str) -> None:
    assert runs_headline(pairs) == said
