"""Copies of a whole database: taken while it is written to, and put back where there is none."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Table, inspect, text

from karat.campaigns.files import SQLITE_FILE
from karat.campaigns.store.engine import StoreError
from karat.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite puts after a database's name for the files that belong to it."""

PLAN_AND_TEXTS = "SELECT plan, texts FROM campaign"


def is_file(engine: Engine) -> bool:
    """Whether the database is a file of the campaign's directory."""
    return engine.dialect.name == "sqlite"


def back_up(engine: Engine, target: Path) -> None:
    """Copy a database that may be in use to a new file, as it is at one moment."""
    assert engine.url.database is not None
    _copy(Path(engine.url.database), target)


def put_back(copy: Path, directory: Path) -> tuple[str, bytes]:
    """Make a copy the database of a campaign that has none; its plan and its texts."""
    there = [name for suffix in BESIDE if (name := directory / (SQLITE_FILE + suffix)).exists()]
    if there:
        raise InputError(f"{there[0]} is there already: a copy is restored only where there is no database")
    plan, texts = _campaign_in(copy)
    _copy(copy, directory / SQLITE_FILE)
    return plan, texts


def _campaign_in(copy: Path) -> tuple[str, bytes]:
    if not copy.is_file():
        raise InputError(f"{copy} is not there: karat campaign backup makes a copy")
    try:
        with _opened(copy) as connection:
            plan, texts = connection.execute(PLAN_AND_TEXTS).fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise InputError(f"{copy} holds no campaign: karat campaign backup makes a copy") from error
    return str(plan), bytes(texts)


def _copy(source: Path, target: Path) -> None:
    """A new file that appears when it is complete, sound and on the disk."""
    if target.exists():
        raise InputError(f"{target} is there already: name another file")
    partial = target.with_name(f".karat-{os.urandom(8).hex()}.partial")
    try:
        with _opened(source) as old, closing(sqlite3.connect(partial)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
            if (state := new.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                raise StoreError(f"{source} is damaged: {state}")
        with partial.open("rb+") as written:
            os.fsync(written.fileno())
        partial.replace(target)
    except sqlite3.Error as error:
        raise StoreError(f"{source} cannot be copied to {target}: {error}") from error
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        for suffix in BESIDE:
            partial.with_name(partial.name + suffix).unlink(missing_ok=True)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database that is only read."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)) as connection:
        yield connection


def copy_tables(connection: Connection, tables: list[Table], schema: str) -> None:
    """Copy the tables of a PostgreSQL database into a schema of their own, within the transaction that has begun."""
    while inspect(connection).has_schema(schema):
        schema += "_again"
    connection.execute(text(f"CREATE SCHEMA {schema}"))
    for table in tables:
        if inspect(connection).has_table(table.name):
            connection.execute(text(f"CREATE TABLE {schema}.{table.name} AS TABLE {table.name}"))
