"""Pages in a real browser: Debian's Chromium, driven by Playwright, with no way out of the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
NODE_MODULES = ROOT / "build" / "page" / "node_modules"
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 375, "height": 800}
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
CANARIES = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!-- <img src=x onerror=alert(3)>",
    "javascript:alert(4)",
    "line\u2028separator",
    "right\u202eto left",
    "nul\x00here",
    "=cmd()",
    "{{ 7 * 7 }}",
)
"""Texts that try to be more than text; a file can hold each of them."""
LONE_SURROGATES = "lone \ud800 high \udfff low"
"""What only a program can hold."""
TIMEOUT = 60_000
"""Milliseconds that a page may take to do what it should."""
INSTALL_LINES = {
    "chromium": "there is no Chromium: apt-get install chromium",
    "axe": "axe-core is not here: apt-get install npm, then make build/page/.installed",
}


def chromium() -> str:
    """The path of the browser; a skip that tells how to install it where it is absent."""
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    pytest.skip(INSTALL_LINES["chromium"])


@contextmanager
def launched() -> Iterator[Any]:
    """A running browser."""
    path = chromium()
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@dataclass
class Visit:
    """An open page, and what it did that it should not: requests, errors, dialogs."""

    page: Any
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def assert_quiet(self) -> None:
        """The page asked for nothing, complained of nothing and opened no dialog."""
        assert (self.requests, self.errors, self.dialogs) == ([], [], [])


@contextmanager
def visit(browser: Any, file: Path, *, address: str = "", **options: Any) -> Iterator[Visit]:
    """A file opened in a window of its own, every request blocked and noted."""
    context = browser.new_context(offline=True, **options)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    visited = Visit(page)

    def block(route: Any) -> None:
        visited.requests.append(route.request.url)
        route.abort()

    def refuse(dialog: Any) -> None:
        visited.dialogs.append(dialog.message)
        dialog.dismiss()

    context.route(lambda url: not url.startswith((file.as_uri(), "blob:")), block)
    page.on("dialog", refuse)
    page.on("pageerror", lambda error: visited.errors.append(str(error)))
    page.on("console", lambda said: visited.errors.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(file.as_uri() + address)
    yield visited
    context.close()


def tab_to(page: Any, wanted: str, key: str = "Tab") -> None:
    """Press a key until an element has the focus that a selector names; nobody presses it a hundred times."""
    for _ in range(100):
        page.keyboard.press(key)
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"{wanted} is not reached by {key}")


def saved_by(page: Any, button: Any) -> str:
    """The text of the file that a button saves."""
    with page.expect_download() as saving:
        button.click()
    return Path(saving.value.path()).read_text(encoding="utf-8")


def fits_and_is_accessible(page: Any, size: dict[str, int]) -> None:
    """Nothing is wider than the window, and axe-core finds nothing wrong."""
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert axe_violations(page) == []


def axe_violations(page: Any) -> list[str]:
    """What axe-core finds wrong with a page, whatever its impact."""
    script = NODE_MODULES / "axe-core" / "axe.min.js"
    # Programs of a bare machine do not bring it back, so neither does what they installed before.
    if not script.is_file() or shutil.which("npm") is None:
        pytest.skip(INSTALL_LINES["axe"])
    page.evaluate(script.read_text(encoding="utf-8"))
    # All that is right would be some megabytes more.
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((results) => results.violations)")
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]
