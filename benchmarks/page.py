"""The report's segments in Chromium: how soon a reader sees them, searches and sorts, and what the tab takes.

20,000 segments of real text under five systems, beside the same texts as plain elements of the page. Times are those of
the clock in the browser: on a busy machine read the ratio.
"""

from __future__ import annotations

import shutil
import tempfile
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import TestSet, wmt21
from karat.analysis.segment_view import MeasuredSegments, SegmentView
from karat.identity import Identity
from karat.report.page.parts import Made, Page
from karat.report.page.segments import segment_section
from karat.report.page.shell import render

SEGMENTS = 20_000
SYSTEMS = 5
METRICS = 5


def page() -> None:
    """Time a report of many segments, and a page that has them all as elements."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        raise SystemExit("there is no Chromium: apt-get install chromium")
    view = many_segments(wmt21())
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path)
        report, plain = Path(directory, "report.html"), Path(directory, "plain.html")
        report.write_text(render(Page("Segments", Made(), segments=segment_section(view))), encoding="utf-8")
        plain.write_text(plain_page(view), encoding="utf-8")
        print(f"\n{SEGMENTS:,} segments x {SYSTEMS} systems x {METRICS} metrics in Chromium {browser.version}")
        times = report_times(browser, report)
        times["all as elements (plain page)"] = plain_time(browser, plain)
        browser.close()
        for name, value in times.items():
            print(f"  {name:32}{value:>12.2f}")
        print(f"  {'report, MB':32}{report.stat().st_size / 1e6:>12.2f}")
        print(f"  {'plain page, MB':32}{plain.stat().st_size / 1e6:>12.2f}")


def many_segments(testset: TestSet) -> SegmentView:
    """Segments of the test set over and over, each with its number, so that no two are alike."""
    systems = {f"system {place}": lines for place, lines in enumerate(testset.systems[:SYSTEMS])}
    rng = np.random.default_rng(1)

    def many(lines: list[str]) -> tuple[str, ...]:
        return tuple(f"{lines[number % len(lines)]} {number}" for number in range(SEGMENTS))

    scores = {name: rng.uniform(0, 100, SEGMENTS) for name in systems}
    return SegmentView(
        numbers=tuple(range(1, SEGMENTS + 1)),
        ids=tuple(map(str, range(1, SEGMENTS + 1))),
        systems=tuple(systems),
        measures=tuple(MeasuredSegments(Identity.of_scores(f"metric {number}"), scores) for number in range(METRICS)),
        references={"ref": many(testset.reference)},
        outputs={name: many(lines) for name, lines in systems.items()},
    )


def plain_page(view: SegmentView) -> str:
    """All texts as elements."""
    columns = [*view.references.values(), *view.outputs.values()]
    rows = ("".join(f"<p>{escape(text or '')}</p>" for text in texts) for texts in zip(*columns, strict=True))
    return "<!doctype html><meta charset=utf-8>" + "".join(f"<article>{row}</article>" for row in rows)


def report_times(browser: Any, file: Path) -> dict[str, float]:
    """Seconds until the first screen, until rows, for a sort and for a search; and what the scripts hold, in MB."""
    page = browser.new_page()
    page.goto(f"{file.as_uri()}#s15000")
    page.wait_for_selector("#segment-browser:not([hidden])")
    rows = page.evaluate("performance.now() / 1000")
    first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime / 1000")
    times = {"first screen, s": first, "rows (#s15000), s": rows}
    change = "(([id, value, type]) => { const start = performance.now(); const field = document.getElementById(id);"
    change += " field.value = value; field.dispatchEvent(new Event(type, {bubbles: true, cancelable: true}));"
    change += " field.getBoundingClientRect(); return (performance.now() - start) / 1000; })"
    times["sort by difference, s"] = page.evaluate(change, ["segment-sort", "-difference", "change"])
    page.evaluate("document.getElementById('segment-find').value = 'Regierung'")
    submitted = "(() => { const start = performance.now();"
    submitted += (
        " document.getElementById('segment-controls').requestSubmit(); return (performance.now() - start) / 1000; })"
    )
    times["search, s"] = page.evaluate(submitted)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    times["scripts' memory, MB"] = metrics["JSHeapUsedSize"] / 1e6
    page.close()
    return times


def plain_time(browser: Any, file: Path) -> float:
    """Seconds until a page of elements is laid out to its end."""
    page = browser.new_page()
    page.set_default_timeout(120_000)
    page.goto(file.as_uri())
    page.evaluate("document.body.lastElementChild.getBoundingClientRect()")
    seconds: float = page.evaluate("performance.now() / 1000")
    page.close()
    return seconds
