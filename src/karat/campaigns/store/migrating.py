"""The versions of a campaign's database, and the way from one to the next.

Alembic takes a while to load, so a database that is up to date is opened without it, and a new one is made so.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import Column, MetaData, String, Table, insert, inspect, select

from karat.campaigns.store.copies import back_up, copy_tables, is_file
from karat.campaigns.store.engine import reading, writing
from karat.campaigns.store.tables import metadata
from karat.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from alembic.config import Config
    from sqlalchemy import Connection, Engine

FIRST, NEWEST = "0001", "0004"
"""The version of databases that name none, and that of the tables that this karat works with."""

VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Where Alembic keeps the version."""


def version_of(connection: Connection) -> str | None:
    """The version of the tables in a database; None where there are none."""
    tables = inspect(connection)
    if not tables.has_table("campaign"):
        return None
    named = connection.scalar(select(VERSION.c.version_num)) if tables.has_table(VERSION.name) else None
    return named or FIRST


def outdated(engine: Engine) -> bool:
    """Whether the tables are of an earlier karat; those of a later one are refused."""
    with reading(engine) as connection:
        version = version_of(connection)
    refuse_unknown(version)
    return version not in (None, NEWEST)


def refuse_unknown(version: str | None) -> None:
    """Refuse what only a later karat can know."""
    if version in (None, NEWEST):
        return
    from alembic.script import ScriptDirectory

    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if version not in known:
        raise InputError(f"this is of a later karat (its database has version {version}): install that one")


def upgrade(engine: Engine, directory: Path) -> Path | str | None:
    """Bring an earlier karat's tables up to date, after a copy of them; where that is, or None if nothing was to do.

    The copy is a file in the directory, or a schema of the PostgreSQL database.
    """
    if not outdated(engine):
        return None
    with reading(engine) as connection:
        version = version_of(connection)
    copy: Path | str = f"karat_before_{version}"
    if is_file(engine):
        copy = _free(directory / f"judgements-of-version-{version}.sqlite")
        back_up(engine, copy)
    with writing(engine) as connection:
        if version_of(connection) != version:
            return None  # another server has been faster
        if isinstance(copy, str):
            copy_tables(connection, list(metadata.sorted_tables), copy)
        migrate(connection)
    return copy


def _free(path: Path) -> Path:
    """The path, or one like it that nothing has."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in range(2, 1000))
    return path if not path.exists() else next(name for name in names if not name.exists())


def migrate(connection: Connection, to: str = NEWEST) -> None:
    """Bring the tables to a version, or make them; all of it within the transaction that has begun."""
    version = version_of(connection)
    if version is None and to == NEWEST:
        metadata.create_all(connection)
        VERSION.create(connection, checkfirst=True)
        connection.execute(insert(VERSION).values(version_num=NEWEST))
    elif version != to:
        migrate_step_by_step(connection, to)


def migrate_step_by_step(connection: Connection, to: str = NEWEST) -> None:
    """Bring the tables to a version, or make them, by one migration after the other."""
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    if version_of(connection) == FIRST and not inspect(connection).has_table(VERSION.name):
        command.stamp(config, FIRST)
    command.upgrade(config, to)


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(files("karat.campaigns.store") / "migrations").replace("%", "%%"))
    return config
