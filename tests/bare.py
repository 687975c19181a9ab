"""A machine with Python, a C++ compiler and nothing else, as far as environment variables can make one."""

from __future__ import annotations

import shutil
from pathlib import Path

from karat.resources.files import MYTHES, WORDNET

PROGRAMS = (
    *(
        "sh",
        "bash",
        "env",
        "uname",
        "cat",
        "cp",
        "cut",
        "echo",
        "head",
        "ls",
        "mkdir",
        "mv",
        "paste",
        "printf",
        "rm",
        "sort",
    ),
    *("tail", "touch", "tr", "true", "uniq", "wc", "awk", "diff", "grep", "sed", "gzip", "make", "git", "python3"),
    *("c++", "g++", "clang++", "cc", "gcc", "clang", "ar", "as", "ld", "nm", "objdump", "ranlib", "strip"),
)
"""What there is on any machine with a C++ compiler."""


def bare_environment(directory: Path) -> dict[str, str]:
    """Variables under which other programs and dictionaries are not found; links to programs go into the directory."""
    links = directory / "bin"
    links.mkdir()
    for name in PROGRAMS:
        if found := shutil.which(name):
            (links / name).symlink_to(found)
    nowhere = str(directory / "nowhere")
    hidden = (WORDNET, MYTHES, "PLAYWRIGHT_BROWSERS_PATH")
    return {"PATH": str(links), **dict.fromkeys(hidden, nowhere)}
