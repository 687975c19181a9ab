"""Every measure has a page, and every page cites something that exists."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from karat.meta import MEASURES

DOCS = Path(__file__).parents[2] / "docs"
LISTED = tomllib.loads((DOCS / "measures.toml").read_text(encoding="utf-8"))["measure"]


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_is_documented(name: str) -> None:
    assert (DOCS / "measures" / f"{name.removesuffix('-plain')}.md").is_file()


@pytest.mark.parametrize("one", LISTED, ids=lambda one: str(one["name"]))
def test_citations_exist(one: dict[str, str]) -> None:
    assert f"{{{one['citation']}," in (DOCS / "references.bib").read_text(encoding="utf-8")
