"""Under KARAT_STRICT a test that is skipped for want of a tool fails, be it alone or with its whole module."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SKIP = 'pytest.importorskip("no_such_module", reason="pip install no-such-module")'
MODULES = {
    "a whole module": f"import pytest\n{SKIP}\ndef test_it(): pass\n",
    "one test": f"import pytest\ndef test_it():\n    {SKIP}\n",
}


@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
def test_a_skip_for_want_of_a_tool_fails(module: str, tmp_path: Path) -> None:
    hooks = "pytest_make_collect_report, pytest_runtest_makereport"
    (tmp_path / "conftest.py").write_text(f"from tests.conftest import {hooks}\n", encoding="utf-8")
    (tmp_path / "test_it.py").write_text(module, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KARAT_", "PYTEST_"))}
    outputs = []
    for strict in ({}, {"KARAT_STRICT": "1"}):
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", str(tmp_path)]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment | {"PYTHONPATH": str(ROOT)} | strict,
            capture_output=True,
            text=True,
            check=False,
        )
        outputs.append((done.returncode in (0, 5), "skipped for want of a tool: pip install no-such" in done.stdout))
    assert outputs == [(True, False), (False, True)]
