"""Campaigns that other machines reach: by an address of their own, or through a proxy."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.contract.commands import run

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")
pytest.importorskip("argon2", reason="pip install 'karat[web]'")

from tests.e2e.campaign_proxy import proxied
from tests.e2e.campaign_server import Device, Served, served
from tests.e2e.test_campaign import BOTH, made
from tests.e2e.test_campaign_organiser import PASSWORD, Browser

PUBLIC = "https://rate.example/karat"
BEHIND = ("--address", PUBLIC, "--root-path", "/karat", "--proxy", "127.0.0.1")


def protected(directory: Path) -> Path:
    """A campaign with a password."""
    made(directory)
    assert run("campaign", "password", str(directory / "mine"), stdin=f"{PASSWORD}\n".encode()).code == 0
    return directory / "mine"


def test_other_machines_reach_it_only_where_there_is_a_password(tmp_path: Path) -> None:
    directory = made(tmp_path)
    for host in ("0.0.0.0", "::", "192.0.2.1", "elsewhere.example"):
        refused = run("campaign", "serve", str(directory), "--host", host, "--port", "0")
        assert (refused.code, "set a password first" in refused.err) == (2, True)
    assert run("campaign", "password", str(directory), stdin=f"{PASSWORD}\n".encode()).code == 0
    with served(directory, "--host", "0.0.0.0") as running:
        assert running.address.startswith("http://0.0.0.0:")
        address = running.address.replace("0.0.0.0", "127.0.0.1")
        assert Device.of(f"{address}/#{running.links[1].partition('#')[2]}").get("/api/state")[0] == 200


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(protected(tmp_path_factory.mktemp("behind")), *BEHIND) as running:
        yield running


def through(proxy: str, link: str, **headers: str) -> Device:
    """A device whose browser believes to be at the public address."""
    device = Device(proxy, headers={"Origin": "https://rate.example", "Sec-Fetch-Site": "same-origin"} | headers)
    status, body = device.post("/karat/api/enter", {"secret": link.partition("#")[2]})
    assert status == 200, body
    device.csrf = body["csrf"]
    return device


@pytest.mark.parametrize("strips", [True, False], ids=["path taken off", "path kept"])
def test_a_rater_works_through_a_proxy(strips: bool, behind: Served) -> None:
    assert behind.links[1].startswith(f"{PUBLIC}/#")
    with proxied(behind.listens, public=PUBLIC, strips=strips) as proxy:
        device = through(proxy, behind.links[1])
        cookie = device.last_headers["set-cookie"]
        assert "; Secure" in cookie
        assert "; Path=/karat;" in f"{cookie};"
        assert "; HttpOnly" in cookie
        assert "; SameSite=lax" in cookie
        status, task = device.post("/karat/api/next")
        assert status == 200
        for path in ("/karat/", "/karat/static/main.js", "/karat/static/page.css", "/karat/organiser"):
            assert device.get(path)[0] == 200
        settled = {"stage": 1, "answers": [{"values": {"fluency": BOTH["fluency"]}, "seconds": 1.0}]}
        assert device.post(f"/karat/api/tasks/{task['public']}/stage", settled)[0] == 200
        answers = [{"values": BOTH, "seconds": 1.0}]
        body = {"uuid": "8c5b1c1e-0000-4000-8000-00000000000" + str(int(strips)), "base_version": 0, "answers": answers}
        assert device.post(f"/karat/api/tasks/{task['public']}/answers", body)[0] == 200
        elsewhere = Device(proxy, device.cookie, device.csrf, {"Origin": "https://elsewhere.example"})
        assert elsewhere.post("/karat/api/next")[0] == 403
        plain = Device(proxy, device.cookie, device.csrf, {"Origin": "http://rate.example"})
        assert plain.post("/karat/api/next")[0] == 403
        status, _ = device.get("/karat")
        if not strips:  # else the proxy tells the two apart, and the server sees the same
            assert (status, device.last_headers["location"]) == (307, f"{PUBLIC}/")


def test_an_organiser_works_through_a_proxy(behind: Served) -> None:
    with proxied(behind.listens, public=PUBLIC) as proxy:
        browser = Browser(f"{proxy}/karat", origin="https://rate.example")
        assert browser.send("/organiser/login", password=PASSWORD)[0] == 303
        assert browser.headers["location"] == "/karat/organiser"
        assert "; Secure" in browser.headers["set-cookie"]
        status, page = browser.get("/organiser")
        assert (status, 'action="/karat/organiser/links/1"' in page) == (200, True)
        _, page = browser.send("/organiser/links/1", csrf=browser.csrf())
        assert f"<code>{PUBLIC}/#" in page


def test_what_a_stranger_says_of_itself_is_not_believed(tmp_path: Path) -> None:
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "rate.example", "X-Forwarded-For": "192.0.2.9"}
    with served(protected(tmp_path)) as running:
        device = Device(running.address, headers={"Origin": "https://rate.example", **said})
        assert device.post("/api/enter", {"secret": running.links[1].partition("#")[2]})[0] == 403
        device.headers["Origin"] = running.address
        assert device.post("/api/enter", {"secret": running.links[1].partition("#")[2]})[0] == 200
        assert "Secure" not in device.last_headers["set-cookie"]
        answers = []
        for number in range(14):  # whoever guesses has no other address for each guess
            browser = Browser(running.address)
            browser.get("/")
            connection = http.client.HTTPConnection(running.address.partition("//")[2], timeout=60)
            headers = {"X-Forwarded-For": f"192.0.2.{number}", "Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", "/organiser/login", "password=guess", headers)
            answers.append(connection.getresponse().status)
            connection.close()
        assert 429 in answers


def test_each_rater_behind_a_named_proxy_has_a_bucket_of_the_own(behind: Served) -> None:
    own = behind.listens
    for first, expected in (("192.0.2.1", 429), ("192.0.2.2", 403)):
        # What comes before the last value is what the rater said, and nobody believes it.
        headers = {"X-Forwarded-For": f"198.51.100.7, {first}"}
        with proxied(own, public=PUBLIC, headers=headers) as proxy:
            rounds = 14 if expected == 429 else 1
            answers = [
                Browser(f"{proxy}/karat", origin="https://rate.example").send("/organiser/login", password="x")[0]
                for _ in range(rounds)
            ]
            assert answers[-1] == expected or 429 in answers


def test_two_hundred_raters_enter_from_one_address(tmp_path: Path) -> None:
    with served(made(tmp_path, "--raters", "200", "--judgements", "30", "--segments", "4")) as running:
        with ThreadPoolExecutor(16) as threads:
            devices = list(threads.map(Device.of, running.links.values()))
        assert len({device.cookie for device in devices}) == 200
        stranger = Device(running.address)
        answers = [stranger.post("/api/enter", {"secret": f"guess {number}"})[0] for number in range(120)]
        assert set(answers[:15]) == {404}
        assert 429 in answers
        assert devices[0].get("/api/state")[0] == 200


def test_https_is_kept_to_where_the_proxy_says_nothing(tmp_path: Path) -> None:
    with served(made(tmp_path), "--https") as running:
        device = Device(running.address, headers={"Origin": running.address.replace("http://", "https://")})
        assert device.post("/api/enter", {"secret": running.links[1].partition("#")[2]})[0] == 200
        assert "; Secure" in device.last_headers["set-cookie"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--proxy", "caddy"), "--proxy is 'caddy': it is an address"),
        (("--root-path", "karat"), "--root-path is 'karat': it is a path such as /karat"),
        (("--root-path", "/a?b"), "it is a path such as"),
    ],
)
def test_what_is_no_address_and_no_path_is_said(options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    refused = run("campaign", "serve", str(made(tmp_path)), "--port", "0", *options)
    assert (refused.code, message in refused.err) == (2, True)


def raw(address: str, text: bytes) -> bytes:
    """What a server answers to bytes as they stand."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(text)
        return connection.recv(65536)


