"""sacreBLEU's own test suite, from its source distribution, run against the drop-in in sacreBLEU's place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import textwrap
from pathlib import Path

import pytest

VERSION = "2.6.0"
ARCHIVE = f"sacrebleu-{VERSION}.tar.gz"
TEST_FILES = (
    "test_bleu.py",
    "test_sentence_bleu.py",
    "test_chrf.py",
    "test_ter.py",
    "test_tokenizer_ter.py",
    "test_significance.py",
)
LEAST_PASSED = 131
"""130 of theirs and the one below; fewer means that something was not run."""

ALIAS = """
    import importlib, sys
    from importlib.abc import Loader, MetaPathFinder
    from importlib.machinery import ModuleSpec

    class Alias(MetaPathFinder, Loader):
        def find_spec(self, name, path=None, target=None):
            if name == "sacrebleu" or name.startswith("sacrebleu."):
                return ModuleSpec(name, self, is_package=True)

        def create_module(self, spec):
            return importlib.import_module("karat.compat." + spec.name)

        def exec_module(self, module):
            pass

    sys.meta_path.insert(0, Alias())
"""


def archive() -> Path:
    """The source distribution: from the cache, else from the package index."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "karat-tests"
    if not (cache / ARCHIVE).exists():
        cache.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "-q", f"sacrebleu=={VERSION}", "--no-deps"]
        done = subprocess.run(
            [*command, "--no-binary", ":all:", "-d", cache], capture_output=True, text=True, timeout=300
        )
        if done.returncode:
            pytest.skip(f"no source distribution of sacreBLEU to be had: {done.stderr.strip().splitlines()[-1]}")
    return cache / ARCHIVE


@pytest.mark.parity
def test_their_tests_pass(tmp_path: Path) -> None:
    with tarfile.open(archive()) as tar:
        tar.extractall(tmp_path, filter="data")
    root = tmp_path / ARCHIVE.removesuffix(".tar.gz")
    (root / "conftest.py").write_text(textwrap.dedent(ALIAS), "utf-8")
    (root / "test" / "test_which.py").write_text(
        "import sacrebleu\ndef test_which():\n    assert sacrebleu.BLEU.__module__.startswith('karat.')\n", "utf-8"
    )
    for package in root.glob("sacrebleu*"):
        package.rename(package.with_name(f"unused-{package.name}"))  # so that nothing is imported from there
    names = [f"test/{name}" for name in (*TEST_FILES, "test_which.py")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *names]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout
    assert int(passed[1]) >= LEAST_PASSED
    assert "failed" not in done.stdout
    assert "skipped" not in done.stdout
