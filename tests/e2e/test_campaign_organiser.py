"""The organiser's pages: opened by a password or a link that works once, closed to everybody else."""

from __future__ import annotations

import html
import http.client
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from tests.contract.commands import run

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")
pytest.importorskip("argon2", reason="pip install 'karat[web]'")

from tests.e2e.campaign_server import Device, Served, served
from tests.e2e.test_campaign import BOTH, good, made

PASSWORD = "a long password & <more>"


@dataclass
class Browser:
    """Sends forms and keeps the cookie, as a browser does."""

    address: str
    cookie: str = ""
    origin: str | None = None

    def get(self, path: str) -> tuple[int, str]:
        return self.ask("GET", path, None)

    def send(self, path: str, **fields: str) -> tuple[int, str]:
        return self.ask("POST", path, urlencode(fields))

    def ask(self, method: str, path: str, body: str | None) -> tuple[int, str]:
        parts = urlsplit(self.address)
        headers = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        if method == "POST":
            headers["Origin"] = self.origin or f"{parts.scheme}://{parts.netloc}"
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        connection.request(method, parts.path + path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        if cookie := self.headers.get("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        connection.close()
        return answer.status, text

    def csrf(self) -> str:
        """What the page says with each change."""
        found = re.search(r'name="csrf" value="([^"]+)"', self.get("/organiser")[1])
        assert found is not None
        return html.unescape(found[1])

    @classmethod
    def of(cls, address: str, password: str = PASSWORD) -> Browser:
        browser = cls(address)
        status, page = browser.send("/organiser/login", password=password)
        assert status == 303, page
        return browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Served]]:
    directory = made(tmp_path_factory.mktemp("organised"), "--judgements", "2")
    done = run("campaign", "password", str(directory), "--json", stdin=f"{PASSWORD}\n".encode())
    assert json.loads(done.out)["passwords"] == [{"of": "organiser", "set": True}]
    assert PASSWORD not in done.out + done.err
    with served(directory) as running:
        device = Device.of(running.links[1])
        for _ in range(4):
            assert device.submit(device.next(), BOTH)[0] == 200
        yield directory, running


def test_the_pages_tell_what_the_commands_tell(server: tuple[Path, Served]) -> None:
    directory, running = server
    browser = Browser.of(running.address)
    status, page = browser.get("/organiser")
    assert (status, "4 of 16 tasks are done." in page, "rater-2" in page) == (200, True, True)
    assert json.loads(browser.get("/organiser/status.json")[1]) == good("campaign", "status", str(directory))
    shown = json.loads(browser.get("/organiser/results.json")[1])
    assert shown["systems"] == good("human", str(directory))["systems"]
    status, page = browser.get("/organiser/results")
    assert (status, "canary-alpha" in page) == (200, True)


def test_what_is_taken_away_is_what_the_commands_write(server: tuple[Path, Served], tmp_path: Path) -> None:
    directory, running = server
    browser = Browser.of(running.address)
    assert browser.get("/organiser/export.jsonl")[1] == run("campaign", "export", str(directory)).out
    for form in ("csv", "tsv", "jsonl"):
        expected = run("campaign", "export", str(directory), "--to", form).out
        assert browser.get(f"/organiser/ratings/{form}")[1] == expected
        assert f"ratings.{form}" in browser.headers["content-disposition"]
    (tmp_path / "taken.csv").write_text(browser.get("/organiser/ratings/csv")[1], encoding="utf-8")
    assert good("human", str(tmp_path / "taken.csv"))["systems"] == good("human", str(directory))["systems"]
    assert browser.get("/organiser/ratings/numbers")[0] == 422


def test_nobody_else_gets_in(server: tuple[Path, Served]) -> None:
    _, running = server
    for browser in (
        Browser(running.address),
        Browser(running.address, f"{Browser.of(running.address).cookie.partition('=')[0]}=x"),
    ):
        status, page = browser.get("/organiser")
        assert (status, 'type="password"' in page, "canary" in page or "mine" in page) == (200, True, False)
        for path in ("status.json", "results", "results.json", "export.jsonl", "ratings/csv"):
            assert browser.get(f"/organiser/{path}")[0] == 401
        for path in ("links/1", "links/1/revoke", "logout"):
            assert browser.send(f"/organiser/{path}", csrf="x")[0] == 401
    status, page = Browser(running.address).send("/organiser/login", password="not the password")
    assert (status, "this is not the password" in page) == (403, True)
    assert Browser(running.address).send("/organiser/setup", secret="x", password=PASSWORD)[0] == 404