def test_nothing_too_long_is_read(tmp_path: Path) -> None:
    with served(made(tmp_path)) as running:
        start = b"POST /api/enter HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        for said in (b"Content-Length: 99999999\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"):
            assert raw(running.address, start + said).startswith(b"HTTP/1.1 413")


def test_no_secret_is_logged(tmp_path: Path) -> None:
    secrets: list[str] = []
    with (tmp_path / "log").open("wb") as log, served(protected(tmp_path), *BEHIND, stderr=log) as running:
        with proxied(running.listens, public=PUBLIC) as proxy:
            device = through(proxy, running.links[1])
            browser = Browser(f"{proxy}/karat", origin="https://rate.example")
            assert browser.send("/organiser/login", password=PASSWORD)[0] == 303
            secrets += [running.links[1].partition("#")[2], device.cookie.partition("=")[2], device.csrf, PASSWORD]
            secrets += [browser.cookie.partition("=")[2], browser.csrf()]
            wrong: list[Any] = [{"secret": [secrets[0]]}, {"secret": secrets[0], "more": 1}, secrets[0]]
            for body in wrong:
                assert device.post("/karat/api/enter", body)[0] == 422
                assert secrets[0] not in str(device.post("/karat/api/enter", body)[1])
            device.get(f"/karat/api/state?secret={secrets[0]}")
            device.get(f"/karat/{secrets[0]}")
            raw(running.listens, f"GET /{secrets[0]} HTTP/9\r\n\r\n".encode())
        assert running.end() == 128 + 15
    assert [secret for secret in secrets if secret in (tmp_path / "log").read_text(encoding="utf-8")] == []
