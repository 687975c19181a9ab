"""The pictures of the how-to about campaigns: the pages of raters and organiser, as Chromium shows them.

    make picture

Needs Chromium (apt-get install chromium) and Playwright, which the test group installs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from karat.sample import path as sample_path
from karat.service.campaigns import NewCampaignRequest, new_campaign
from karat.service.inputs import CorpusFile

PICTURES = Path(__file__).parent.parent / "docs" / "how-to" / "pictures"
DESK, PHONE = {"width": 1180, "height": 640}, {"width": 390, "height": 780}
MOST_BYTES = 200_000
READY = "#work:not([inert]) .field"
SAMPLE = CorpusFile(str(sample_path("corpus.jsonl")), None, "de-en", (), ())


ITEM = """[[items]]
criterion = "informativeness"
name = "{name}"
segment = "{segment}"
text = "{text}"
options = {options}
right = ["{right}"]

"""
FIXED = ("none of the above", "cannot be determined")
QUESTIONS = (
    ("speaker", "Who speaks here?", ["a reporter", "a customer", "a neighbour", "a mayor", *FIXED], "a reporter"),
    (
        "purpose",
        "What is it said for?",
        ["to tell news", "to complain", "to give advice", "to thank", *FIXED],
        "to tell news",
    ),
)


def write_questions(plan: Path, segments: list[str]) -> None:
    """Put questions about every segment in the place of those that are to be filled in."""
    asked = [
        ITEM.format(segment=segment, name=name, text=text, options=json.dumps(options), right=right)
        for segment in segments
        for name, text, options, right in QUESTIONS
    ]
    template = plan.read_text(encoding="utf-8").partition("[[items]]")[0]
    plan.write_text(template + "".join(asked), encoding="utf-8")


@contextmanager
def printed_of(directory: Path, **wanted: Any) -> Iterator[dict[str, Any]]:
    """What is printed of a campaign about the sample while it is served: its links among it."""
    made = new_campaign(NewCampaignRequest(directory=str(directory), texts=SAMPLE, raters=12, seed=5, **wanted))
    if wanted["protocol"] == "informativeness":
        write_questions(directory / "campaign.toml", [segment.name for segment in made.material.segments])
    command = [sys.executable, "-m", "karat", "campaign", "serve", str(directory), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            printed: dict[str, Any] = json.loads("".join(iter(server.stdout.readline, "}\n")) + "}")
            yield printed
        finally:
            server.kill()


@contextmanager
def link_to(directory: Path, **wanted: Any) -> Iterator[str]:
    """The link of the first rater of such a campaign."""
    with printed_of(directory, **wanted) as printed:
        yield printed["links"][0]["link"]


def visited(browser: Any, link: str, **options: Any) -> Any:
    """The page with its first task."""
    page = browser.new_context(**options).new_page()
    page.goto(link)
    page.wait_for_selector("#work:not([inert]) button >> text=Yes")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    return page


def answered(page: Any, fluency: str, adequacy: str) -> None:
    """One task, and the next on the screen."""
    page.keyboard.press(fluency)
    page.keyboard.press("Enter")
    page.wait_for_selector("fieldset#adequacy-0")
    page.keyboard.press(adequacy)
    page.keyboard.press("Enter")
    page.wait_for_selector("#work:not([inert]) fieldset#fluency-0")


def photograph_segments(browser: Any, directory: Path) -> None:
    """Adequacy and fluency: on a desk, and the same task on a phone at night."""
    with link_to(directory, protocol="adequacy-fluency", show=("source",)) as link:
        page = visited(browser, link, viewport=DESK, color_scheme="light")
        for _ in range(4):
            answered(page, "4", "4")
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        page.wait_for_selector("fieldset#adequacy-0")
        page.keyboard.press("3")
        page.screenshot(path=PICTURES / "rater.segment.png")
        phone = page.context.browser.new_context(
            viewport=PHONE, color_scheme="dark", storage_state=page.context.storage_state()
        )
        page = phone.new_page()
        page.goto(link)
        page.wait_for_selector(READY)
        page.keyboard.press("4")
        page.screenshot(path=PICTURES / "rater.phone.png")


def photograph_document(browser: Any, directory: Path) -> None:
    """Direct assessment in document flow."""
    with link_to(directory, protocol="da-sqm", show=("source",), unit="document") as link:
        page = visited(browser, link, viewport=DESK | {"height": 820}, color_scheme="light")
        for value in ("78", "41"):
            page.keyboard.type(value)
            page.keyboard.press("Enter")
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=PICTURES / "rater.document.png")


WIDGETS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "spans": (
        {"protocol": "mqm"},
        ("Tab", "Tab", "Home", *["ArrowRight"] * 2, "Shift+ArrowRight", "2", "m", *["ArrowRight"] * 3, "1", "w"),
    ),
    "ranking": ({"protocol": "ranking", "together": 3}, ("2", "1")),
    "preference": ({"protocol": "preference", "together": 2}, ("4",)),
    "choice": ({"protocol": "informativeness"}, ("3", "Enter")),
    "writing": (
        {"protocol": "post-edit"},
        ("Tab", "Control+Home", *["Control+ArrowRight"] * 2, "Shift+Control+ArrowRight"),
    ),
    "beside": (
        {"protocol": "esa", "together": 2, "unit": "document"},
        ("Tab", *["ArrowRight"] * 5, "Shift+ArrowRight", "1"),
    ),
}
"""What is asked, and the keys that a rater presses, by the name of the picture."""


def photograph_widgets(browser: Any, directory: Path) -> None:
    """The widgets beside scales: one picture each."""
    for name, (wanted, keys) in WIDGETS.items():
        with link_to(directory / name / "News in English", show=("source",), **wanted) as link:
            page = visited(browser, link, viewport=DESK | {"height": 760}, color_scheme="light")
            for key in keys:
                page.keyboard.press(key)
            page.evaluate("window.scrollTo(0, 0)")
            page.screenshot(path=PICTURES / f"rater.{name}.png")


def photograph_organiser(browser: Any, directory: Path) -> None:
    """How far raters are, as the organiser sees it who has set a password."""
    with printed_of(directory, protocol="adequacy-fluency", show=("source",), repeats=0.1) as printed:
        for link, done in zip(printed["links"][:3], (7, 4, 2), strict=True):
            page = visited(browser, link["link"], viewport=DESK)
            for number in range(done):
                answered(page, str(3 + number % 2), str(2 + number % 3))
        page = browser.new_context(viewport=DESK, color_scheme="light").new_page()
        page.goto(printed["setup"])
        page.get_by_label("A new password").fill("only for a picture")
        page.get_by_role("button", name="Set the password").click()
        page.wait_for_selector("table")
        page.screenshot(path=PICTURES / "organiser.png")


def main() -> None:
    """Write the pictures, and say so."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("there is no Chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program)
        photograph_segments(browser, Path(directory, "News in English"))
        photograph_document(browser, Path(directory, "Documents"))
        photograph_widgets(browser, Path(directory))
        photograph_organiser(browser, Path(directory, "Adequacy"))
        browser.close()
    for picture in sorted((*PICTURES.glob("rater.*.png"), PICTURES / "organiser.png")):
        size = picture.stat().st_size
        if size > MOST_BYTES:
            sys.exit(f"{picture.name} has {size:,} bytes: keep it below {MOST_BYTES:,}")
        print(f"{picture.name}: {size:,} bytes")


if __name__ == "__main__":
    main()