def test_a_rater_does_not_get_in_and_an_organiser_is_no_rater(server: tuple[Path, Served]) -> None:
    _, running = server
    rater, organiser = Device.of(running.links[2]), Browser.of(running.address)
    assert rater.get("/organiser/status.json")[0] == 401
    assert organiser.get("/api/state")[0] == 401
    disguised = rater.cookie.replace("karat-rater-", "karat-organiser-")
    assert disguised != rater.cookie
    assert Browser(running.address, disguised).get("/organiser/status.json")[0] == 401
    disguised = organiser.cookie.replace("karat-organiser-", "karat-rater-")
    assert disguised != organiser.cookie
    assert Browser(running.address, disguised).get("/api/state")[0] == 401


def test_links_are_made_and_revoked_on_the_page(server: tuple[Path, Served]) -> None:
    _, running = server
    browser = Browser.of(running.address)
    csrf = browser.csrf()
    status, page = browser.send("/organiser/links/2", csrf=csrf)
    found = re.search(r"<code>(.+)</code>", page)
    assert status == 200
    assert found is not None
    device = Device.of(html.unescape(found[1]))
    assert device.get("/api/state")[0] == 200
    assert browser.send("/organiser/links/2/revoke", csrf=csrf)[0] == 303
    assert device.get("/api/state")[0] == 401
    assert browser.send("/organiser/links/99", csrf=csrf)[0] == 404


def test_a_change_comes_from_the_page_of_this_site(server: tuple[Path, Served]) -> None:
    _, running = server
    browser = Browser.of(running.address)
    csrf = browser.csrf()
    for fields in ({}, {"csrf": "x"}, {"csrf": browser.cookie}):
        assert browser.send("/organiser/links/1/revoke", **fields)[0] == 403
    for origin in (
        "http://elsewhere.example",
        "null",
        "http://[",
        "http://[bad]:x",
        running.address.replace("http", "https"),
    ):
        stranger = Browser(running.address, browser.cookie, origin)
        assert stranger.send("/organiser/links/1/revoke", csrf=csrf)[0] == 403
        assert stranger.send("/organiser/login", password=PASSWORD)[0] == 403
    for path in ("/organiser/links/1/revoke", "/organiser/logout", "/api/enter", "/api/next"):
        assert browser.get(path)[0] == 405
    assert browser.send("/organiser/logout", csrf=csrf)[0] == 303
    old = Browser(running.address, browser.cookie)
    assert old.get("/organiser/status.json")[0] == 401


def test_texts_are_escaped(tmp_path: Path) -> None:
    directory = made(tmp_path)
    plan = directory / "campaign.toml"
    name = "<script>alert(1)</script>"
    plan.write_text(plan.read_text(encoding="utf-8").replace('name = "mine"', f'name = "{name}"'), encoding="utf-8")
    assert run("campaign", "password", str(directory), stdin=f"{PASSWORD}\n".encode()).code == 0
    with served(directory) as running:
        page = Browser.of(running.address).get("/organiser")[1]
    assert name not in page
    assert "&lt;script&gt;" in page


def test_a_link_sets_the_password_once(tmp_path: Path) -> None:
    with served(made(tmp_path)) as running:
        assert running.setup is not None
        secret = running.setup.partition("#")[2]
        browser = Browser(running.address)
        assert browser.get("/organiser")[0] == 200  # a browser that looks ahead changes nothing
        status, page = browser.send("/organiser/setup", secret=secret, password="short")
        assert (status, "a password has 10 to 1,000 characters" in page) == (422, True)
        assert browser.send("/organiser/setup", secret=secret, password=PASSWORD)[0] == 303
        assert browser.get("/organiser/status.json")[0] == 200
        assert Browser(running.address).send("/organiser/setup", secret=secret, password="another password")[0] == 404
        Browser.of(running.address)
    with served(tmp_path / "mine") as again:
        assert again.setup is None


def test_a_new_password_ends_what_the_old_one_opened(tmp_path: Path) -> None:
    directory = made(tmp_path)
    assert run("campaign", "password", str(directory), stdin=f"{PASSWORD}\n".encode()).code == 0
    with served(directory) as running:
        browser = Browser.of(running.address)
        assert run("campaign", "password", str(directory), stdin=b"another password\n").code == 0
        assert browser.get("/organiser/status.json")[0] == 401
        assert Browser(running.address).send("/organiser/login", password=PASSWORD)[0] == 403
        Browser.of(running.address, "another password")
    refused = run("campaign", "password", str(directory), stdin=b"short\n")
    assert (refused.code, "10 to 1,000 characters" in refused.err) == (2, True)


def test_who_guesses_waits(tmp_path: Path) -> None:
    directory = made(tmp_path)
    assert run("campaign", "password", str(directory), stdin=f"{PASSWORD}\n".encode()).code == 0
    with served(directory) as running:
        browser = Browser(running.address)
        answers = [browser.send("/organiser/login", password=f"guess {number}")[0] for number in range(20)]
        assert answers[:10] == [403] * 10
        assert 429 in answers[10:]
        assert Device.of(running.links[1]).get("/api/state")[0] == 200
