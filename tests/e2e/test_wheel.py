"""A built wheel works in an empty environment, installed from a local wheelhouse."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = [pytest.mark.contained, pytest.mark.xdist_group("wheel")]  # one worker builds the wheel for all tests

ROOT = Path(__file__).parents[2]
BUILT_BY_TOOLS = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "site", "wheelhouse", ".*_cache", "__pycache__"
)


def run(*arguments: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    result = subprocess.run(arguments, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{arguments}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a clean copy of the sources, and the wheels of what it depends on."""
    directory = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, directory / "karat", ignore=BUILT_BY_TOOLS)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "wheel", "--no-build-isolation", "--wheel-dir", directory / "wheelhouse", ".", cwd=directory / "karat")
    return directory / "wheelhouse"


def test_the_wheel_works_in_an_empty_environment(wheelhouse: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", wheelhouse, "karat", cwd=tmp_path)
    sample = run(python, "-c", "import karat.sample; print(karat.sample.path('corpus.jsonl'))", cwd=tmp_path).strip()
    document = json.loads(run(python, "-m", "karat", "score", "--corpus", sample, "--json", cwd=tmp_path))
    assert len(document["scores"]) == 4 * 3
    assert str(tmp_path) in sample


def test_the_wheel_holds_types_data_and_no_tests(wheelhouse: Path) -> None:
    import zipfile

    (wheel,) = wheelhouse.glob("karat-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "karat/py.typed" in names
    assert "karat/_native.pyi" in names
    assert "karat/sample/data/corpus.jsonl" in names
    assert not [name for name in names if name.startswith(("tests/", "native/", "karat/tests"))]
