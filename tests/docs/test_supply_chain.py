"""What the workflows may do and run, and which versions of other packages may be installed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_only_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^permissions:\n  contents: read\n(?! )", text, re.MULTILINE)
    assert text.count("permissions:") == 1


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_or_say_why_not(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    used = [(number, line) for number, line in enumerate(lines) if "uses:" in line]
    assert used
    for number, line in used:
        by_commit = re.search(r"@[0-9a-f]{40} # v\d", line)
        assert by_commit or (re.search(r"@v\d+\.\d+\.\d+$", line) and "By tag" in lines[number - 1]), line


def test_libraries_before_their_first_version_have_an_upper_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    groups = [[one for one in group if isinstance(one, str)] for group in project["dependency-groups"].values()]
    wanted = [*project["project"]["dependencies"], *(one for group in (*extras, *groups) for one in group)]
    young = [one for one in wanted if re.search(r">=0\.", one)]
    assert young
    assert [one for one in young if "<" not in one] == []
