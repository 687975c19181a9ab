"""Every measure has a page, and every page cites something that exists."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from karat.human.agreement.base import described, statistics
from karat.meta import all_measures

DOCS = Path(__file__).parents[2] / "docs"
LISTED = tomllib.loads((DOCS / "measures.toml").read_text(encoding="utf-8"))["measure"]
CITATIONS = {name: measure.citation for name, measure in all_measures().items()}
CITATIONS |= {described(statistic).name: described(statistic).citation for statistic in statistics().values()}
CITATIONS |= {entry["name"]: entry["citation"] for entry in LISTED}


@pytest.mark.parametrize("name", CITATIONS)
def test_every_measure_is_documented(name: str) -> None:
    assert (DOCS / "measures" / f"{name}.md").is_file()


def test_every_page_is_of_a_measure() -> None:
    assert {page.stem for page in (DOCS / "measures").glob("*.md")} == {*CITATIONS, "index"}


@pytest.mark.parametrize("name", CITATIONS)
def test_citations_exist(name: str) -> None:
    assert f"{{{CITATIONS[name]}," in (DOCS / "references.bib").read_text(encoding="utf-8")
