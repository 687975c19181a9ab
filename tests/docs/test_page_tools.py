"""What checks the page is pinned, and comes from wherever npm is told to look."""

from __future__ import annotations

import json
from pathlib import Path

TOOLS = Path(__file__).parents[2] / "tools" / "page"


def test_tools_are_pinned_by_their_hashes_and_name_no_registry() -> None:
    asked = json.loads((TOOLS / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    locked = json.loads((TOOLS / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    installed = {name.removeprefix("node_modules/"): one for name, one in locked.items() if name}
    assert {name: one["version"] for name, one in installed.items()} == asked
    assert all("integrity" in one and "resolved" not in one for one in installed.values())
