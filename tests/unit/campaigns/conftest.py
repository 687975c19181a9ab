"""Databases that campaigns are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.postgresql import PostgreSQL, running

pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")

from karat.campaigns.store import Store, database

if TYPE_CHECKING:
    from tests.unit.campaigns.every_protocol import Collected

NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Makes stores in empty databases, of each kind."""
    engines = []

    def make() -> Store:
        number = next(NUMBERS)
        if request.param == "sqlite":
            directory = tmp_path / str(number)
            directory.mkdir()
            engine = database(None, directory)
        else:
            engine = database(request.getfixturevalue("postgresql").new_database(f"c{number}"), tmp_path)
        engines.append(engine)
        return Store(engine)

    yield make
    for engine in engines:
        engine.dispose()


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Makes stores in empty SQLite databases."""
    engines = []

    def make() -> Store:
        directory = tmp_path / f"sqlite-{next(NUMBERS)}"
        directory.mkdir()
        engines.append(database(None, directory))
        return Store(engines[-1])

    yield make
    for engine in engines:
        engine.dispose()


@pytest.fixture(scope="session")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Collected]:
    """Campaigns by protocol, each rated once."""
    pytest.importorskip("fastapi", reason="pip install 'karat[web]'")
    from tests.unit.campaigns.every_protocol import collect, corpus_file

    place = tmp_path_factory.mktemp("protocols")
    texts = corpus_file(place)
    return cache(lambda name: collect(name, texts, place))
