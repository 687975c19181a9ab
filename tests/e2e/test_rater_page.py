"""The page of a rater in a real browser: what it asks, what it refuses, and that everybody can use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser import axe_violations
from tests.e2e.campaign_server import Served, served
from tests.e2e.rater_pages import DESK, LOOKS, READY, answer, begin, done, focused, means_of, opened, settle
from tests.e2e.test_campaign import made

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

REFERENCE = '"reference":"r'
"""What an answer of the server has where it has a reference."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(made(tmp_path_factory.mktemp("page"), "--raters", "9", "--judgements", "4")) as running:
        yield running


def test_fluency_is_asked_before_the_reference_is_seen(browser: Any, server: Served) -> None:
    with opened(browser, server.links[1], viewport=DESK) as page:
        answers: list[Any] = []
        page.on("response", lambda answer: answers.append(answer) if "/api/" in answer.url else None)
        begin(page)
        assert page.locator(".text").count() == 1
        page.keyboard.press("2")
        assert REFERENCE not in "".join(answer.text() for answer in answers)
        page.keyboard.press("Enter")
        page.wait_for_selector("#adequacy-0")
        assert page.locator(".text").count() == 2
        assert page.locator("fieldset#fluency-0").count() == 0
        assert REFERENCE in answers[-1].text()
        page.reload()  # fluency stays, and adequacy is asked
        page.wait_for_selector(READY)
        assert "Fluency 2 (Disfluent English)" in page.inner_text("#fluency-0")
        page.evaluate("localStorage.clear()")  # as on another device
        page.reload()
        page.wait_for_selector("fieldset#adequacy-0")
        assert "Fluency 2 (Disfluent English)" in page.inner_text("#fluency-0")


def test_what_is_missing_is_said_and_gets_the_focus(browser: Any, server: Served) -> None:
    with opened(browser, server.links[2], viewport=DESK) as page:
        begin(page)
        page.keyboard.press("Enter")
        assert "Fluency: choose a point" in page.inner_text("#notice")
        assert page.evaluate("() => document.activeElement.name") == "fluency-0"
        page.keyboard.press("5")
        assert page.locator(".lack").count() == 0


def test_a_draft_outlives_the_page_and_an_answer_can_be_changed(browser: Any, server: Served) -> None:
    with opened(browser, server.links[3], viewport=DESK) as page:
        begin(page)
        page.keyboard.press("2")
        page.reload()
        page.wait_for_selector(READY)
        assert page.locator("input:checked").input_value() == "2"
        answer(page)
        done(page, 1)
        page.wait_for_selector(READY)
        page.keyboard.press("b")
        page.wait_for_selector("text=Save the change")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.locator("button.main", has_text="Next question").wait_for()


def test_two_pages_do_not_overwrite_each_other(browser: Any, server: Served) -> None:
    with opened(browser, server.links[4], viewport=DESK) as page:
        begin(page)
        settle(page, "1")
        other = page.context.new_page()
        other.goto(f"{server.address}/")
        other.wait_for_selector("fieldset#adequacy-0")
        other.keyboard.press("1")
        other.keyboard.press("Enter")
        done(other, 1)
        page.keyboard.press("5")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=You have answered this on another page meanwhile")
        boxes = [text.replace("\n", " ") for text in page.locator(".answer").all_inner_texts()]
        assert "Fluency 1 (Incomprehensible) Adequacy 1 (None)" in boxes[0]
        assert "Fluency 1 (Incomprehensible) Adequacy 5 (All)" in boxes[1]
        page.click("text=Take the answer from this page")
        page.wait_for_selector("#work:not([inert]) fieldset#fluency-0")


def test_what_another_page_said_of_fluency_stays(browser: Any, server: Served) -> None:
    with opened(browser, server.links[9], viewport=DESK) as page:
        begin(page)
        other, third = page.context.new_page(), page.context.new_page()
        for each in (other, third):
            each.goto(f"{server.address}/")
            each.wait_for_selector(READY)
        settle(other, "1")
        settle(page, "5")
        assert "What you said there stays" in page.inner_text("#notice")
        assert "Fluency 1 (Incomprehensible)" in page.inner_text("#fluency-0")
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        done(page, 1)
        third.bring_to_front()
        settle(third, "4")
        assert "What you said there stays" in third.inner_text("#notice")
        assert "You have answered this before" in third.inner_text("#work")
        assert third.locator("input:checked").input_value() == "3"


