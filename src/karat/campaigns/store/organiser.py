"""Who organises a campaign: a password or a link to set it once, and the sessions that it opens."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, inspect, select, update

from karat.campaigns.store import tables as t
from karat.campaigns.store.engine import reading, writing
from karat.campaigns.store.migrating import migrate, version_of
from karat.campaigns.store.records import GoneError
from karat.campaigns.store.secrecy import hashed

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

SESSION_SECONDS = 12 * 3600
"""How long a password opens the organiser's pages."""


class Organiser:
    """What the database knows of whoever organises. Only hashes are kept, of the password by argon2."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def password_hash(self) -> str | None:
        """The hash of the password; None where none is set."""
        with reading(self.engine) as connection:
            if not inspect(connection).has_table(t.organiser.name):
                return None
            return connection.scalar(select(t.organiser.c.password_hash))

    def set_password(self, password_hash: str) -> None:
        """Take another password, and end what the last one has opened."""
        with writing(self.engine) as connection:
            if version_of(connection) is None:
                migrate(connection)  # a password may be set before the campaign begins
            self._set(connection, password_hash)

    def new_setup(self) -> str:
        """A secret that sets the password once, in place of the one before."""
        secret = secrets.token_urlsafe(24)
        with writing(self.engine) as connection:
            self._row(connection)
            connection.execute(update(t.organiser).values(setup_hash=hashed(secret)))
        return secret

    def set_up(self, secret: str, password_hash: str) -> None:
        """Set the password with such a secret, which is used up."""
        with writing(self.engine) as connection:
            if connection.scalar(select(t.organiser.c.id).where(t.organiser.c.setup_hash == hashed(secret))) is None:
                raise GoneError(
                    "this link has been used, or there is a newer one: karat campaign password sets it, too"
                )
            self._set(connection, password_hash)

    def enter(self, now: float) -> str:
        """A cookie for whoever knew the password."""
        cookie, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
        with writing(self.engine) as connection:
            old = t.organiser_session.c.begun_at < now - SESSION_SECONDS
            connection.execute(delete(t.organiser_session).where(old))
            values = {"cookie_hash": hashed(cookie), "csrf": csrf, "begun_at": now}
            connection.execute(insert(t.organiser_session).values(values))
        return cookie

    def entered(self, cookie: str, now: float) -> str | None:
        """What goes with each change, for a cookie; None where it opens nothing (any more)."""
        session = t.organiser_session
        chosen = select(session.c.csrf).where(session.c.cookie_hash == hashed(cookie))
        with reading(self.engine) as connection:
            return connection.scalar(chosen.where(session.c.begun_at >= now - SESSION_SECONDS))

    def leave(self, cookie: str) -> None:
        """End a session."""
        with writing(self.engine) as connection:
            session = t.organiser_session
            connection.execute(delete(session).where(session.c.cookie_hash == hashed(cookie)))

    def _set(self, connection: Connection, password_hash: str) -> None:
        self._row(connection)
        connection.execute(update(t.organiser).values(password_hash=password_hash, setup_hash=None))
        connection.execute(delete(t.organiser_session))

    def _row(self, connection: Connection) -> None:
        if connection.scalar(select(t.organiser.c.id)) is None:
            connection.execute(insert(t.organiser).values(id=1))
