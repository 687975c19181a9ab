"""Plug-ins: what installed packages register by entry points; a broken one is left out, with a warning."""

from __future__ import annotations

import os
import sys
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

from karat.errors import SpecError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class PluginWarning(UserWarning):
    """A plug-in that cannot be used."""


_METADATA = (".dist-info", ".egg-info")


def are_installed(group: str) -> bool:
    """Whether a package may register something in a group: a glance at entry points, which take long to be read."""
    return group in _announced() or bool(_unread())


@cache
def _announced() -> frozenset[str]:
    """The groups with entry points in packages that are installed as directories."""
    groups: set[str] = set()
    for directory in filter(os.path.isdir, {path or "." for path in sys.path}):
        for name in os.listdir(directory):  # noqa: PTH208 - ten times as fast
            if name.endswith(_METADATA):
                groups |= _groups(os.path.join(directory, name, "entry_points.txt"))  # noqa: PTH118 - ten times as fast
    return frozenset(groups)


def _groups(path: str) -> set[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:  # noqa: PTH123 - ten times as fast
            return {line.strip()[1:-1].strip() for line in stream if line.lstrip().startswith("[")}
    except OSError:
        return set()


def _unread() -> list[object]:
    """Where else packages may be: in archives, and wherever finders of other kinds look."""
    archives = [path for path in sys.path if os.path.isfile(path)]  # noqa: PTH113 - ten times as fast
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    return [*archives, *(finder for finder in finders if getattr(finder, "__name__", "") != "PathFinder")]


def load_plugins(group: str, registered: dict[str, Any]) -> None:
    """Import the plug-ins of a group, each of which adds to what is registered; warn of those that do not."""
    if not are_installed(group):
        return
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