def test_a_slider_starts_unset_and_0_is_a_value(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "1", "--protocol", "da", "--segments", "1")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        page.keyboard.press("Enter")
        assert "Quality: set a value from 0 to 100" in page.inner_text("#notice")
        page.keyboard.press("0")
        page.keyboard.press("Enter")
        done(page, 1)
    assert means_of(directory) == {("overall", 0)}


def looks_right(page: Any, look: str) -> None:
    """Nothing is wider than the window, and axe-core finds nothing wrong."""
    page.wait_for_selector("#work:not([inert])")
    assert page.evaluate("document.documentElement.scrollWidth") <= LOOKS[look]["viewport"]["width"]
    assert axe_violations(page) == []


@pytest.mark.parametrize("look", LOOKS)
def test_everybody_can_use_it(browser: Any, server: Served, look: str) -> None:
    options = LOOKS[look] | {"bypass_csp": True}  # axe-core is put into the page
    with opened(browser, server.links[5 + list(LOOKS).index(look)], **options) as page:
        page.wait_for_selector("#work:not([inert]) button")
        looks_right(page, look)
        begin(page)
        page.keyboard.press("Enter")
        looks_right(page, look)
        for key in "?g":
            page.keyboard.press(key)
            page.wait_for_selector("dialog[open]")
            looks_right(page, look)
            page.keyboard.press("Escape")
        page.keyboard.press("f")
        page.keyboard.press("Control+Enter")
        looks_right(page, look)
        page.click("text=Take it back")
        settle(page, "1")
        other = page.context.new_page()
        other.goto(f"{server.address}/")
        other.wait_for_selector("fieldset#adequacy-0")
        for each, adequacy in ((other, "1"), (page, "5")):
            each.keyboard.press(adequacy)
            each.keyboard.press("Enter")
        page.wait_for_selector(".answer")
        looks_right(page, look)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("protocol", ["da-sqm", "intelligibility", "four-level-adequacy"])
def test_everybody_can_use_every_kind_of_scale(browser: Any, tmp_path: Path, look: str, protocol: str) -> None:
    (tmp_path / "documents.txt").write_text("a\na\na\nb\n", encoding="utf-8")
    documents = ("--documents", str(tmp_path / "documents.txt"), "--unit", "document")
    directory = made(tmp_path, "--raters", "1", "--protocol", protocol, *documents)
    options = LOOKS[look] | {"bypass_csp": True}
    with served(directory) as running, opened(browser, running.links[1], **options) as page:
        begin(page)
        looks_right(page, look)
        page.keyboard.press("2")
        page.click("button.main")
        if page.locator(".lack").count():
            assert page.evaluate("() => document.activeElement.closest('.part').dataset.part") == "1"
        looks_right(page, look)


def test_who_hears_the_page_hears_where_they_are(browser: Any, server: Served) -> None:
    with opened(browser, server.links[8], viewport=DESK) as page:
        begin(page)
        assert focused(page, "textContent") == "Translation 1"
        assert [page.locator(role).count() for role in ("header", "nav[aria-label]", "main", "[role=status]")] == [
            1
        ] * 4
        page.keyboard.press("Enter")
        assert page.locator("[role=alert]").inner_text() == "Not sent yet. Fluency: choose a point."
        described = focused(page, "getAttribute('aria-describedby')")
        assert page.locator(f"[id='{described}']").inner_text() == "Fluency: choose a point."
        settle(page, "4")
        assert page.inner_text("[role=status]") == "Now shown: A translation known to be right."
        assert focused(page, "closest('fieldset').querySelector('legend').textContent").startswith("Adequacy")
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        done(page, 1)
        assert focused(page, "textContent") == "Translation 2"
