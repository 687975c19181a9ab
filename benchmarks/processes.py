"""What a process and all those that it has started take: memory and time of processors, as Linux tells them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
START, PARENT = 19, 1
USER, SYSTEM = 11, 12
"""Fields of /proc/PID/stat behind the name."""


class Family:
    """A process and its descendants, looked at from time to time.

    What a process spends after the last look at it is not counted.
    """

    def __init__(self, root: int) -> None:
        self._root = root
        self._members = {root}
        self._spent: dict[tuple[int, str], int] = {}
        self.most_memory = self.most_in_one = self.most_processes = 0

    def look(self) -> None:
        """Take note of what all of them have spent, and of the memory that they hold now."""
        fields = _all_processes()
        self._members = {pid for pid in self._members if pid in fields} | _below(self._root, fields)
        sizes = []
        for pid in self._members & fields.keys():
            known = fields[pid]
            self._spent[pid, known[START]] = int(known[USER]) + int(known[SYSTEM])
            sizes.append(_own_share(pid))
        self.most_memory = max(self.most_memory, sum(sizes))
        self.most_in_one = max(self.most_in_one, *sizes, 0)
        self.most_processes = max(self.most_processes, len(sizes))

    @property
    def processor_seconds(self) -> float:
        """User and system time of all."""
        return sum(self._spent.values()) / TICKS


def _all_processes() -> dict[int, list[str]]:
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found[int(entry.name)] = (entry / "stat").read_text().rpartition(")")[2].split()
    return found


def _below(root: int, fields: dict[int, list[str]]) -> set[int]:
    """All descendants of a process, and itself."""
    found = {root} & fields.keys()
    while more := {pid for pid, known in fields.items() if int(known[PARENT]) in found} - found:
        found |= more
    return found


def _own_share(pid: int) -> int:
    """Bytes of memory, of which what several processes share is divided among them."""
    try:
        for line in Path("/proc", str(pid), "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return 1024 * int(line.split()[1])
    except OSError:
        return 0
    return 0
