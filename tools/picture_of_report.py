"""The picture of the README: the first screen of the sample's report, as Chromium shows it.

    make picture

Needs Chromium (apt-get install chromium) and Playwright, which the test group installs.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from karat.sample import path as sample_path
from karat.service.human import HumanRequest
from karat.service.inputs import CorpusFile
from karat.service.reporting import ReportRequest, report
from karat.service.requests import EvidenceRequest

PICTURE = Path(__file__).parent.parent / "docs" / "how-to" / "pictures" / "report.png"
SIZE = {"width": 1280, "height": 712}
MOST_BYTES = 200_000


def sample_report() -> str:
    """The page about the bundled sample that `make demo` writes."""
    evidence = EvidenceRequest(texts=CorpusFile(str(sample_path("corpus.jsonl"))), metrics=("bleu", "chrf", "ter"))
    ratings = HumanRequest(paths=(str(sample_path("ratings.tsv")),))
    return report(ReportRequest(evidence=evidence, ratings=ratings)).to_html()


def photograph(page: Path, picture: Path) -> None:
    """Write the first screen of a page as a picture."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        sys.exit("there is no Chromium: apt-get install chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program)
        window = browser.new_context(viewport=SIZE, color_scheme="light", offline=True).new_page()
        window.goto(page.as_uri())
        window.locator("#forests").wait_for()
        window.screenshot(path=picture)
        browser.close()


def main() -> None:
    """Write the picture, and say so."""
    with tempfile.TemporaryDirectory() as directory:
        page = Path(directory) / "report.html"
        page.write_text(sample_report(), encoding="utf-8")
        photograph(page, PICTURE)
    size = PICTURE.stat().st_size
    if size > MOST_BYTES:
        sys.exit(f"{PICTURE.name} has {size:,} bytes: keep it below {MOST_BYTES:,}")
    print(f"{PICTURE.name}: {size:,} bytes")


if __name__ == "__main__":
    main()
