"""Plug-ins: what installed packages register by entry points; a broken one is left out, with a warning."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from karat.errors import SpecError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class PluginWarning(UserWarning):
    """A plug-in that cannot be used."""


def load_plugins(group: str, registered: dict[str, Any]) -> None:
    """Import the plug-ins of a group, each of which adds to what is registered; warn of those that do not."""
    from importlib.metadata import entry_points

    for plugin in entry_points(group=group):
        before = dict(registered)
        try:
            plugin.load()
            _check_registered(plugin, registered)
        except (Exception, SystemExit) as error:
            registered.clear()
            registered.update(before)
            package = "" if plugin.dist is None else f" of the package {plugin.dist.name}"
            reason = str(error) if isinstance(error, SpecError) else f"{type(error).__name__}: {error}"
            message = f"the plug-in {plugin.name}{package} is left out: {reason}; mend it, or uninstall the package"
            warnings.warn(PluginWarning(message), stacklevel=2)


def _check_registered(plugin: EntryPoint, registered: dict[str, Any]) -> None:
    """Refuse a plug-in out of whose package nothing is registered."""
    package = plugin.module.partition(".")[0]
    homes = {(known if isinstance(known, type) else type(known)).__module__ for known in registered.values()}
    if package not in {home.partition(".")[0] for home in homes}:
        raise SpecError(f"{plugin.value} registers nothing: put @register above its classes")
