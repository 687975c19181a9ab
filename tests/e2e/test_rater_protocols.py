"""The first screen of a campaign of every protocol: axe-core finds nothing wrong with it, and it fits any window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.browser import TIMEOUT, axe_violations
from tests.e2e.rater_pages import LOOKS, READY
from tests.unit.campaigns.every_protocol import NAMES, corpus_file, fill_in, made

pytest.importorskip("uvicorn", reason="pip install 'karat[web]'")

import uvicorn

from karat.campaigns.files import read_campaign
from karat.service import campaigns
from karat.service.inputs import CorpusFile
from karat.web.app import application

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@dataclass
class Host:
    """One server, of whichever campaign it is told to serve."""

    texts: CorpusFile
    place: Path
    address: str = ""
    app: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)

    def link_to(self, protocol: str) -> str:
        """Where the first rater of a campaign of the protocol enters."""
        directory = made(protocol, self.texts, self.place)
        fill_in(directory)
        running = campaigns.begin(read_campaign(str(directory)), campaigns.open_store(str(directory)))
        self.app = application(running)
        return f"{self.address}/#{running.store.new_link(1)}"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    place = tmp_path_factory.mktemp("protocols")
    serving = Host(corpus_file(place), place)
    config = uvicorn.Config(serving, port=0, lifespan="off", interface="asgi3", log_level="critical", ws="none")
    server, listening = uvicorn.Server(config), config.bind_socket()
    thread = Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    serving.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    yield serving
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.mark.parametrize("protocol", NAMES)
def test_everybody_can_use_the_first_screen(browser: Any, host: Host, protocol: str) -> None:
    page = browser.new_context(**LOOKS["light"], bypass_csp=True).new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(host.link_to(protocol))
    page.wait_for_selector("#work:not([inert]) h2")
    if page.get_by_role("button", name="Yes").count():
        page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    assert axe_violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(LOOKS["phone"]["viewport"])
    assert page.evaluate("document.documentElement.scrollWidth") <= LOOKS["phone"]["viewport"]["width"]
    page.context.close()
