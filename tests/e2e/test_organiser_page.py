"""The organiser's pages in a browser: from the link that sets the password to a new link for a rater."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser import DESK, PHONE, TIMEOUT, axe_violations

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("argon2", reason="pip install 'karat[web]'")

from tests.e2e.campaign_server import Device, served
from tests.e2e.test_campaign import BOTH, made

pytestmark = pytest.mark.browser
PASSWORD = "a long password"


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport=DESK)
    context.set_default_timeout(TIMEOUT)
    yield context.new_page()
    context.close()


def assert_good(page: Any) -> None:
    """At any size and in any scheme, axe-core finds nothing wrong, and the page is no wider than the window."""
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert axe_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size(DESK)


@pytest.mark.parametrize("look", [lambda _: None, assert_good], ids=["works", "can be used by all"])
def test_an_organiser_sets_a_password_looks_and_makes_a_link(
    look: Callable[[Any], None], page: Any, tmp_path: Path
) -> None:
    with served(made(tmp_path)) as running:
        device = Device.of(running.links[1])
        assert device.submit(device.next(), BOTH)[0] == 200
        page.goto(running.setup)
        page.get_by_label("A new password").wait_for()
        assert "#" not in page.url
        look(page)
        page.get_by_label("A new password").fill(PASSWORD)
        page.get_by_role("button", name="Set the password").click()
        page.get_by_text("1 of 8 tasks are done.").wait_for()
        look(page)
        page.get_by_role("link", name="What people have said so far").click()
        page.get_by_text("canary").first.wait_for()
        look(page)
        page.get_by_role("link", name="Back").click()
        page.get_by_role("button", name="New link for rater-2").click()
        link = page.locator("code").inner_text()
        assert Device.of(link).get("/api/state")[0] == 200
        page.get_by_role("link", name="Back").click()
        page.get_by_role("button", name="Log out").click()
        page.get_by_label("Password of the organiser").fill("not the password")
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("this is not the password").wait_for()
        page.get_by_label("Password of the organiser").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("1 of 8 tasks are done.").wait_for()
