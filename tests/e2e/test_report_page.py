"""The whole report, opened from disk in a real browser that has no network."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser import CANARIES, DESK, PHONE, SCHEMES, SIZES, fits_and_is_accessible, saved_by, tab_to, visit
from tests.contract.commands import run
from tests.e2e.report_pages import SAMPLE, Report, write_report
from tests.e2e.segment_pages import ready, shown_numbers, until
from tests.pages import records_of

from karat.csv_cells import harmless_cell, plain_cell
from karat.report.page.signs import with_signs

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]  # one worker, one browser

OPEN_ALL = "for (const folded of document.querySelectorAll('details')) folded.open = true"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return write_report(tmp_path_factory.mktemp("sample"), *SAMPLE)


def test_it_opens_quietly_with_everything_in_it(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        page.evaluate(OPEN_ALL)
        assert "neural is better than every other system" in page.locator("h1").inner_text()
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
        assert len(ids) == len(set(ids))
        targets = page.evaluate("[...document.querySelectorAll('nav a')].map((one) => one.hash.slice(1))")
        assert len(targets) > 8
        assert set(targets) <= set(ids)
        visited.assert_quiet()


@SCHEMES
@SIZES
def test_everybody_can_use_it(browser: Any, sample: Report, scheme: str, size: dict[str, int]) -> None:
    with visit(browser, sample.file, viewport=size, color_scheme=scheme) as visited:
        page = ready(visited.page)
        page.evaluate(OPEN_ALL)
        fits_and_is_accessible(page, size)


PARTS = {
    "score": (*SAMPLE[:2], "-m", "bleu"),
    "compare": (*SAMPLE[:2], "--baseline", "fluent", "-m", "chrf", "-n", "50"),
    "rank": (*SAMPLE[:2], "-m", "chrf", "-m", "ter", "-n", "50"),
    "human": (SAMPLE[3], *SAMPLE[:2]),
    "meta": (*SAMPLE[:4], "--criterion", "adequacy", "-m", "bleu", "-m", "chrf"),
    "analyse": ("all", *SAMPLE[:2]),
    "audit": SAMPLE[:2],
}


@pytest.mark.parametrize("command", PARTS)
def test_the_page_of_every_command_is_quiet_titled_and_for_everybody(
    browser: Any, command: str, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    outcome = run(command, *PARTS[command], "--html", str(file), "--quiet")
    assert outcome.code == 0, outcome.err
    with visit(browser, file, viewport=PHONE) as visited:
        visited.page.evaluate(OPEN_ALL)
        assert visited.page.locator("h1").inner_text() != "Result"
        assert visited.page.evaluate(
            "[...document.querySelectorAll('main svg')].every((one) => one.ariaLabelledByElements.length)"
        )
        fits_and_is_accessible(visited.page, PHONE)
        visited.assert_quiet()


def test_the_theme_can_be_turned_round(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK, color_scheme="light") as visited:
        page = ready(visited.page)
        ground = "getComputedStyle(document.body).backgroundColor"
        before = page.evaluate(ground)
        page.get_by_role("button", name="Dark").click()
        assert page.evaluate(ground) != before
        assert page.locator("#theme").get_attribute("aria-pressed") == "true"


def test_keys_alone_reach_sort_filter_and_read(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        keys = page.keyboard
        tab_to(page, ".skip")
        tab_to(page, "#measure")
        keys.press("ArrowDown")
        tab_to(page, "#baseline")
        keys.press("ArrowDown")
        assert page.locator(".board figure:visible").get_attribute("id") == "forest-1-1"
        tab_to(page, "#ranking th:nth-child(4) button")
        keys.press("Enter")
        assert page.locator("#ranking th[aria-sort]").inner_text().startswith("chrF2")
        scores = page.locator("#ranking tbody td:nth-child(4) .score").all_inner_texts()
        assert scores == sorted(scores, key=float, reverse=True)
        tab_to(page, ".examples a")
        keys.press("Enter")
        wanted = page.locator(".examples a").first.inner_text()
        until(page, f"document.getElementById('segment-heading').textContent === '{wanted}'")
        assert page.evaluate("document.activeElement.id") == "segment-heading"
        tab_to(page, "#segment-find", "Shift+Tab")
        keys.type("oven")
        until(page, "document.getElementById('segment-status').textContent.includes(' of 127')")
        tab_to(page, "#segment-sort")
        keys.press("ArrowDown")
        tab_to(page, "#segment-list")
        keys.press("Home")
        keys.press("Enter")
        first = shown_numbers(page)[0]
        assert page.evaluate("document.activeElement.textContent") == f"Segment {first}"
        visited.assert_quiet()


def test_a_telling_segment_opens_with_its_two_systems(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        page.locator(".examples a").first.click()
        named = page.locator(".examples li").first.locator("dt").all_inner_texts()[1:]
        chosen = [page.locator(f"#segment-{side} option:checked").inner_text() for side in "ab"]
        assert chosen == named
        visited.assert_quiet()


def test_without_scripts_it_can_be_read(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK, java_script_enabled=False) as visited:
        page = visited.page
        assert "neural is better" in page.locator("h1").inner_text()
        assert page.locator("#ranking tbody tr:visible").count() == 4
        assert page.locator(".board svg:visible").count() == 1
        assert page.locator(".part svg:visible").count() >= 6
        assert page.locator(".part table:visible").count() >= 10
        assert page.locator("#segment-first article:visible").count() == 50
        assert page.locator("#segment-browser").is_hidden()
        assert page.locator(".scripted:visible").count() == 0
        page.locator(".board .numbers:visible summary").click()
        assert page.locator("#forest-0-0-numbers").is_visible()
        assert "with search, filters and differences, need JavaScript" in page.locator("#segment-first").inner_text()
        visited.assert_quiet()


def saved_files(page: Any, buttons: str) -> dict[str, str]:
    """The texts of the files that buttons save, by name, kept from going to disk."""
    page.evaluate("window.kept = []; window.saveFile = (name, type, text) => window.kept.push([name, text]); null")
    page.evaluate("(buttons) => document.querySelectorAll(buttons).forEach((button) => button.click())", buttons)
    return dict(page.evaluate("window.kept"))


def test_every_table_can_be_saved(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        keys = page.evaluate("[...document.querySelectorAll('#main table[id]:not(#segments table)')].map((t) => t.id)")
        files = saved_files(page, "[data-save=csv], [data-save=json]")
        assert len(keys) > 20
        for key in keys:
            records = json.loads(files[f"{key}.json"])
            lines = list(csv.DictReader(io.StringIO(files[f"{key}.csv"], newline="")))
            assert len(lines) == len(records) > 0, key
            assert list(lines[0]) == list(dict.fromkeys(name for record in records for name in record)), key
        assert json.loads(files["made.json"])["command"].startswith("karat report")
        visited.assert_quiet()


def test_many_files_in_a_row_all_go_to_disk(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        wanted = page.evaluate(
            "[...document.querySelectorAll('[data-save=csv]')].slice(0, 24).map((one) => one.dataset.of)"
        )
        came: list[Any] = []
        page.on("download", lambda one: came.append(one))
        page.evaluate("[...document.querySelectorAll('[data-save=csv]')].slice(0, 24).forEach((one) => one.click())")
        for _ in range(100):
            if len(came) == len(wanted):
                break
            page.wait_for_timeout(200)
        assert [one.suggested_filename for one in came] == [f"{key}.csv" for key in wanted]
        assert [one.failure() for one in came] == [None] * 24
        visited.assert_quiet()


def test_files_go_to_disk(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        ranking = json.loads(saved_by(page, page.get_by_role("button", name="Save the ranking as JSON")))
        assert ranking[0]["system"] == "neural"
        assert saved_by(page, page.get_by_role("button", name="Save the ranking as CSV")).startswith("metric,")
        assert "<svg" in saved_by(page, page.locator("[data-of=forest-0-0]"))
        visited.assert_quiet()


@SCHEMES
def test_every_chart_is_saved_as_a_picture_of_its_own(browser: Any, sample: Report, scheme: str) -> None:
    with visit(browser, sample.file, viewport=DESK, color_scheme=scheme) as visited:
        page = ready(visited.page)
        files = saved_files(page, "[data-save=svg]")
        assert len(files) >= 12 + 6 + 2
        ground = (
            "#ffffff"
            if scheme == "light"
            else page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()")
        )
        for name, text in files.items():
            root = ET.fromstring(text)
            assert root.tag == "{http://www.w3.org/2000/svg}svg", name
            assert "var(" not in text, name
            assert not [one.tag for one in root.iter() if "style" in one.attrib], name
            painted = next(one for one in root if one.tag.endswith("rect"))
            assert painted.attrib["fill"] == ground, name


def check_first_screen(page: Any, parts: list[str]) -> None:
    """Each part is seen without scrolling, and each mark of the plot is in the row of its system."""
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= DESK["height"], part
    rows = [row.bounding_box() for row in page.locator(".board:not([hidden]) > table th[scope=row]").all()]
    marks = page.locator(".board figure:visible circle").all()
    named = {mark.locator("title").text_content().split(": ")[0]: mark.bounding_box() for mark in marks}
    systems = page.locator(".board:not([hidden]) > table th[scope=row]").all_text_contents()
    assert len(named) == len(systems) - 1
    for column in ("td.number:not(.interval)", "td.interval"):
        cells = f"[...document.querySelectorAll('.board:not([hidden]) > table {column}')]"
        assert len(set(page.evaluate(f"{cells}.map((cell) => getComputedStyle(cell).paddingRight)"))) == 1, column
    for system, row in zip(systems, rows, strict=True):
        if system in named:
            middle = named[system]["y"] + named[system]["height"] / 2
            assert abs(middle - row["y"] - row["height"] / 2) < 2, system


def test_the_first_screen_says_it_all(browser: Any, sample: Report) -> None:
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        check_first_screen(page, ["#headline", ".support", ".board:not([hidden]) > table", ".badges", ".examples"])
        assert "Where: In BLEU, neural is ahead of fluent on " in page.locator(".support").inner_text()
        page.get_by_role("link", name="All kinds").click()
        page.locator("#kinds tbody a").first.click()
        until(page, "document.getElementById('segment-status').textContent.includes(' of 127')")
        visited.assert_quiet()


def test_bold_is_who_is_beaten_by_nobody(browser: Any, sample: Report) -> None:
    beaten: dict[str, set[str]] = {}
    for pair in sample.json["rank"]["comparisons"]:
        beaten.setdefault(pair["name"], set())
        if pair["significant"]:
            beaten[pair["name"]].add(({pair["system"], pair["baseline"]} - {pair["better"]}).pop())
    with visit(browser, sample.file, viewport=DESK) as visited:
        boards = visited.page.evaluate(
            "[...document.querySelectorAll('.board')].map((board) => [...board.querySelectorAll('td.best')]"
            ".map((one) => one.closest('tr').querySelector('th').textContent))"
        )
        systems = set(visited.page.locator("#ranking tbody th").all_text_contents())
    assert [set(bold) for bold in boards] == [systems - losers for losers in beaten.values()]


@pytest.fixture(scope="session")
def wmt21(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    directory = shared_data / "wmt21-news-ende"
    outputs = sorted(map(str, (directory / "system-outputs").iterdir()))
    metrics = [word for name in ("bleu", "chrf", "chrf++", "ter", "wer") for word in ("-m", name)]
    texts = ("-s", str(directory / "source.en"), "-r", str(directory / "references" / "refA.de"), "-l", "en-de")
    return write_report(tmp_path_factory.mktemp("wmt21"), *texts, *metrics, "-n", "1000", *outputs)


def test_fourteen_systems_under_five_metrics_make_a_small_quiet_page(browser: Any, wmt21: Report) -> None:
    assert wmt21.file.stat().st_size < 3_600_000
    with visit(browser, wmt21.file, viewport=DESK) as visited:
        page = ready(visited.page)
        check_first_screen(page, ["#headline", ".support", ".board:not([hidden]) > table", ".badges", ".examples"])
        assert "kinds of segments tested by itself tells" in page.locator(".support").inner_text()
        assert page.locator("#ranking tbody tr").count() == 14
        assert page.locator("#ranking button.order").count() == 5
        assert page.evaluate("document.documentElement.scrollWidth") <= DESK["width"]
        rows = page.locator("#segment-subset-table tbody tr").all_inner_texts()
        scores = [(row["system"], f"{row['score']:.2f}") for row in wmt21.json["scores"]]
        for name, *shown in (row.split("\t") for row in rows):
            assert shown == [score for system, score in scores if system == name]
        assert len(rows) >= 2
        page.locator("#baseline").select_option(index=13)
        assert page.locator(".board figure:visible").get_attribute("id") == "forest-0-13"
        page.evaluate("location.hash = '#s1000'")
        until(page, "document.getElementById('segment-heading').textContent === 'Segment 1000'")
        visited.assert_quiet()


NAMES = tuple(canary for canary in CANARIES if canary.isprintable())
"""Those that readers take for the name of a system."""


@pytest.fixture(scope="module")
def tricky(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Canaries as systems, documents, labels, raters, metrics and texts, all of them read from files."""
    directory = tmp_path_factory.mktemp("tricky")
    corpus, ratings, scores = (directory / name for name in ("corpus.jsonl", "ratings.jsonl", "scores.jsonl"))
    rows: list[dict[str, Any]] = []
    judged: list[dict[str, Any]] = []
    scored: list[dict[str, Any]] = []
    for place, canary in enumerate(CANARIES * 2):
        outputs = {name: f"{canary} and {'more' if number % 2 else name}" for number, name in enumerate(NAMES)}
        rows.append(
            {
                **{"source": f"{canary} source", "references": {"refA": f"{canary} and more"}, "systems": outputs},
                **{"document": canary, "domain": CANARIES[place % 3], "segment": str(place + 1)},
            }
        )
        for number, name in enumerate(NAMES):
            told = {"segment": str(place + 1), "system": name, "protocol": "adequacy-fluency", "criterion": "adequacy"}
            judged += [{**told, "rater": rater, "value": (number + place) % 5 + 1} for rater in CANARIES]
            value = float((number * 7 + place) % 11)
            scored.append({"segment": str(place + 1), "system": name, "metric": CANARIES[1], "score": value})
    for path, lines in ((corpus, rows), (ratings, judged), (scores, scored)):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    inputs = ("--corpus", str(corpus), "--ratings", str(ratings), "--scores", str(scores))
    return write_report(directory, *inputs, "-m", "bleu", "-n", "50")


