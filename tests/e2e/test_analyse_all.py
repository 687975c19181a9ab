"""`karat analyse all` on the sample, against a file; KARAT_GOLDEN=write writes it anew."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tests.contract.commands import run

from karat.sample import path as sample_path

GOLDEN = Path(__file__).parents[1] / "golden" / "analyse-all.json"
ARGUMENTS = ("--corpus", str(sample_path("corpus.jsonl")), "-m", "chrf", "--top", "2", "-n", "200")
DIGITS = 8


def rounded(value: Any) -> Any:
    """Numbers to so many digits, so that processors may differ in the last ones; versions are left out."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items() if name not in ("signature", "warnings")}
    return [rounded(inner) for inner in value] if isinstance(value, list) else value


def analysed(*more: str) -> dict[str, Any]:
    outcome = run("analyse", "all", *ARGUMENTS, *more, "--json")
    assert outcome.code == 0, outcome.err
    document: dict[str, Any] = rounded(json.loads(outcome.out))
    return document


def test_the_sample_gives_what_it_gave() -> None:
    found = analysed()
    if os.environ.get("KARAT_GOLDEN") == "write":
        lines = json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("},{", "},\n{")
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(lines + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_all_has_what_each_analysis_has_by_itself() -> None:
    found = analysed()
    words = run("analyse", "words", "--corpus", ARGUMENTS[1], "-n", "200", "--json")
    alone = rounded(json.loads(words.out))
    assert {name: value for name, value in alone.items() if name != "schema"} == found["words"]
    assert set(found) == {"schema", "buckets", "words", "ngrams", "errors", "findings", "segments"}


def test_threads_change_nothing() -> None:
    assert analysed("-j", "1") == analysed("-j", "2")
