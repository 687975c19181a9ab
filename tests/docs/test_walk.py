"""The walk of the data names functions and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import karat

SOURCE = Path(karat.__file__).parent
WALK = (Path(__file__).parents[2] / "docs" / "design" / "walk.md").read_text("utf-8")
PROSE = re.sub(r"```.*?```", "", WALK, flags=re.DOTALL)
QUOTED = re.findall(r"`([^`]+)`", PROSE)
PATHS = sorted({text.removeprefix("karat/") for text in QUOTED if text.endswith((".py", "/"))})
CALLS = [match.group() for text in QUOTED if (match := re.match(r"[A-Za-z_][\w.]*(?=\(|$)", text))]
NAMES = sorted({name for call in CALLS if not call.endswith(".py") for name in call.split(".")})
TEXT = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", PATHS)
def test_its_files_exist(path: str) -> None:
    assert (SOURCE / path).exists()


@pytest.mark.parametrize("name", NAMES)
def test_its_names_are_defined(name: str) -> None:
    defined = rf"^\s*(?:def|class) {name}\b|^\s*{name}\s*[:=]"
    is_package = any(path.stem == name or path.name == name for path in SOURCE.rglob("*"))
    assert is_package or re.search(defined, TEXT, re.MULTILINE)
