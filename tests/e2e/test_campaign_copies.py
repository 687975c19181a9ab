"""Campaigns carried elsewhere and back by the commands, also while they are served."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.contract.commands import run

pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")

from tests.e2e.campaign_server import Device, Served, served
from tests.e2e.test_campaign import BOTH, good, made


class Rated(NamedTuple):
    """A campaign that is being served, with some judgements."""

    directory: Path
    running: Served
    judged: int


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rated]:
    directory = made(tmp_path_factory.mktemp("rated"), "--repeats", "0.25")
    with served(directory) as running:
        device = Device.of(running.links[1])
        for number in range(3):
            task = device.next()
            assert device.submit(task, BOTH)[0] == 200
            if number == 1:
                assert device.submit(task, BOTH | {"adequacy": 1}, base_version=1)[0] == 200
        assert device.post("/api/profile", {"bilingual": True})[0] == 200
        broken = [{"values": {}, "seconds": 2.0, "broken": "the source is cut off"}]
        assert device.submit(device.next(), {}, answers=broken)[0] == 200
        yield Rated(directory, running, 5)


def test_nothing_is_left_of_an_import_or_a_restore_that_fails(rated: Rated, tmp_path: Path) -> None:
    whole, half, copy = tmp_path / "whole.jsonl", tmp_path / "half.jsonl", tmp_path / "copy.sqlite"
    good("campaign", "export", str(rated.directory), "-o", str(whole))
    good("campaign", "backup", str(rated.directory), "-o", str(copy))
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    half.write_text("".join([*lines, '{"withdrawal": {"rater": 99, "judgements": 1, "at": 0.0}}\n']), encoding="utf-8")
    new = tmp_path / "new"
    refused = run("campaign", "import", str(new), str(half))
    assert (refused.code, f"line {len(lines) + 1}: there is no rater 99" in refused.err) == (2, True)
    assert not new.exists()
    in_the_way = new / "texts.jsonl"
    in_the_way.mkdir(parents=True)
    for arguments in (("import", str(new), str(whole)), ("restore", str(copy), str(new))):
        assert run("campaign", *arguments).code != 0
        assert list(new.iterdir()) == [in_the_way]
    in_the_way.rmdir()
    assert good("campaign", "import", str(new), str(whole))["done"] == 4


def test_an_export_is_imported_and_exported_the_same(rated: Rated, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    assert good("campaign", "export", str(rated.directory), "-o", str(first))["ratings"] == rated.judged
    told = good("campaign", "import", str(tmp_path / "new"), str(first))
    assert told["done"] == 4
    assert good("campaign", "export", str(tmp_path / "new"), "-o", str(second))["to"] == "campaign"
    assert first.read_bytes() == second.read_bytes()
    for name in ("campaign.toml", "texts.jsonl"):
        assert (tmp_path / "new" / name).read_bytes() == (rated.directory / name).read_bytes()
    for command in (("human",), ("campaign", "results"), ("campaign", "check")):
        here, there = (good(*command, str(place)) for place in (rated.directory, tmp_path / "new"))
        assert here.pop("directory", None) != there.pop("directory", 0)
        assert here == there
    again = run("campaign", "import", str(tmp_path / "new"), str(first))
    assert (again.code, "is there already" in again.err) == (2, True)


def test_an_imported_campaign_is_served_and_rated(rated: Rated, tmp_path: Path) -> None:
    file, directory = tmp_path / "mine.jsonl", tmp_path / "new"
    assert run("campaign", "export", str(rated.directory), "-o", str(file)).code == 0
    assert run("campaign", "import", str(directory), str(file)).code == 0
    with served(directory) as running:
        links = good("campaign", "link", str(directory), "--address", running.address)["links"]
        assert [link["rater"] for link in links] == ["rater-1", "rater-2"]
        device = Device.of(links[0]["link"])
        assert device.get("/api/state")[1]["done"] == 4
        assert device.submit(device.next(), BOTH)[0] == 200
        assert good("campaign", "link", str(directory), "--revoke")["links"][1] == {"rater": "rater-2", "link": None}
        assert device.get("/api/state")[0] == 401


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_judgements_are_exported_as_ratings(form: str, rated: Rated, tmp_path: Path) -> None:
    file = tmp_path / f"ratings.{form}"
    assert good("campaign", "export", str(rated.directory), "--to", form, "-o", str(file))["ratings"] == 8
    assert good("human", str(file))["systems"] == good("campaign", "results", str(rated.directory))["systems"]
    other = tmp_path / "converted"
    assert run("convert", str(rated.directory), "--to", form, "-o", str(other)).code == 0
    assert other.read_bytes() == file.read_bytes()


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_what_was_in_sight_and_what_is_broken_comes_along(form: str, rated: Rated, tmp_path: Path) -> None:
    from karat.corpus.ratings import read_ratings

    file = tmp_path / f"ratings.{form}"
    assert run("campaign", "export", str(rated.directory), "--to", form, "-o", str(file)).code == 0
    frame = read_ratings(file).frame
    assert frame.select("criterion", "shown").unique().sort("criterion").rows() == [
        ("adequacy", "reference"),
        ("fluency", "nothing"),
    ]
    assert frame.select("bilingual", "broken", "value").rows()[-1] == (True, "the source is cut off", None)
    assert frame["bilingual"].null_count() == 6
    assert frame["broken"].null_count() == 6


def test_what_a_format_cannot_hold_is_counted(rated: Rated, tmp_path: Path) -> None:
    done = run("campaign", "export", str(rated.directory), "--to", "numbers", "-o", str(tmp_path / "x"))
    assert (done.code, done.err.startswith("karat: error: ")) == (2, True)
    done = run("campaign", "export", str(rated.directory), "--to", "csv", "--skip-bad")
    assert (done.code, "karat: 8 ratings, campaign to csv" in done.err) == (0, True)
    assert done.out.startswith("rater,system,")


def test_a_copy_made_while_it_is_served_is_put_back_elsewhere(rated: Rated, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    (told,) = good("campaign", "backup", str(rated.directory), "-o", str(copy))["copies"]
    assert told == {"file": str(copy), "bytes": copy.stat().st_size}
    assert "is there already" in run("campaign", "backup", str(rated.directory), "-o", str(copy)).err
    directory = tmp_path / "again"
    assert good("campaign", "restore", str(copy), str(directory))["name"] == "mine"
    exports = [run("campaign", "export", str(place)) for place in (rated.directory, directory)]
    assert exports[0].out == exports[1].out
    refused = run("campaign", "restore", str(copy), str(directory))
    assert (refused.code, "only where there is no database" in refused.err) == (2, True)
    with served(directory) as running:
        secret = rated.running.links[2].partition("#")[2]
        assert Device.of(f"{running.address}/#{secret}").get("/api/state")[0] == 200


def test_a_copy_has_a_name_of_its_own_where_none_is_given(rated: Rated) -> None:
    (told,) = good("campaign", "backup", str(rated.directory))["copies"]
    assert Path(told["file"]).parent == rated.directory
    assert Path(told["file"]).name.startswith("judgements-2")


def test_every_line_of_an_export_is_json(rated: Rated) -> None:
    done = run("campaign", "export", str(rated.directory))
    kinds = [next(iter(json.loads(line))) for line in done.out.splitlines()]
    assert kinds[0] == "campaign"
    assert kinds.count("judgement") == rated.judged
    refused = run("campaign", "export", str(rated.directory), "--json")
    assert (refused.code, "needs -o FILE" in refused.err) == (2, True)


def test_a_database_elsewhere_is_exported_and_not_copied(
    rated: Rated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.postgresql import running as postgresql

    file, again = tmp_path / "mine.jsonl", tmp_path / "again.jsonl"
    assert run("campaign", "export", str(rated.directory), "-o", str(file)).code == 0
    with postgresql() as server:
        monkeypatch.setenv("KARAT_DATABASE", server.new_database("c"))
        assert good("campaign", "import", str(tmp_path / "new"), str(file))["done"] == 4
        assert run("campaign", "export", str(tmp_path / "new"), "-o", str(again)).code == 0
        assert again.read_bytes() == file.read_bytes()
        refused = run("campaign", "backup", str(tmp_path / "new"))
        assert (refused.code, "karat campaign export" in refused.err) == (2, True)
        refused = run("campaign", "restore", str(file), str(tmp_path / "other"))
        assert (refused.code, "unset it" in refused.err) == (2, True)
