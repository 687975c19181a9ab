"""The page of a rater, opened in a real browser and driven by its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser import TIMEOUT
from tests.contract.commands import run

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 720}
LOOKS = {
    "light": {"viewport": DESK, "color_scheme": "light"},
    "dark": {"viewport": DESK, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light"},
}
READY = "#work:not([inert]) .field"


@contextmanager
def opened(browser: Any, link: str, **options: Any) -> Iterator[Any]:
    """The page that a link opens, which must not complain of anything but the network."""
    context = browser.new_context(**options)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(link)
    yield page
    # Chromium itself notes each answer that is no 200, and each request without a network.
    assert [error for error in errors if not error.startswith("Failed to load resource")] == []
    context.close()


def begin(page: Any) -> None:
    """Say that one reads the source language, and wait for the first task."""
    page.wait_for_selector("#work:not([inert]) button >> text=Yes")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)


def settle(page: Any, fluency: str) -> None:
    """The first question, until the second is there."""
    page.wait_for_selector("#work:not([inert]) fieldset#fluency-0")
    page.keyboard.press(fluency)
    page.keyboard.press("Enter")
    page.wait_for_selector("#work:not([inert]) fieldset#adequacy-0")


def answer(page: Any, fluency: str = "4", adequacy: str = "3") -> None:
    """Both questions about one translation."""
    settle(page, fluency)
    page.keyboard.press(adequacy)
    page.keyboard.press("Enter")


def done(page: Any, count: int) -> None:
    """Wait until so much is done, and the next is there."""
    page.locator("#progress", has_text=f"{count} of").wait_for()
    page.wait_for_selector("#work:not([inert]) h2")


def means_of(directory: Path) -> set[tuple[str, float]]:
    """What the raters of a campaign said on average, by criterion."""
    return {(entry["criterion"], entry["score"]) for entry in systems_of(directory)}


def systems_of(path: Path) -> Any:
    """What `karat human` says of systems."""
    outcome = run("human", str(path), "--json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)["systems"]


def focused(page: Any, expression: str) -> Any:
    """Something of the element that has the focus."""
    return page.evaluate(f"() => document.activeElement.{expression}")


def kept_on_device(page: Any) -> str:
    """All that the page keeps: local storage, session storage, the outbox and cookies that scripts can read."""
    stored: str = page.evaluate(
        """async () => {
            const database = await new Promise((resolve) => {
                const opening = indexedDB.open("karat");
                opening.onsuccess = () => resolve(opening.result);
            });
            const outbox = await new Promise((resolve) => {
                const asked = database.transaction("outbox").objectStore("outbox").getAll();
                asked.onsuccess = () => resolve(asked.result);
            });
            database.close();
            return JSON.stringify([{...localStorage}, {...sessionStorage}, outbox, document.cookie]);
        }"""
    )
    return stored
