"""A page is one file that fetches nothing, runs nothing but its own script, and shows every text as text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape

from tests.pages import saved_records

import karat
from karat.report.page.parts import Exhibit, Made, Page, Section, slug
from karat.report.page.shell import inline_json, joined, render
from karat.report.svg import Bands, Drawing, LogAxis, resolved
from karat.report.table import Cell, Table

CANARIES = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--",
    '" onmouseover="alert(1)',
    "javascript:alert(1)",
    "a\u2028b",
    "\u202eabc",
    "nul\x00",
    "\ud800",
    "=cmd()",
)


def page_of(*texts: str) -> str:
    rows = tuple((Cell(text), Cell(text, number=True, mark=text)) for text in texts)
    table = Table(texts[:2], rows, notes=texts, title=texts[0], remarks=texts)
    section = Section("part", texts[0], texts, exhibits=(Exhibit("table", table),), notes=texts)
    return render(Page(texts[0], Made(command=texts[0], warnings=texts), sections=(section,)))


def test_texts_stay_texts() -> None:
    page = page_of(*CANARIES)
    assert "<script>alert" not in page
    assert 'onmouseover="alert' not in page
    assert page.count("</script>") == len(re.findall(r"<script[ >]", page))
    assert "\x00" not in page
    assert "\u202e" not in page
    assert r"\u202eabc" in page
    assert r"\ud800" in page
    page.encode()


def test_what_is_saved_is_what_was_given() -> None:
    page = page_of(*CANARIES)
    assert [record[CANARIES[0]] for record in saved_records(page, "table")] == list(CANARIES)


def test_the_policy_allows_what_is_in_the_page_and_nothing_else() -> None:
    page = page_of("a", "b")
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    for text in (style, script):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in unescape(policy)
    assert "default-src 'none'" in unescape(policy)
    assert not re.search(r"\s(style|on\w+)=", re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL))
    assert not re.search(r'(src|href)="(?!#)', page)


def test_scripts_are_joined_in_the_order_of_their_names_and_end_no_element() -> None:
    script = joined("scripts", ".js")
    assert script.startswith('"use strict";')
    assert "</script" not in script
    assert "<!--" not in script


def test_json_in_a_page_ends_no_element() -> None:
    assert json.loads(inline_json({"a": "</script><!--&"})) == {"a": "</script><!--&"}
    assert not set("<>&") & set(inline_json("</script><!--&"))


def test_ids_are_apart_even_where_names_look_alike() -> None:
    assert len({slug(text) for text in ("a b", "a-b", "a  b", "A b", "ä b", "")}) == 6


def test_a_drawing_by_itself_has_its_colours() -> None:
    drawing = Drawing(10, 10, "title", description="what it shows")
    drawing.whisker(1, 9, 5, "var(--blue, #1f6feb)")
    drawing.circle(5, 5, 2, "var(--blue, #1f6feb)", "five", hollow=True)
    assert "var(" not in drawing.render()
    assert "<desc>what it shows</desc>" in drawing.render()
    embedded = drawing.embedded("chart")
    assert 'aria-labelledby="chart-title chart-desc"' in embedded
    assert resolved(embedded).count("#1f6feb") == 2


def test_scales_of_powers_and_of_names() -> None:
    axis = LogAxis.over([3, 4000], 0, 400)
    assert axis.ticks() == [1, 10, 100, 1000, 10000]
    assert [axis(value) for value in (1, 100, 10000)] == [0, 200, 400]
    bands = Bands(("a", "b", "c", "d"), 0, 100)
    assert [bands(name) for name in bands.names] == [12.5, 37.5, 62.5, 87.5]


def test_a_page_of_a_ranking_has_its_numbers() -> None:
    result = karat.rank({"new": [4, 4, 3, 5, 4, 5] * 5, "old": [3, 4, 2, 5, 3, 4] * 5})
    page = result.to_html()
    assert "new is better than old under scores." in page
    (pair,) = result.to_json()["comparisons"]
    (record,) = saved_records(page, "forest-0-0-numbers")
    sign = 1 if record["baseline"] == pair["baseline"] else -1
    assert record["difference"] == sign * pair["difference"]
    assert sorted([sign * record["interval_low"], sign * record["interval_high"]]) == pair["interval"]


def test_names_from_right_to_left_keep_their_places() -> None:
    hebrew, other = "\u05d0\u05d1", "\u05d2"
    table = Table(("System", f"{hebrew} {other}"), ((Cell(f"{hebrew} > {other}", apart=True), Cell("1", number=True)),))
    page = render(Page("Canaries", Made(), sections=(Section("part", "Part", exhibits=(Exhibit("table", table),)),)))
    assert f"<bdi>{hebrew}</bdi> &gt; <bdi>{other}</bdi>" in page
    drawing = Drawing(10, 10, f"{hebrew}: 1 to 2")
    assert f"<title>\u2068{hebrew}\u2069: 1 to 2</title>" in drawing.render()
