"""The modules of the rater's page on a page of their own: no server, no campaign."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser import TIMEOUT

from karat.web.app import STATIC
from karat.web.languages import Languages

ADDRESS = "http://modules.test/"
EMPTY = """<!doctype html><html lang="en"><title>x</title><link rel="stylesheet" href="static/page.css">
<main id="work"></main><p id="said"></p>"""
TYPES = {".js": "text/javascript", ".css": "text/css"}
RULES = {"texts": ["hypothesis"], "categories": [], "severities": ["minor", "major"], "tokens": [], "overlap": True}
QUESTION = {
    **{"criterion": "errors", "name": "errors", "help": None, "items": False, "item": None, "reveal": False},
    **{"span_below": None, "show": [], "minimum": 0, "maximum": 0, "whole": True, "points": [], "own_labels": False},
    **{"widget": "spans", "ranking": None, "text": None},
}
SHOW = """async ({question, part, state}) => {
    await (await import("/static/text.js")).loadMessages();
    const { fieldOf } = await import("/static/widgets/index.js");
    const setting = { state, question, part, name: "asked", value: undefined, columns: 1, exempt: () => [false] };
    window.field = fieldOf({ ...setting, changed: (value) => (window.value = value) }, false);
    window.value = undefined;
    const text = field.textOf("hypothesis");
    document.getElementById("work").replaceChildren(...(text ? [text] : []), field.element);
}"""


@contextmanager
def module_page(browser: Any) -> Iterator[Any]:
    """A page that can import the modules, and complains of nothing."""
    page = browser.new_page(viewport={"width": 900, "height": 700})
    page.set_default_timeout(TIMEOUT)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route(f"{ADDRESS}**", _answer)
    page.goto(ADDRESS)
    yield page
    assert errors == []
    page.close()


def _answer(route: Any) -> None:
    path = route.request.url.removeprefix(ADDRESS).partition("?")[0]
    file = Path(STATIC) / path.removeprefix("static/")
    if path == "":
        route.fulfill(body=EMPTY, content_type="text/html; charset=utf-8")
    elif path == "api/messages":
        english = {"language": "en", "messages": Languages.known().messages("en")}
        route.fulfill(body=json.dumps(english), content_type="application/json")
    else:
        route.fulfill(body=file.read_bytes(), content_type=f"{TYPES[file.suffix]}; charset=utf-8")


def show_text(page: Any, text: str, language: str | None = None, **rules: Any) -> None:
    """A text to be marked, by the rules of the campaign."""
    own = {**RULES, "unit": "characters", "gaps": False, **rules}
    offered = own.pop("offered", [])
    part = {"translation": text, "source": None, "hashes": {"hypothesis": "0" * 64}, "offered": offered, "items": []}
    state = {"source_language": None, "target_language": language, "protocol": "esa"}
    page.evaluate(SHOW, {"question": {**QUESTION, "spans": own}, "part": part, "state": state})


def spans_of(page: Any) -> list[dict[str, Any]]:
    """What has been marked on the page, without the marks that were removed."""
    return [span for span in page.evaluate("window.value ?? []") if span["fate"] != "removed"]
