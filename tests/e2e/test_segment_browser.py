"""The segment browser of the report, in a real browser."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser import (
    CANARIES,
    DESK,
    LONE_SURROGATES,
    PHONE,
    SCHEMES,
    SIZES,
    fits_and_is_accessible,
    saved_by,
    tab_to,
    visit,
)
from tests.e2e.segment_pages import ready, scored, shown_numbers, until, write_page

from karat import sample
from karat.analysis.segment_view import (
    Facet,
    Judged,
    MarkedError,
    Remark,
    SegmentView,
    WordClasses,
    segment_view,
)
from karat.evidence import Evidence
from karat.report.page.segments import packed
from karat.report.page.signs import with_signs
from karat.service.gathering import gather_one
from karat.service.inputs import CorpusFile
from karat.service.requests import EvidenceRequest

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]  # one worker, one browser

TRICKY = (*CANARIES, LONE_SURROGATES)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    texts = CorpusFile(str(sample.path("corpus.jsonl")))
    return gather_one(EvidenceRequest(texts=texts, metrics=("bleu", "chrf", "ter", "ribes")))


@pytest.fixture(scope="module")
def sample_page(evidence: Evidence, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("sample") / "page.html", sample_view(evidence))


def sample_view(evidence: Evidence) -> SegmentView:
    view = segment_view(evidence, facets=[Facet("bucket", "Length", {"short": (0, 3), "long": (5, 7, 9)})])
    errors = (MarkedError(0, 6, "target", "accuracy", "major"), MarkedError(None, None, "missing", "omission"))
    told = Judged(0, "neural", "rater 1", "mqm", -5.0, comment="not quite", errors=errors)
    return SegmentView(
        **{
            **vars(view),
            "remarks": (Remark(0, "fluent", "numbers", "lost: 4"),),
            "judgements": (told,),
            "word_classes": (WordClasses(0, "neural", "xlxxxxxxxxx"),),
            "class_names": {"x": "right", "l": "lexical"},
            "post_edits": {"neural": ("Post-edited text.", *[None] * (len(view) - 1))},
        }
    )


def tricky_view() -> SegmentView:
    """Segments whose every text and label tries to be more than text; system names as no reader would allow them."""
    texts = (*TRICKY, "word " * 20_000)
    count = len(texts)
    systems = ("<b>bold</b>", "=system()\u202e", *TRICKY[:2])
    scores = np.arange(len(systems) * count, dtype=float).reshape(len(systems), count)
    return SegmentView(
        numbers=tuple(range(1, count + 1)),
        ids=(*texts[:-1], "last"),
        systems=systems,
        measures=(scored(systems, scores, "</script><i>metric</i>\u202e"),),
        source=texts,
        references={"<i>ref</i>": texts},
        outputs=dict.fromkeys(systems, texts),
        facets=(
            Facet.of_labels("document", "Document", (*texts[:-1], "d")),
            Facet("ngram", "<u>", {TRICKY[0]: (0,)}),
        ),
        remarks=tuple(Remark(place, systems[0], text, text) for place, text in enumerate(texts[:-1])),
        judgements=tuple(
            Judged(place, systems[0], text, text, 1.0, text, text) for place, text in enumerate(texts[:-1])
        ),
        target_language="ar",
    )


def choose(page: Any, label: str, option: str) -> None:
    page.get_by_label(label, exact=True).select_option(label=option)


def test_a_segment_is_shown_with_all_that_is_known(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, viewport=DESK) as visited:
        page = ready(visited.page)
        blocks = page.locator("#segment-blocks")
        assert blocks.locator("h4").all_text_contents() == [
            *("Source", "refA", "refB", "neural", "fluent", "literal", "glossary")
        ]
        neural = blocks.locator(".output.of-a")
        assert neural.locator("ins").all_text_contents() == ["In Obermützbach, the"]
        assert neural.locator("del").all_text_contents() == ["in Obermützbach"]
        assert neural.locator(".error-span").all_text_contents() == ["Bakers"]
        assert neural.locator(".word-class").get_attribute("title") == "lexical"
        assert "rater 1: mqm -5 (accuracy major; omission) not quite" in neural.inner_text().replace("“", "").replace(
            "”", ""
        )
        assert "Post-edited: Post-edited text." in neural.inner_text()
        assert "numbers: lost: 4" in blocks.locator(".output.of-b").inner_text()
        choose(page, "Compare words with", "fluent")
        assert blocks.locator(".output.of-b ins").count() == 0
        assert neural.locator("ins").all_text_contents() == ["In Obermützbach,"]
        choose(page, "Compare words with", "nothing")
        page.get_by_label("mark matched n-grams").check()
        assert neural.locator(".matched.n4").all_text_contents() == ["Bakers", "on", "strike", ":"]
        assert neural.locator("ins").count() == 0
        visited.assert_quiet()


def test_scores_of_a_subset_are_those_of_karat(browser: Any, evidence: Evidence, sample_page: Path) -> None:
    documents = evidence.segments.documents or ()
    wanted = documents[0]
    kept = np.array([document == wanted for document in documents])
    with visit(browser, sample_page, address=f"#segments?document={wanted}", viewport=DESK) as visited:
        page = ready(visited.page)
        assert f"Exploratory, n = {kept.sum()}" in page.locator("#segment-subset-note").inner_text()
        rows = page.locator("#segment-subset-table tbody tr").all_inner_texts()
        shown = {name: numbers for name, *numbers in (row.split("\t") for row in rows)}
        measures = [evidence.measure(spec) for spec in ("bleu", "chrf", "ter")]
        assert shown == {
            system: [f"{measure.rows[system].taken(kept).score:.2f}" for measure in measures]
            for system in evidence.systems
        }
        visited.assert_quiet()


def test_the_address_holds_what_is_asked_for(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, viewport=DESK) as visited:
        page = ready(visited.page)
        page.get_by_label("Find in all segments").fill("BAKER")
        choose(page, "System A", "literal")
        choose(page, "Metric", "chrF2 ↑")
        choose(page, "Sort", "literal − fluent, lowest first")
        until(page, "location.hash.includes('find=BAKER') && location.hash.includes('sort=difference')")
        address, numbers = page.evaluate("location.hash"), shown_numbers(page)
        assert 1 < len(numbers) < 127
        with visit(browser, sample_page, address=address, viewport=DESK) as again:
            assert shown_numbers(ready(again.page)) == numbers
            assert again.page.get_by_label("Sort", exact=True).input_value() == "difference"
            again.page.get_by_role("button", name="Show all").click()
            assert again.page.locator("#segment-status").inner_text() == "127 segments"


def test_both_charts_have_titles_descriptions_and_their_numbers(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, viewport=DESK) as visited:
        page = ready(visited.page)
        for chart in ("histogram", "scatter"):
            for part in ("title", "desc"):
                assert page.locator(f"#segment-{chart} svg > {part}").count() == 1
        assert page.locator("#segment-scatter-table tr").count() == 0
        page.click("figure:has(#segment-scatter) summary")
        page.locator("#segment-scatter-table tbody tr").nth(126).wait_for()
        assert page.locator("#segment-scatter-table tbody tr").count() == 127
        visited.assert_quiet()


def test_a_bar_of_the_histogram_filters_and_can_be_taken_back(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, viewport=DESK) as visited:
        page = ready(visited.page)
        bar = page.locator("#segment-histogram g[role=button]").nth(3)
        count = bar.get_attribute("aria-label").split(": ")[1]
        bar.focus()
        page.keyboard.press("Enter")
        assert page.locator("#segment-status").inner_text().startswith(f"{count} of 127")
        assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
        page.keyboard.press("Enter")
        assert page.locator("#segment-status").inner_text() == "127 segments"
        box = page.locator("#segment-scatter svg").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.97, box["y"] + 3)
        assert page.locator("#segment-heading").inner_text() != "Segment 1"


def test_whoever_sorts_reads_what_comes_first(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, address="#s60", viewport=DESK) as visited:
        page = ready(visited.page)
        choose(page, "Sort", "largest difference first")
        first = page.locator(".segment-row").first
        assert (first.get_attribute("aria-posinset"), first.get_attribute("aria-selected")) == ("1", "true")
        assert page.locator("#segment-list").evaluate("list => list.scrollTop") == 0
        assert page.locator("#segment-heading").inner_text() == f"Segment {shown_numbers(page)[0]}"


def small_view(systems: tuple[str, ...]) -> SegmentView:
    """Three segments of systems whose scores differ."""
    scores = np.arange(len(systems) * 3, dtype=float).reshape(len(systems), 3) / 10
    return SegmentView(
        numbers=(1, 2, 3),
        ids=("1", "2", "3"),
        systems=systems,
        measures=(scored(systems, scores),),
        references={"ref": ("a b", "c d", "e f")},
        outputs={name: (f"a {place}", "c", "e f") for place, name in enumerate(systems)},
    )


def test_one_system_is_not_compared_with_itself(browser: Any, tmp_path: Path) -> None:
    file = write_page(tmp_path / "page.html", small_view(("only",)))
    with visit(browser, file, viewport=DESK) as visited:
        page = ready(visited.page)
        assert page.locator("#segment-b, #segment-histogram, #segment-scatter").locator("visible=true").count() == 0
        orders = page.locator("#segment-sort option").all_text_contents()
        assert orders == ["test set order", "only, lowest first", "only, highest first"]
        choose(page, "Sort", orders[2])
        assert shown_numbers(page) == [3, 2, 1]
        assert page.locator(".segment-row").first.locator(".row-score").count() == 1
        visited.assert_quiet()


def test_words_can_be_compared_with_those_of_a_system_of_any_name(browser: Any, tmp_path: Path) -> None:
    file = write_page(tmp_path / "page.html", small_view(("none", "reference", "system none")))
    with visit(browser, file, viewport=DESK) as visited:
        page = ready(visited.page)
        lacking = page.locator(".output.of-b del")
        for name, text in (("none", "0"), ("system none", "2")):
            choose(page, "Compare words with", name)
            assert lacking.all_text_contents() == [text]
            until(page, f"location.hash.includes('against=system+{name.replace(' ', '+')}')")
            with visit(browser, file, address=page.evaluate("location.hash"), viewport=DESK) as again:
                assert ready(again.page).locator(".output.of-b del").all_text_contents() == [text]
        choose(page, "Compare words with", "nothing")
        assert lacking.count() == 0


def test_names_read_from_right_to_left_stand_where_they_are_written(browser: Any, tmp_path: Path) -> None:
    first, second = "\u0646\u0638\u0627\u0645-1", "\u0646\u0638\u0627\u0645-2"
    file = write_page(tmp_path / "page.html", small_view((first, second)))
    with visit(browser, file, viewport=DESK) as visited:
        page = ready(visited.page)
        places = page.locator("#segment-histogram-title bdi").evaluate_all(
            "names => names.map((name) => [name.textContent, name.getBoundingClientRect().left])"
        )
        assert [name for name, _ in sorted(places, key=lambda named: named[1])] == [first, second]
        assert (
            f"\u2068{first}\u2069 − \u2068{second}\u2069, highest first"
            in page.locator("#segment-sort option").all_text_contents()
        )


def test_what_no_segment_of_the_page_has_shows_none_and_says_so(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, address="#segments?bucket=source-length%3A%20%3E%3D60", viewport=DESK) as visited:
        page = ready(visited.page)
        status = page.locator("#segment-status")
        assert status.inner_text() == "No segment of this page has bucket source-length: >=60; it has 127 segments"
        assert shown_numbers(page) == []
        assert page.locator("#segment-detail").is_hidden()
        page.get_by_role("button", name="Show all").click()
        assert status.inner_text() == "127 segments"
        page.evaluate("location.hash = '#s500'")
        until(page, "document.getElementById('segment-status').textContent.includes('has number 500')")
        page.evaluate("location.hash = '#segments?bucket=short'")
        until(page, "document.getElementById('segment-status').textContent === '2 segments of 127'")
        visited.assert_quiet()


def test_thousands_of_segments_are_found_sorted_and_filtered(browser: Any, tmp_path: Path) -> None:
    count, systems = 20_000, [f"system {number}" for number in range(5)]
    rng = np.random.default_rng(7)
    view = SegmentView(
        numbers=tuple(range(1, count + 1)),
        ids=tuple(map(str, range(1, count + 1))),
        systems=tuple(systems),
        measures=(scored(systems, rng.random((5, count)).round(4)),),
        source=tuple(f"source of segment {number}" for number in range(1, count + 1)),
        outputs={name: tuple(f"{name} says {number}" for number in range(1, count + 1)) for name in systems},
        facets=(Facet.of_labels("document", "Document", [f"doc {number // 100}" for number in range(count)]),),
    )
    scores = view.measures[0].scores
    with visit(browser, write_page(tmp_path / "page.html", view), address="#s15000", viewport=DESK) as visited:
        page = ready(visited.page)
        assert page.locator("#segment-heading").inner_text() == "Segment 15000"
        assert (
            page.evaluate("document.getElementById('segment-detail').getBoundingClientRect().top") < DESK["height"] / 2
        )
        row = page.locator("[role=option][aria-selected=true]")
        assert (row.get_attribute("aria-posinset"), row.get_attribute("aria-setsize")) == ("15000", "20000")
        box, frame = row.bounding_box(), page.locator("#segment-list").bounding_box()
        assert frame["y"] <= box["y"] + 1 and box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
        assert page.locator("[role=option]").count() < 60
        choose(page, "Sort", "system 0 − system 1, highest first")
        page.locator("#segment-list").press("Home")
        best = np.lexsort((np.arange(count), -(scores["system 0"] - scores["system 1"]).round(9)))
        assert shown_numbers(page)[:5] == (best[:5] + 1).tolist()
        page.get_by_label("Find in all segments").fill("says 1234")
        until(page, "document.getElementById('segment-status').textContent.startsWith('11 ')")
        visited.assert_quiet()


def test_texts_are_shown_as_they_are_and_never_run(browser: Any, tricky_page: Path) -> None:
    with visit(browser, tricky_page, viewport=DESK) as visited:
        page = ready(visited.page)
        names = [page.locator("#segment-blocks h4").nth(place).text_content() for place in (2, 3)]
        assert names == ["<b>bold</b>", "=system()⟨U+202E⟩"]
        assert "</script><i>metric</i>⟨U+202E⟩" in page.locator("#segment-list-caption").text_content()
        for place, canary in enumerate(TRICKY):
            expected = with_signs(canary)
            page.evaluate(f"location.hash = '#segments?segment={place + 1}&against=none'")
            until(page, f"document.getElementById('segment-heading').textContent === 'Segment {place + 1}'")
            assert page.locator("#segment-blocks p.text").all_text_contents() == [expected] * 6
            assert page.locator("#segment-id").text_content() == expected
            assert page.locator(".chip bdi").first.text_content() == expected
            remark, judgement = page.locator("#segment-blocks .of-a .remark").all_text_contents()
            assert remark == f"{expected}: {expected}"
            assert judgement == f"{expected}: {expected} 1, {expected} {expected}"
        visited.assert_quiet()


@pytest.fixture(scope="module")
def tricky_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("tricky") / "page.html", tricky_view())


def test_a_line_of_a_hundred_thousand_characters_is_shown(browser: Any, tricky_page: Path) -> None:
    with visit(browser, tricky_page, address=f"#s{len(TRICKY) + 1}", viewport=PHONE) as visited:
        page = ready(visited.page)
        assert len(page.locator("#segment-blocks .of-a p.text").text_content()) == 100_000
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        visited.assert_quiet()


def test_files_are_harmless_and_whole(browser: Any, tricky_page: Path) -> None:
    with visit(browser, tricky_page, viewport=DESK) as visited:
        page = ready(visited.page)
        text = saved_by(page, page.get_by_role("button", name="Save these segments as CSV"))
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        cells = [cell for row in (header, *rows) for cell in row]
        assert len(rows) == len(TRICKY) + 1
        assert "'=cmd()" in cells and "=cmd()" not in cells
        assert not any(cell.startswith(("=", "+", "@", "-")) for cell in cells)
        records = json.loads(saved_by(page, page.get_by_role("button", name="Save these segments as JSON")))
        assert [record["source"] for record in records[:-1]] == list(TRICKY)


@SCHEMES
@SIZES
def test_everybody_can_use_it(browser: Any, sample_page: Path, scheme: str, size: dict[str, int]) -> None:
    with visit(browser, sample_page, viewport=size, color_scheme=scheme) as visited:
        page = ready(visited.page)
        page.get_by_label("mark matched n-grams").check()
        page.evaluate("document.getElementById('segment-overview').open = true")
        fits_and_is_accessible(page, size)


def test_keys_alone_reach_sort_filter_and_read(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, viewport=DESK) as visited:
        page = ready(visited.page)
        keys = page.keyboard
        focused = "document.activeElement.id"

        tab_to(page, "#segment-find")
        keys.type("oven")
        until(page, "document.getElementById('segment-status').textContent.includes(' of 127')")
        tab_to(page, "#segment-sort")
        keys.press("ArrowDown")
        until(page, "location.hash.includes('sort=-difference')")
        tab_to(page, "#segment-list")
        keys.press("End")
        keys.press("ArrowUp")
        chosen = page.locator("[role=option][aria-selected=true] .row-number").inner_text()
        active = page.locator("#segment-list").get_attribute("aria-activedescendant")
        assert page.locator(f"#{active} .row-number").inner_text() == chosen
        keys.press("Enter")
        assert page.evaluate(focused) == "segment-heading"
        assert page.locator("#segment-heading").inner_text() == f"Segment {chosen}"
        assert page.locator("#segment-blocks mark").count() > 0
        keys.press("Escape")
        assert page.evaluate(focused) == "segment-list"


def test_the_first_segments_are_there_without_scripts(browser: Any, sample_page: Path) -> None:
    with visit(browser, sample_page, address="#s7", viewport=DESK, java_script_enabled=False) as visited:
        page = visited.page
        assert page.locator("#segment-first article").count() == 50
        assert page.locator("#segment-browser").is_hidden()
        text = page.locator("#s7").inner_text()
        assert "Segment 7" in text and "chrF2" in text
        assert page.locator("#s7 p.text").first.get_attribute("dir") == "auto"


def test_without_texts_there_are_scores_and_nothing_to_compare(
    browser: Any, evidence: Evidence, tmp_path: Path
) -> None:
    view = sample_view(evidence).without_texts()
    file = write_page(tmp_path / "page.html", view)
    everything = file.read_text(encoding="utf-8") + gzip.decompress(base64.b64decode(packed(view))).decode()
    for quoted in ("Oberm", "lost: 4", "not quite"):
        assert quoted not in everything
    with visit(browser, file, viewport=DESK) as visited:
        page = ready(visited.page)
        assert page.locator("#segment-blocks h4").all_text_contents() == list(evidence.systems)
        assert page.locator("#segment-blocks p.text").count() == 0
        assert page.locator("#segment-marks").is_hidden()
        assert "BLEU" in page.locator("#segment-blocks .of-a").inner_text()
        page.locator("#segment-list").press("End")
        until(page, "location.hash.includes('segment=127')")
        visited.assert_quiet()


def test_right_to_left_and_chinese_texts_stand_as_they_are_read(browser: Any, tmp_path: Path) -> None:
    view = SegmentView(
        numbers=(1,),
        ids=("1",),
        systems=("a", "b"),
        source=("猫\x1f坐\x1f在\x1f垫子\x1f上\x1f。",),
        references={"ref": ("جلست القطة على السجادة",)},
        outputs={"a": ("جلست قطة على السجادة",), "b": ("القطة على السجادة",)},
        source_language="zh",
        target_language="ar",
    )
    with visit(browser, write_page(tmp_path / "page.html", view), viewport=DESK) as visited:
        page = ready(visited.page)
        source, reference = page.locator("#segment-blocks p.text").first, page.locator("#segment-blocks p.text").nth(1)
        assert (source.get_attribute("lang"), source.text_content()) == ("zh", "猫坐在垫子上。")
        assert reference.get_attribute("lang") == "ar"
        direction = "getComputedStyle(document.querySelectorAll('#segment-blocks p.text')[%d]).direction"
        assert [page.evaluate(direction % place) for place in (0, 1)] == ["ltr", "rtl"]
        assert page.locator(".of-a ins").all_text_contents() == ["قطة"]
        visited.assert_quiet()
