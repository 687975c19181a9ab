"""How a report looks on paper, on a phone and with long names, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser import DESK, PHONE, SIZES, visit
from tests.e2e.report_pages import SAMPLE, Report, write_report
from tests.e2e.segment_pages import ready

from karat.sample import path as sample_path

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]  # one worker, one browser

LONG = (
    "generaltest2022.en-zh.hyp.a-rather-long-name.Online-A",
    "generaltest2022.en-zh.hyp.a-rather-long-name.Online-B",
)
BOXES = "those => those.map((one) => { const {left, top, right, bottom} = one.getBoundingClientRect();"
BOXES += " return {left, top, right, bottom, text: one.textContent}; })"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return write_report(tmp_path_factory.mktemp("sample"), *SAMPLE)


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("long")
    lines = Path(sample_path("corpus.jsonl")).read_text(encoding="utf-8").splitlines()
    renamed = [json.loads(line) for line in lines]
    for line in renamed:
        line["systems"] = dict(zip(LONG, (line["systems"][name] for name in ("neural", "fluent")), strict=True))
    corpus = directory / "corpus.jsonl"
    corpus.write_text("".join(f"{json.dumps(line)}\n" for line in renamed), encoding="utf-8")
    return write_report(directory, "--corpus", str(corpus), "-m", "chrf", "-n", "100").file


def test_numbers_beside_a_plot_keep_clear_of_it_on_a_phone(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=PHONE) as visited:
        plot = visited.page.locator(".board:visible .plot figure:visible")
        texts = plot.locator("text").evaluate_all(BOXES)
        beside = [
            box for box in texts if box["text"] == "baseline" or (box["text"].startswith("-") and "." in box["text"])
        ]
        lines = plot.locator("line").evaluate_all(BOXES)
        ruler = max(box["right"] for box in lines if box["bottom"] - box["top"] > 50)
        assert len(beside) == 4
        assert all(box["left"] > ruler for box in beside)


def test_charts_are_large_enough_to_read_on_a_phone(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=PHONE) as visited:
        widths = visited.page.locator(".picture svg").evaluate_all("those => those.map((one) => one.clientWidth)")
        assert len(widths) > 3
        assert min(widths) > 500
        assert visited.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        heights = visited.page.locator("#made td.code").evaluate_all("those => those.map((one) => one.clientHeight)")
        assert max(heights) < 50


@SIZES
def test_long_names_are_told_apart_and_stand_beside_their_lines(
    browser: Any, long_names: Path, size: dict[str, int]
) -> None:
    with visit(browser, long_names, viewport=size) as visited:
        names = visited.page.locator(".board > table th[scope=row]").evaluate_all(BOXES)
        assert len({box["text"] for box in names}) == 2
        assert all(name.endswith(box["text"].split("…")[1]) for name, box in zip(LONG, names, strict=True))
        assert all(box["bottom"] - box["top"] < 30 for box in names)
        (dot,) = visited.page.locator(".plot figure:visible circle").evaluate_all(BOXES)
        assert names[1]["top"] < dot["top"] < dot["bottom"] < names[1]["bottom"]
        ready(visited.page).evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
        visited.page.wait_for_selector("#segment-scatter-table td")
        assert visited.page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_paper_is_light_and_keeps_the_colours_that_say_something(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK, color_scheme="dark") as visited:
        visited.page.locator("#theme").click()
        visited.page.locator("#theme").click()
        ground = "getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()"
        assert visited.page.evaluate(ground) != "#ffffff"
        visited.page.emulate_media(media="print", color_scheme="light")
        assert visited.page.evaluate(ground) == "#ffffff"
        kept = visited.page.locator(".dot").evaluate_all(
            "those => those.map((one) => getComputedStyle(one).printColorAdjust)"
        )
        assert set(kept) == {"exact"}
