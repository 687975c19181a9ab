"""The versions of a campaign's database, and the way from one to the next."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from karat.campaigns.store.copies import back_up, copy_tables, is_file
from karat.campaigns.store.engine import reading, writing
from karat.campaigns.store.tables import metadata
from karat.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Engine

FIRST = "0001"
"""The version of databases that name none."""


def version_of(connection: Connection) -> str | None:
    """The version of the tables in a database; None where there are none."""
    if not inspect(connection).has_table("campaign"):
        return None
    return MigrationContext.configure(connection).get_current_revision() or FIRST


def newest() -> str:
    """The version that this karat works with."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def outdated(engine: Engine) -> bool:
    """Whether the tables are of an earlier karat; those of a later one are refused."""
    with reading(engine) as connection:
        version = version_of(connection)
    refuse_unknown(version)
    return version not in (None, newest())


def refuse_unknown(version: str | None) -> None:
    """Refuse what only a later karat can know."""
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if version is not None and version not in known:
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


def migrate(connection: Connection, to: str = "head") -> None:
    """Bring the tables to a version, or make them; all of it within the transaction that has begun."""
    config = _config()
    config.attributes["connection"] = connection
    if version_of(connection) == FIRST and MigrationContext.configure(connection).get_current_revision() is None:
        command.stamp(config, FIRST)
    command.upgrade(config, to)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("karat.campaigns.store") / "migrations").replace("%", "%%"))
    return config
