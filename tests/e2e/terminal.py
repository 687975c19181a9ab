"""Runs karat in a terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def in_terminal(*arguments: str, columns: int = 80) -> str:
    """All that a run shows, without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "karat", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        shown = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            shown += more
    os.close(ours)
    return STYLE.sub("", shown.decode("utf-8")).replace("\r\n", "\n")
