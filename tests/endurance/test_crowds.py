"""Nothing counts twice and nobody gets too much: a line that repeats and loses, and 32 devices at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")
pytest.importorskip("psycopg", reason="pip install 'karat[web]'")

import psycopg
from tests.e2e.test_campaign import good
from tests.endurance.crowd import campaign, crowd_of, stored_in
from tests.endurance.line import bad_line
from tests.endurance.serving import serving
from tests.postgresql import PostgreSQL, running

pytestmark = pytest.mark.endurance

WHO_DID_WHAT = """
    SELECT slot.task, slot.number, slot.holder, judgement.rater, judgement.version, judgement.extra
    FROM slot LEFT JOIN judgement ON judgement.slot = slot.id
"""


def test_what_is_sent_twice_over_a_line_that_loses_answers_counts_once(tmp_path: Path) -> None:
    directory = campaign(tmp_path, "--raters", "6", "--judgements", "2", "--repeats", "0.1", segments=12)
    with serving(directory) as server, bad_line(server.address) as line:
        with crowd_of(line.address, list(server.links.values())) as crowd:
            crowd.finish()
        assert crowd.done > 132
        assert line.differences == []
        assert line.dropped > 100
        raters = good("campaign", "status", str(directory))["raters"]
    assert stored_in(directory) == crowd.acknowledged
    assert sum(rater["done"] for rater in raters) == sum(rater["planned"] for rater in raters) == 132
    assert good("convert", str(directory), "-o", str(tmp_path / "ratings.jsonl"))["ratings"] == 2 * 132


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    with running() as server:
        yield server


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_32_devices_get_every_item_as_often_as_wanted(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    directory = campaign(tmp_path, "--raters", "16", "--judgements", "3", segments=40)
    address = None
    if kind == "postgresql":
        address = request.getfixturevalue("postgresql").new_database("devices")
    with serving(directory, database=address) as server:
        links = list(server.links.values())
        with crowd_of(server.address, [*links, *links]) as crowd:
            crowd.finish()
    rows = done_in(directory, address)
    slots = {(row.task, row.number): row.holder for row in rows}
    assert len(slots) == 40 * 5 * 3
    assert len({(task, holder) for (task, _), holder in slots.items()}) == len(slots)
    versions: dict[Any, list[int]] = {}
    for row in rows:
        assert row.rater == row.holder and not row.extra
        versions.setdefault((row.task, row.number), []).append(row.version)
    assert versions.keys() == slots.keys()
    assert all(sorted(each) == list(range(1, len(each) + 1)) for each in versions.values())
    assert len(rows) == crowd.done


class Row:
    """A slot, with one judgement of it."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.task, self.number, self.holder, self.rater, self.version, self.extra = values


def done_in(directory: Path, address: str | None) -> list[Row]:
    if address is not None:
        with psycopg.connect(address) as connection:
            return [Row(row) for row in connection.execute(WHO_DID_WHAT).fetchall()]
    with closing(sqlite3.connect(directory / "judgements.sqlite")) as database:
        return [Row(row) for row in database.execute(WHO_DID_WHAT).fetchall()]