def test_nothing_that_a_file_says_is_run(browser: Any, tricky: Report) -> None:
    with visit(browser, tricky.file, viewport=DESK) as visited:
        page = ready(visited.page)
        page.evaluate(OPEN_ALL)
        systems = set(page.locator("#ranking tbody th").all_text_contents())
        assert systems == {with_signs(name) for name in NAMES}
        assert with_signs(CANARIES[1]) in page.locator("#ranking thead").inner_text()
        everything = page.locator("main").inner_text()
        for canary in CANARIES:
            assert with_signs(canary) in everything
            assert canary == with_signs(canary) or canary not in everything
        foreign = page.locator("main script:not([type]), main i, main img, main [onerror], a[href^='javascript' i]")
        assert foreign.count() == 0
        cells = [
            cell
            for name, text in saved_files(page, "[data-save=csv]").items()
            for row in csv.reader(io.StringIO(text, newline=""))
            for cell in row
        ]
        assert "'=cmd()" in cells
        assert [cell for cell in cells if cell != harmless_cell(plain_cell(cell))] == []
        visited.assert_quiet()


def test_scatter_plots_have_the_numbers_of_the_json_form(browser: Any, sample: Report) -> None:
    scores = {(row["metric"], row["system"]): row["score"] for row in sample.json["scores"]}
    judged = {(row["criterion"], row["system"]): row["raw"] for row in sample.json["human"]["systems"]}
    data = (
        "[...document.querySelectorAll('[id*=-scatter-][id$=-numbers-data]')].map((one) => [one.id, one.textContent])"
    )
    with visit(browser, sample.file, viewport=DESK) as visited:
        plots = visited.page.evaluate(data)
    assert len(plots) == 2 * 3
    for key, text in plots:
        criterion = key.split("-")[1]
        points = records_of(text)
        assert len(points) == 4
        for point in points:
            assert point["score"] == pytest.approx(scores[point["metric"], point["system"]], abs=1e-9)
            assert point["judgement"] == pytest.approx(judged[criterion, point["system"]], abs=1e-9)


