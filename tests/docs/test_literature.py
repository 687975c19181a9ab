"""The page of the literature: nothing is promised that is not there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from karat.registry import metric

DOCS = Path(__file__).parents[2] / "docs"
CONTENT = tomllib.loads((DOCS / "literature.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", CONTENT["entry"], ids=lambda entry: str(entry["name"]))
def test_an_entry_has_metrics_or_a_reason(entry: dict[str, list[str]]) -> None:
    assert ("specs" in entry) != ("reason" in entry)
    assert set(entry["named_by"]) <= set(CONTENT["sources"])
    for spec in entry.get("specs", ()):
        page = DOCS / "metrics" / f"{metric(spec).name}.md"
        assert page.is_file()
        assert f"[`{spec}`](metrics/{page.name})" in (DOCS / "literature.md").read_text(encoding="utf-8")
