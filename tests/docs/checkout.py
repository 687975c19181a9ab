"""A copy of the repository into which the examples of CONTRIBUTING.md are pasted, and in which they run."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
BLOCK = re.compile(r"^```(\w+) title=\"([^\"]+)\"\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.so", ".*_cache")

STARTUP = """
import sys

# An editable install finds its own sources before PYTHONPATH is looked at.
sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("_editable")]
"""


@dataclass(frozen=True)
class Block:
    """A block of code that belongs into a file."""

    language: str
    path: str
    body: str

    def paste(self, root: Path) -> None:
        """Put it there: a diff adds lines below those that it shows, BibTeX goes to the end, the rest is a new file."""
        target = root / self.path
        if self.language == "diff":
            target.write_text(patched(target.read_text(encoding="utf-8"), self), encoding="utf-8")
        elif self.language == "bibtex":
            target.write_text(target.read_text(encoding="utf-8") + "\n" + self.body, encoding="utf-8")
        else:
            assert not target.exists(), f"{self.path} is there already: CONTRIBUTING.md calls it new"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.body, encoding="utf-8")


def patched(text: str, block: Block) -> str:
    """The text with the added lines of a diff; the other ones must stand there, once."""
    lines = block.body.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    assert text.count(before) == 1, f"{block.path} does not have these lines once:\n{before}"
    return text.replace(before, "".join(line[1:] for line in lines))


def sections(page: Path = CONTRIBUTING) -> dict[str, list[Block]]:
    """The blocks of every section that has some, by its heading."""
    text = page.read_text(encoding="utf-8")
    found = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        if blocks := [Block(*match) for match in BLOCK.findall(body)]:
            found[heading] = blocks
    return found


class Checkout:
    """A copy of the repository whose Python is the copy's, whatever is installed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for part in ("src", "tests", "docs", "native"):
            shutil.copytree(ROOT / part, root / part, ignore=LEFT_OUT)
        for name in ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE"):
            shutil.copy2(ROOT / name, root)
        self.path = [root / "startup", root / "src"]
        self.path[0].mkdir()
        (self.path[0] / "sitecustomize.py").write_text(STARTUP, encoding="utf-8")

    def use_installed_core(self) -> None:
        """Let the copy use the compiled module that is installed."""
        core = importlib.util.find_spec("karat._native")
        assert core is not None
        assert core.origin is not None
        shutil.copy2(core.origin, self.root / "src" / "karat")

    def paste(self, heading: str) -> None:
        """Put the blocks of a section into the files that they name."""
        for block in sections()[heading]:
            block.paste(self.root)

    def python(self, *arguments: str | Path) -> str:
        """What a Python program prints."""
        return self.run(sys.executable, *arguments)

    def install(self, sources: Path, target: Path) -> None:
        """Build a package and install it into a directory, from nothing but what is on this machine."""
        pip = ("-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index", "--no-deps")
        self.python(*pip, "--no-build-isolation", "--target", target, sources)

    def karat(self, *arguments: str | Path) -> str:
        """What a command prints to standard output."""
        return self.python("-m", "karat", *arguments)

    def passed(self, *arguments: str | Path) -> int:
        """How many tests pass; none may fail."""
        printed = self.python("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments)
        counted = re.search(r"(\d+) passed", printed)
        assert counted, printed
        return int(counted[1])

    def run(self, *command: str | Path) -> str:
        """What a program prints that is run in the copy."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment["PYTHONPATH"] = os.pathsep.join(map(str, self.path))
        result = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
        return result.stdout