def test_charts_of_segments_have_the_scores_of_segments(browser: Any, sample: Report) -> None:
    spec = "bleu(effective_order=true)"  # as BLEU of segments is taken
    outcome = run("score", *SAMPLE[:2], "-m", spec, "--level", "segment", "--json", "--quiet")
    scores: dict[str, list[float]] = {}
    for row in json.loads(outcome.out)["segments"]:
        scores.setdefault(row["system"], []).append(row["score"])
    with visit(browser, sample.file, viewport=DESK) as visited:
        page = ready(visited.page)
        first, second = (page.locator(f"#segment-{side}").input_value() for side in "ab")
        names = page.locator("#segment-a option").all_text_contents()
        labels = [bar.get_attribute("aria-label") for bar in page.locator("#segment-histogram g[role=button]").all()]
        bars = [re.fullmatch(r"(\S+) to (\S+): (\d+) segments?", str(label)) for label in labels]
        points = page.locator("#segment-scatter path[stroke-linecap]").get_attribute("d").count("M")
    a, b = (np.array(scores[names[int(value)] if value.isdigit() else value]) for value in (first, second))
    edges = [float(bar[1]) for bar in bars if bar] + [float(bars[-1][2]) if bars[-1] else 0.0]
    expected = np.histogram(a - b, edges)[0]
    assert [int(bar[3]) for bar in bars if bar] == expected.tolist()
    assert points == len(a) == 127
