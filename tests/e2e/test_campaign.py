"""Campaigns from file to ratings: made, served, answered over HTTP, read by the other commands."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from tests.contract.commands import Outcome, commands, run

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")

from tests.e2e.campaign_server import Device, Served, served

CANARIES = ("canary-alpha", "canary-beta")
BOTH = {"fluency": 3, "adequacy": 4}


def write_texts(directory: Path, segments: int = 4) -> tuple[str, ...]:
    """Options that name a small test set, whose systems have telling names."""
    for name in ("source", "reference", *CANARIES):
        lines = [f"{name[0]}{row} " + " ".join(f"w{row}{word}" for word in range(6)) for row in range(segments)]
        (directory / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    systems = (str(directory / f"{name}.txt") for name in CANARIES)
    return ("-s", str(directory / "source.txt"), "-r", str(directory / "reference.txt"), *systems, "-l", "de-en")


def made(directory: Path, *options: str) -> Path:
    """A campaign about them."""
    outcome = run("campaign", "new", str(directory / "mine"), *write_texts(directory), *options)
    assert outcome.code == 0, outcome.err
    return directory / "mine"


def good(*arguments: str) -> Any:
    outcome = run(*arguments, "--json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    directory = tmp_path_factory.mktemp("served")
    with served(
        made(directory, "--raters", "9", "--judgements", "2", "--repeats", "0.3", "--degraded", "0.3")
    ) as running:
        yield running


def test_a_campaign_goes_from_texts_to_results(tmp_path: Path) -> None:
    directory = made(tmp_path, "--judgements", "2")
    assert good("campaign", "check", str(directory))["judgements"] == 16
    assert "has not begun" in run("campaign", "status", str(directory)).err
    with served(directory) as running:
        for link in running.links.values():
            device = Device.of(link)
            while (task := device.next()) is not None:
                assert device.submit(task, BOTH) == (200, {"version": 1, "again": False, "feedback": None})
        found = good("campaign", "status", str(directory))
        assert [(rater["done"], rater["planned"]) for rater in found["raters"]] == [(8, 8), (8, 8)]
        assert running.end() == 128 + signal.SIGTERM
    found = good("human", str(directory))["systems"]
    scores = {(entry["system"], entry["criterion"]): entry["score"] for entry in found}
    assert scores == {(name, criterion): value for name in CANARIES for criterion, value in BOTH.items()}
    assert good("compare", "--scores", str(directory))["comparisons"]
    assert good("convert", str(directory), "-o", str(tmp_path / "ratings.jsonl"))["ratings"] == 32
    assert good("human", str(tmp_path / "ratings.jsonl"))["systems"] == found
    assert good("campaign", "results", str(directory)) == good("human", str(directory))


def test_other_commands_read_a_campaign_as_they_read_its_export(tmp_path: Path) -> None:
    directory, ratings = made(tmp_path), str(tmp_path / "ratings.jsonl")
    with served(directory) as running:
        for link in running.links.values():
            device, number = Device.of(link), 0
            while (task := device.next()) is not None:
                number += 1
                said = {"fluency": 1 + number % 5, "adequacy": 1 + number * 3 % 5}
                assert device.submit(task, said)[0] == 200
    good("campaign", "export", str(directory), "--to", "jsonl", "-o", ratings)
    texts = write_texts(tmp_path)
    for command in (("meta", *texts, "-m", "chrf", "--ratings"), ("compare", "--scores")):
        here, there = (good(*command, place) for place in (str(directory), ratings))
        assert here["tasks" if command[0] == "meta" else "comparisons"]
        assert json.dumps(here).replace(str(directory), ratings) == json.dumps(there)
    page = tmp_path / "report.html"
    outcome = run("report", *texts, "-m", "chrf", "--ratings", str(directory), "-o", str(page))
    assert outcome.code == 0, outcome.err
    assert "rater-1" in page.read_text(encoding="utf-8")


def test_check_names_all_that_is_wrong_a_line_each(tmp_path: Path) -> None:
    directory = made(tmp_path)
    plan, texts = directory / "campaign.toml", directory / "texts.jsonl"
    plan.write_text(
        plan.read_text(encoding="utf-8").replace("raters = 2", 'raters = "2"') + "sed = 1\n", encoding="utf-8"
    )
    texts.write_bytes(texts.read_bytes() + b"{\n" * 30)
    outcome = run("campaign", "check", str(directory))
    lines = outcome.err.splitlines()
    assert (outcome.code, outcome.out, len(lines)) == (2, "", 21)
    assert all(line.startswith("karat: error: ") for line in lines)
    assert "campaign.toml: assignment.raters is '2'" in lines[0]
    assert "campaign.toml: there is no setting controls.sed" in lines[1]
    assert "texts.jsonl, line 5 is not JSON" in lines[2]
    assert lines[-1] == "karat: error: and 12 more problems"
    plan.write_bytes(b"\xff")
    assert "is not UTF-8: byte 1 is no text" in run("campaign", "check", str(directory)).err


def test_what_was_answered_is_there_after_a_kill(tmp_path: Path) -> None:
    directory = made(tmp_path)
    with served(directory) as running:
        device = Device.of(running.links[1])
        task = device.next()
        uuid = str(uuid4())
        assert device.submit(task, BOTH, uuid=uuid)[0] == 200
        open_task = device.next()
        running.end(signal.SIGKILL)
    with served(directory) as again:
        assert again.links == {}
        device.address = again.address
        assert device.submit(task, BOTH, uuid=uuid) == (200, {"version": 1, "again": True, "feedback": None})
        assert device.next()["public"] == open_task["public"]


def test_campaigns_on_one_host_log_nobody_out(tmp_path: Path) -> None:
    """Browsers send a cookie to every port of a host, so one jar goes to both."""
    directories = [tmp_path / name for name in ("here", "there")]
    for directory in directories:
        directory.mkdir()
    with served(made(directories[0])) as here, served(made(directories[1])) as there:
        devices = [Device.of(running.links[1]) for running in (here, there)]
        jar = dict(device.cookie.split("=", 1) for device in devices)
        assert len(jar) == 2
        for device in devices:
            device.cookie = "; ".join(f"{name}={value}" for name, value in jar.items())
            assert device.submit(device.next(), BOTH)[0] == 200
            swapped = Device(device.address, "; ".join(f"{name}={jar[name][::-1]}" for name in jar))
            assert swapped.get("/api/state")[0] == 401
    name = devices[0].cookie.partition("=")[0]
    with served(directories[0] / "mine") as again:
        assert Device(again.address, f"{name}={jar[name]}").get("/api/state")[0] == 200


def test_many_devices_lose_nothing(tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "6", "--judgements", "3")
    acknowledged: list[str] = []

    def work(link: str) -> None:
        device = Device.of(link)
        while (task := device.next()) is not None:
            uuid = str(uuid4())
            for _ in range(2):
                status, _ = device.submit(task, BOTH, uuid=uuid)
                assert status == 200
            acknowledged.append(uuid)

    with served(directory) as running:
        threads = [Thread(target=work, args=(link,)) for link in running.links.values()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(acknowledged) == 24
        assert sum(rater["done"] for rater in good("campaign", "status", str(directory))["raters"]) == 24


def test_nothing_that_a_rater_can_reach_names_a_system(server: Served) -> None:
    device = Device.of(server.links[1])
    seen = [server.address]
    shapes = set()
    while (task := device.next()) is not None:
        shapes.add(json.dumps({name: type(value).__name__ for name, value in task.items()}))
        answered = [device.submit(task, {"fluency": 9}), device.submit(task, BOTH), device.get("/api/state")]
        answered += [device.submit(task, BOTH), device.get(f"/api/tasks/{task['public']}"), device.get("/api/tasks/x")]
        seen += [json.dumps([task, *answered]), str(device.last_headers)]
    for path in ("/", "/static/main.js", "/static/form.js", "/static/page.css", "/api/messages", "/missing"):
        seen.append(f"{device.get(path)[1]} {device.last_headers}")
    everything = " ".join(seen)
    assert len(shapes) == 1
    for canary in (*CANARIES, "bad-reference", '"repeat"', '"control"', '"system"'):
        assert canary not in everything


def test_answers_that_are_none_are_refused_and_say_where(server: Served) -> None:
    device = Device.of(server.links[2])
    task = device.next()
    status, body = device.submit(task, {"fluency": 99999})
    assert status == 422
    assert [lack["criterion"] for lack in body["lacks"]] == ["fluency", "adequacy"]
    assert device.settle(task, BOTH)[0] == 422
    for values in ({"fluency": 3}, {"fluency": 2.5, "adequacy": 1}, {"fluency": "x"}, {**BOTH, "overall": 1}):
        assert device.submit(task, values)[0] == 422  # type: ignore[arg-type]
    for changed in ({"uuid": "x"}, {"base_version": -1}, {"answers": []}, {"system": "a"}, {"answers": [BOTH]}):
        assert device.submit(task, BOTH, **changed)[0] == 422
    assert device.submit(task, BOTH)[0] == 200
    changed = {"fluency": 3, "adequacy": 1}
    status, body = device.submit(task, changed)
    assert (status, body["version"], body["answers"][0]["values"]) == (409, 1, BOTH)
    assert device.submit(task, changed, base_version=1) == (
        200,
        {"version": 2, "again": False, "feedback": None},
    )


def test_nobody_gets_in_without_a_link_or_from_another_site(server: Served) -> None:
    stranger = Device(server.address)
    own, other = Device.of(server.links[3]), Device.of(server.links[4])
    task = own.next()
    for device in (stranger, Device(server.address, cookie=f"{own.cookie.partition('=')[0]}=x", csrf=own.csrf)):
        assert device.get("/api/state")[0] == 401
        assert device.post("/api/next")[0] == 401
        assert device.submit(task, BOTH)[0] == 401
    assert stranger.post("/api/enter", {"secret": "x"})[0] == 404
    assert other.submit(task, BOTH)[0] == 404
    assert other.get(f"/api/tasks/{task['public']}")[0] == 404
    assert Device(server.address, cookie=own.cookie).post("/api/next")[0] == 403
    elsewhere = Device(server.address, own.cookie, own.csrf, {"Origin": "http://elsewhere.example"})
    assert elsewhere.post("/api/next")[0] == 403
    own.get("/")
    assert "default-src 'self'" in own.last_headers["content-security-policy"]


def test_a_link_can_be_opened_again_replaced_and_revoked(tmp_path: Path) -> None:
    directory = made(tmp_path)
    with served(directory) as running:
        first, second = Device.of(running.links[1]), Device.of(running.links[1])
        assert (first.get("/api/state")[0], second.get("/api/state")[0]) == (200, 200)
        (entry,) = good("campaign", "link", str(directory), "1", "--address", running.address)["links"]
        assert Device.of(entry["link"]).get("/api/state")[0] == 200
        secret = running.links[1].partition("#")[2]
        assert Device(running.address).post("/api/enter", {"secret": secret})[0] == 404
        assert good("campaign", "link", str(directory), "1", "--revoke")["links"][0]["link"] is None
        assert first.get("/api/state")[0] == 401


def test_who_withdraws_is_erased(tmp_path: Path) -> None:
    directory = made(tmp_path)
    with served(directory) as running:
        device, other = Device.of(running.links[1]), Device.of(running.links[2])
        for each in (device, other):
            assert each.submit(each.next(), BOTH)[0] == 200
        assert device.post("/api/withdraw") == (200, {"judgements": 1})
        assert device.get("/api/state")[0] == 401
        assert good("convert", str(directory), "-o", str(tmp_path / "ratings.jsonl"))["ratings"] == 2
        found = good("campaign", "status", str(directory))
    assert [rater["withdrawn"] for rater in found["raters"]] == [True, False]


def test_a_campaign_stays_as_it_began(tmp_path: Path) -> None:
    directory = made(tmp_path)
    with served(directory):
        pass
    plan = directory / "campaign.toml"
    plan.write_text(plan.read_text(encoding="utf-8").replace("seed = 1", "seed = 2"), encoding="utf-8")
    refused = run("campaign", "serve", str(directory), "--port", "0")
    assert refused.code == 2
    assert "was changed after the campaign had begun" in refused.err
    (directory / "texts.jsonl").write_text("{}\n", encoding="utf-8")
    assert "is not what the campaign was made with" in run("campaign", "check", str(directory)).err


NEW = ("campaign", "new", "{here}/new", "-r", "{here}/reference.txt", "{here}/canary-beta.txt")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("campaign", "check", "{here}/none"), "karat campaign new makes a campaign"),
        (
            ("campaign", "new", "{here}/mine", "-r", "{here}/reference.txt", "{here}/canary-beta.txt"),
            "is there already",
        ),
        (("campaign", "serve", "{here}/mine", "--host", "0.0.0.0"), "can be reached from other machines"),
        (("campaign", "link", "{here}/mine", "1"), "has not begun"),
        (("human", "{here}/mine"), "has not begun"),
        ((*NEW, "--protocol", "custom"), "such as --scale politeness=1:4"),
        ((*NEW, "--scale", "politeness=1:4"), "take the protocol custom"),
        ((*NEW, "--protocol", "custom", "--scale", "politeness"), "it is a name and two ends"),
        ((*NEW, "--protocol", "custom", "--scale", "politeness=4:1"), "it must go up"),
        ((*NEW, "--loud", "gold"), "loud names gold, and there is none"),
        ((*NEW, "--from", "{here}/reference.txt"), "--from brings its own texts: leave out -r"),
        ((*NEW, "--label", "fluency=good"), "such as politeness:1=rude"),
        ((*NEW, "--label", "fluenzy:1=good"), "nobody is asked for 'fluenzy', so it has no labels. Did you mean"),
        ((*NEW, "--label", "fluency:9=good"), "a label of fluency stands beside 9"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    made(tmp_path)
    outcome = run(*(argument.format(here=tmp_path) for argument in arguments))
    assert outcome.code == 2
    assert message in outcome.err


NEW_OPTIONS = {
    "--protocol": ("--protocol", "four-level-adequacy"),
    "--show": ("--show", "source"),
    "--unit": ("--documents", "{here}/documents.txt", "--unit", "document"),
    "--segments": ("--segments", "2"),
    "--raters": ("--raters", "4"),
    "--judgements": ("--judgements", "2"),
    "--repeats": ("--repeats", "0.5"),
    "--degraded": ("--degraded", "0.5"),
    "--loud": ("--loud", "repeats", "--repeats", "0.5"),
    "--same-source": ("--same-source", "never"),
    "--scale": ("--protocol", "custom", "--scale", "politeness=1:4", "--scale", "warmth=0:0.5"),
    "--label": ("--label", "fluency:5=like a book", "--label", "adequacy:1=nothing"),
    "--gold": ("--gold", "{here}/gold.csv"),
    "--guidelines": ("--guidelines", "{here}/source.txt"),
    "--seed": ("--seed", "7"),
    "--from": ("--from", "{here}/pearmut.json"),
    "-i": ("-i", "{here}/third.txt"),
    "-l": ("-l", "de-fr"),
    "--documents": ("--documents", "{here}/documents.txt"),
    "--column": ("--corpus", "{here}/odd.csv", "--column", "reference=Vorlage"),
    "--columns": ("--corpus", "{here}/odd.csv", "--columns", "reference=Vorlage"),
    "--corpus": ("--corpus", "{here}/all.jsonl"),
}


def test_languages_named_beside_a_corpus_are_the_campaigns(tmp_path: Path) -> None:
    record = {"source": "x", "reference": "a", "systems": {"one": "b"}}
    (tmp_path / "all.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    made_by(tmp_path, "mine", "--corpus", str(tmp_path / "all.jsonl"), "-l", "de-fr")
    plan = (tmp_path / "mine" / "campaign.toml").read_text(encoding="utf-8")
    assert 'source_language = "de"\ntarget_language = "fr"\n' in plan


def made_by(directory: Path, name: str, *options: str) -> tuple[Outcome, list[bytes]]:
    """A campaign and its files."""
    outcome = run("campaign", "new", str(directory / name), *options)
    files = sorted((directory / name).iterdir()) if outcome.code == 0 else []
    return outcome, [file.read_bytes().replace(name.encode(), b"") for file in files]


@pytest.mark.parametrize("option", NEW_OPTIONS)
def test_an_option_of_a_new_campaign_makes_a_difference(option: str, tmp_path: Path) -> None:
    texts = write_texts(tmp_path)
    (tmp_path / "documents.txt").write_text("a\na\nb\nb\n", encoding="utf-8")
    (tmp_path / "third.txt").write_text("x\ny\nz\nw\n", encoding="utf-8")
    (tmp_path / "odd.csv").write_text("Vorlage,mt\na,b\n", encoding="utf-8")
    (tmp_path / "gold.csv").write_text("segment,system,adequacy\n1,canary-alpha,5\n", encoding="utf-8")
    items = [[{"src": "a", "tgt": {"one": "b"}, "item_id": "1"}]]
    pearmut = {"info": {"protocol": "DA", "assignment": "single-stream"}, "data": items}
    (tmp_path / "pearmut.json").write_text(json.dumps(pearmut), encoding="utf-8")
    record = {"reference": "a", "systems": {"one": "b"}}
    (tmp_path / "all.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    options = [part.format(here=tmp_path) for part in NEW_OPTIONS[option]]
    before, plain = made_by(tmp_path, "before", *texts)
    after, changed = made_by(tmp_path, "after", *(() if {"--corpus", "--from"} & {*options} else texts), *options)
    assert (before.code, after.code) == (0, 0), after.err
    assert plain != changed


def test_every_option_of_a_new_campaign_is_known_here() -> None:
    (command,) = (command for name, command in commands() if name == "campaign new")
    texts = {"-r", "-s", "-t", "--input-format"}  # as in every other command; the rest is above
    options = {param.opts[0] for param in command.params if param.param_type_name == "option"}
    assert options == {*NEW_OPTIONS, *texts, "--json"}


def test_a_source_is_enough_for_a_campaign(tmp_path: Path) -> None:
    source, _, *rest = (part for part in write_texts(tmp_path) if part not in ("-s", "-r"))
    outcome = run("campaign", "new", str(tmp_path / "mine"), "-s", source, *rest, "--protocol", "da")
    assert outcome.code == 0, outcome.err
    assert 'show = ["source"]' in (tmp_path / "mine" / "campaign.toml").read_text(encoding="utf-8")
    neither = run("campaign", "new", str(tmp_path / "other"), *rest)
    assert (neither.code, "no reference was given" in neither.err) == (2, True)
