"""Copies of databases: taken in the middle of the work, put back where there is none, made before each migration."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Engine, insert, inspect, text
from tests.unit.campaigns.campaign_of import NOW, answer, begun, material_of, plan_of

from karat.campaigns import written_plan
from karat.campaigns.store import Store, database, put_back
from karat.campaigns.store import tables as t
from karat.campaigns.store.engine import writing
from karat.campaigns.store.migrating import NEWEST, migrate, migrate_step_by_step, version_of
from karat.errors import InputError

PLAN = plan_of(assignment={"raters": 2})


def restored(copy: Path, directory: Path) -> Store:
    directory.mkdir()
    put_back(copy, directory)
    return Store(database(None, directory))


def test_a_copy_is_of_one_moment_and_whole(tmp_path: Path) -> None:
    store = Store(database(None, tmp_path))
    begun(store, PLAN)
    ended = Event()

    def work() -> None:
        while not ended.is_set() and (offer := store.next_task(1, PLAN.assignment, NOW)) is not None:
            store.submit(1, offer.public, str(uuid4()), offer.version, [answer()], NOW, PLAN)

    worker = Thread(target=work)
    worker.start()
    try:
        for number in range(5):
            store.back_up(tmp_path / f"{number}.sqlite")
    finally:
        ended.set()
        worker.join()
    counts = []
    for number in range(5):
        copy = restored(tmp_path / f"{number}.sqlite", tmp_path / str(number))
        counts.append(len(list(copy.judgements())))
        assert sum(rater.done for rater in copy.progress()) == counts[-1]
    assert counts == sorted(counts)
    assert not list(tmp_path.glob(".karat-*"))


def test_a_copy_replaces_nothing(tmp_path: Path) -> None:
    store = Store(database(None, tmp_path))
    begun(store)
    copy = tmp_path / "copy.sqlite"
    store.back_up(copy)
    before = copy.read_bytes()
    with pytest.raises(InputError, match="is there already"):
        store.back_up(copy)
    assert copy.read_bytes() == before
    with pytest.raises(InputError, match="only where there is no database"):
        put_back(copy, tmp_path)
    (tmp_path / "stale").mkdir()
    (tmp_path / "stale" / "judgements.sqlite-wal").touch()
    with pytest.raises(InputError, match=r"judgements\.sqlite-wal is there already"):
        put_back(copy, tmp_path / "stale")


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\0 and nothing else", None])
def test_what_is_no_copy_is_not_put_back(data: bytes | None, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    if data is not None:
        copy.write_bytes(data)
    (tmp_path / "new").mkdir()
    with pytest.raises(InputError, match="karat campaign backup makes a copy"):
        put_back(copy, tmp_path / "new")
    assert not list((tmp_path / "new").iterdir())


def test_a_copy_has_the_links_too(tmp_path: Path) -> None:
    store = Store(database(None, tmp_path))
    begun(store)
    secret = store.new_link(1)
    store.back_up(tmp_path / "copy.sqlite")
    assert restored(tmp_path / "copy.sqlite", tmp_path / "new").enter(secret, NOW)


def of_the_first_karat(store: Store) -> None:
    """A campaign in tables of version 0001, with one judgement."""
    with writing(store.engine) as connection:
        migrate(connection, "0001")
        texts = material_of().written()
        values = {"id": 1, "plan": written_plan(plan_of()), "texts": texts, "texts_sha256": "x", "begun_at": NOW}
        connection.execute(insert(t.campaign).values(values))
        connection.execute(text("INSERT INTO rater (id, number, bilingual) VALUES (1, 1, TRUE)"))
        parts = '[{"segment": "s3", "shown": "o"}]'
        connection.execute(text("INSERT INTO task (id, system, parts) VALUES (1, 'a', :parts)"), {"parts": parts})
        connection.execute(
            text(
                "INSERT INTO slot (id, public, task, number, planned_for, place, holder, done_at) "
                "VALUES (1, 'p', 1, 0, 1, 0, 1, 5)"
            )
        )
        connection.execute(text("INSERT INTO offer (slot, rater, place, at) VALUES (1, 1, 0, 5)"))
        connection.execute(
            text(
                "INSERT INTO judgement (uuid, slot, rater, version, answers, digest, received_at) "
                "VALUES ('u', 1, 1, 1, :answers, 'd', 5)"
            ),
            {"answers": '[{"values": {"fluency": 1, "adequacy": 2}, "seconds": 1}]'},
        )


def test_tables_of_an_earlier_karat_are_copied_and_brought_up_to_date(
    new_store: Callable[[], Store], tmp_path: Path
) -> None:
    store = new_store()
    of_the_first_karat(store)
    with pytest.raises(InputError, match="karat campaign serve copies it"):
        store.refuse_outdated()
    copy = store.upgrade(tmp_path)
    assert copy is not None
    with store.engine.connect() as connection:
        assert version_of(connection) == NEWEST
    ((judgement,),) = [list(store.judgements())]
    assert (judgement.bilingual, judgement.task.parts[0].segment) == (True, "s3")
    offer = store.task(1, "p")
    assert (offer.stage, offer.settled) == (1, None)  # all texts had been given
    store.refuse_outdated()
    assert store.upgrade(tmp_path) is None
    if store.engine.dialect.name == "sqlite":
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
            assert connection.execute("SELECT uuid FROM judgement").fetchall() == [("u",)]
            assert "passed" not in str(connection.execute("PRAGMA table_info(judgement)").fetchall())
    else:
        with store.engine.connect() as connection:
            assert connection.execute(text(f"SELECT uuid FROM {copy}.judgement")).all() == [("u",)]


def test_tables_of_a_later_karat_are_refused(new_store: Callable[[], Store]) -> None:
    store = new_store()
    begun(store)
    with writing(store.engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match="of a later karat"):
        store.refuse_outdated()


def tables_in(engine: Engine) -> Any:
    """All that a database says of its tables, whichever way they came about."""
    seen = inspect(engine)
    told = {}
    for name in sorted(seen.get_table_names()):
        columns = [{**column, "type": str(column["type"])} for column in seen.get_columns(name)]
        keys = (seen.get_pk_constraint, seen.get_foreign_keys, seen.get_indexes, seen.get_unique_constraints)
        rules = [rule for key in keys for rule in ([key(name)] if key == seen.get_pk_constraint else key(name))]
        rules += [*columns, *seen.get_check_constraints(name)]
        told[name] = sorted(json.dumps(rule, default=str, sort_keys=True) for rule in rules)
    return told


def test_tables_made_at_once_are_those_that_come_of_all_migrations(new_store: Callable[[], Store]) -> None:
    at_once, by_steps = new_store(), new_store()
    with writing(at_once.engine) as connection:
        migrate(connection)
    with writing(by_steps.engine) as connection:
        migrate_step_by_step(connection, "head")
        assert version_of(connection) == NEWEST
    made, wanted = tables_in(at_once.engine), tables_in(by_steps.engine)
    made.pop("alembic_version"), wanted.pop("alembic_version")
    assert made == wanted


def test_a_campaign_is_begun_and_opened_without_alembic(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from karat.campaigns.store import Store, database; "
        "from tests.unit.campaigns.campaign_of import begun; store = Store(database(None, Path(sys.argv[1]))); "
        "begun(store); assert store.upgrade(Path(sys.argv[1])) is None; store.refuse_outdated(); "
        "print('alembic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
