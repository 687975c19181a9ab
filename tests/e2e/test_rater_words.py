"""The page in a language that does not exist: what is not in it was never put into a file of messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser import tab_to
from tests.e2e.campaign_server import Served, served
from tests.e2e.rater_pages import DESK, READY, begin, opened
from tests.e2e.test_campaign import made
from tests.e2e.test_rater_widgets import made_for

from karat.web.languages import Languages

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WORDS_ON_THE_PAGE = """() => {
    const said = [];
    const walk = (element) => {
        if (element.hidden || ["SCRIPT", "STYLE", "NOSCRIPT", "KBD"].includes(element.tagName)) return;
        if (element.hasAttribute("data-content")) return;
        for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"])
            if (element.hasAttribute(name)) said.push(element.getAttribute(name));
        for (const child of element.childNodes) {
            if (child.nodeType === Node.TEXT_NODE) said.push(child.textContent);
            else if (child.nodeType === Node.ELEMENT_NODE) walk(child);
        }
    };
    walk(document.body);
    return said;
}"""


def pseudo(direction: str) -> dict[str, str]:
    """Every message in brackets that English never has, right to left or left to right."""
    english = Languages.known().messages("en")
    return {name: f"⟦{text}⟧" for name, text in english.items()} | {"direction": direction}


def untranslated(page: Any) -> list[str]:
    """What is on the page outside of brackets, but for numbers."""
    rest = [without_brackets(text).strip(" \n,.…") for text in page.evaluate(WORDS_ON_THE_PAGE)]
    return [text for text in rest if text and not text.replace(".", "").isdigit()]


def without_brackets(text: str) -> str:
    """What stands outside of all brackets, which may hold others."""
    outside, depth = "", 0
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        outside += sign if depth == 0 and sign != "⟧" else ""
    return outside


@pytest.fixture(scope="module", params=["adequacy-fluency", "da-sqm"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("words")
    (place / "documents.txt").write_text("a\na\na\na\n", encoding="utf-8")
    unit = ("--documents", str(place / "documents.txt"), "--unit", "document") if request.param == "da-sqm" else ()
    directory = made(place, "--protocol", request.param, "--raters", "2", "--judgements", "2", *unit)
    for language, direction in (("zz", "ltr"), ("zy", "rtl")):
        (directory / f"messages.{language}.json").write_text(json.dumps(pseudo(direction)), encoding="utf-8")
    with served(directory) as running:
        yield running


def in_language(link: str, language: str) -> str:
    return link.replace("/#", f"/?lang={language}#")


def seen_by_a_rater(page: Any) -> Iterator[str]:
    """The name of each screen that a rater comes to, while it is there."""
    page.wait_for_selector("#work:not([inert]) button")
    yield "the beginning"
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    yield "a task"
    page.keyboard.press("Enter")
    page.wait_for_selector(".lack")
    yield "what is missing"
    for key, sight in (("g", "dialog[open]"), ("?", "dialog[open]")):
        page.keyboard.press(key)
        page.wait_for_selector(sight)
        yield key
        page.keyboard.press("Escape")
    page.keyboard.press("p")
    yield "a pause"
    page.keyboard.press("p")
    yield from answered_with_a_reason(page)


def answered_with_a_reason(page: Any) -> Iterator[str]:
    """Until the task has been sent, and is looked at once more."""
    for part in range(page.locator(".part").count()):
        page.locator(".flag button").nth(part).click()
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".lack")
        yield "a flag without a reason"
        page.locator("textarea").nth(part).fill("12")
    page.keyboard.press("Control+Enter")
    page.locator("#progress", has_text="1").wait_for()
    page.wait_for_selector(READY)
    page.keyboard.press("b")
    page.wait_for_selector("textarea")
    yield "an earlier answer"
    page.keyboard.press("u")
    yield "nothing to undo"


def test_no_word_of_the_page_is_outside_of_the_messages(browser: Any, server: Served) -> None:
    with opened(browser, in_language(server.links[1], "zz"), viewport=DESK) as page:
        screens = [(screen, untranslated(page)) for screen in seen_by_a_rater(page)]
    assert [(screen, words) for screen, words in screens if words] == []
    assert len(screens) >= 9


@pytest.mark.parametrize("protocol", ["mqm", "ranking", "preference", "post-edit"])
def test_no_word_of_a_widget_is_outside_of_the_messages(browser: Any, tmp_path: Path, protocol: str) -> None:
    directory = made_for(protocol, tmp_path)
    (directory / "messages.zz.json").write_text(json.dumps(pseudo("ltr")), encoding="utf-8")
    with served(directory) as running, opened(browser, in_language(running.links[1], "zz"), viewport=DESK) as page:
        begin(page)
        assert untranslated(page) == []
        if protocol == "mqm":
            tab_to(page, ".marked [role=option]")
        for key in ("1", "Enter", "?"):
            page.keyboard.press(key)
            assert untranslated(page) == []


def test_a_language_from_right_to_left_mirrors_the_page(browser: Any, server: Served) -> None:
    with opened(browser, in_language(server.links[2], "zy"), viewport=DESK) as page:
        page.wait_for_selector("#work:not([inert]) button")
        assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["zy", "rtl"]
        name, help_button = (page.locator(place).bounding_box()["x"] for place in ("#campaign", "#help"))
        assert name > help_button
        page.keyboard.press("Enter")
        page.wait_for_selector(READY)
        assert page.evaluate("document.documentElement.scrollWidth") <= DESK["width"]


def test_the_browser_says_which_language_it_prefers(browser: Any, server: Served) -> None:
    with opened(browser, server.links[2], viewport=DESK, locale="zz-ZZ") as page:
        page.wait_for_selector("#work:not([inert]) h2")
        assert page.evaluate("document.documentElement.lang") == "zz"
