"""Databases: SQLite in the campaign's directory, or PostgreSQL by its address."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from karat.campaigns.files import SQLITE_FILE
from karat.errors import KaratError

WRITER = 0x6B61726174  # "karat": the lock that writers of one campaign take in turn
BUSY_SECONDS = 30
POOL: dict[str, Any] = {"max_overflow": 40, "pool_timeout": BUSY_SECONDS}
"""One connection for each thread that a server answers in, so that they wait for each other's writes only."""


class StoreError(KaratError):
    """The database cannot be written to or read just now; nothing was stored."""

    exit_code = 70
    http_status = 503


def database(address: str | None, directory: Path) -> Engine:
    """The database at the address, else the SQLite file of the campaign's directory."""
    if address is None:
        return _sqlite(directory / SQLITE_FILE)
    if address.startswith("postgresql:"):
        address = address.replace("postgresql:", "postgresql+psycopg:", 1)
    if not address.startswith("postgresql+psycopg:"):
        raise KaratError(f"the database must be postgresql://..., not {address.partition(':')[0]}:...")
    return create_engine(address, pool_pre_ping=True, hide_parameters=True, **POOL)


def _sqlite(path: Path) -> Engine:
    settings = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(f"sqlite:///{path}", connect_args=settings, hide_parameters=True, **POOL)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # SQLAlchemy begins transactions, not the driver
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that nobody else writes in meanwhile; where it ends without an error, all of it is on the disk."""
    with _refusals(engine), engine.connect() as connection, connection.begin():
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": WRITER})
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees one state of the database."""
    with _refusals(engine), engine.connect() as connection, connection.begin():
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
        else:
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        yield connection


def erased(engine: Engine, tables: Sequence[str]) -> None:
    """Let nothing of deleted rows stay in the database's own files, as far as others' transactions let it."""
    with _refusals(engine), engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            connection.exec_driver_sql(f"VACUUM {', '.join(tables)}")


OUR_FAULTS = (IntegrityError, ProgrammingError, DataError, NotSupportedError)


@contextmanager
def _refusals(engine: Engine) -> Iterator[None]:
    """Whatever a database does not do, unless it was asked for what it cannot do, is a `StoreError`."""
    try:
        yield
    except PoolTimeoutError as error:
        raise StoreError("the database is busy: try again") from error
    except OUR_FAULTS:
        raise
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY:
            engine.dispose()  # connections that were opened for reading only would stay so
        raise StoreError(f"the database refuses: {error.orig}") from error
