"""Who may see and steer a campaign that is served: whoever knows its password, or the link that sets it once."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from karat.errors import InputError, KaratError, MissingExtraError
from karat.results.campaigns import PasswordResult
from karat.service.campaigns import open_store, read_campaign

if TYPE_CHECKING:
    from karat.campaigns.store import Store
    from karat.service.campaigns import Running

__all__ = [
    "LONGEST",
    "WrongPasswordError",
    "entered",
    "has_password",
    "leave",
    "log_in",
    "set_password",
    "set_up",
    "setup_link",
]

SHORTEST, LONGEST = 10, 1000
AT_ONCE = 2
"""How many passwords are checked at once: each takes tens of megabytes and as many milliseconds."""

_checks = BoundedSemaphore(AT_ONCE)


class WrongPasswordError(KaratError):
    """Not the password, or there is none yet."""

    http_status = 403


def set_password(directory: str, password: str) -> PasswordResult:
    """Set the password of a campaign, which may not have begun."""
    files = read_campaign(directory)
    store = open_store(directory)
    store.upgrade(files.directory)
    store.organiser.set_password(_hash(password))
    return PasswordResult(name=files.plan.name)


def has_password(store: Store) -> bool:
    """Whether a password is set."""
    return store.organiser.password_hash() is not None


def setup_link(campaign: Running) -> str | None:
    """The secret of a link that sets the password once; None where there is a password."""
    return None if has_password(campaign.store) else campaign.store.organiser.new_setup()


def set_up(campaign: Running, secret: str, password: str) -> str:
    """Set the password with the secret of such a link; a cookie."""
    campaign.store.organiser.set_up(secret, _hash(password))
    return campaign.store.organiser.enter(campaign.clock())


def log_in(campaign: Running, password: str) -> str:
    """A cookie for the password."""
    known = campaign.store.organiser.password_hash()
    if known is None:
        raise WrongPasswordError("there is no password yet: open the link that karat campaign serve printed")
    if not _verified(known, password):
        raise WrongPasswordError("this is not the password")
    return campaign.store.organiser.enter(campaign.clock())


def entered(campaign: Running, cookie: str | None) -> str | None:
    """What goes with each change, for a cookie; None where it opens nothing."""
    return None if cookie is None else campaign.store.organiser.entered(cookie, campaign.clock())


def leave(campaign: Running, cookie: str) -> None:
    """End what a cookie has opened."""
    campaign.store.organiser.leave(cookie)


def _hash(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(f"a password has {SHORTEST} to {LONGEST:,} characters, and this one {len(password):,}")
    try:
        from argon2 import PasswordHasher
    except ImportError as error:
        raise MissingExtraError("the password of an organiser", "web") from error
    with _checks:
        return str(PasswordHasher().hash(password))


def _verified(known: str, password: str) -> bool:
    try:
        from argon2 import PasswordHasher
        from argon2.exceptions import VerifyMismatchError
    except ImportError as error:
        raise MissingExtraError("the password of an organiser", "web") from error
    with _checks:
        try:
            return bool(PasswordHasher().verify(known, password[:LONGEST]))
        except VerifyMismatchError:
            return False
