"""The benchmarks still fit the code that they measure, whether or not the tools they compare with are installed."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parents[2] / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_benchmark_imports_of_karat_exists(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "karat":
            module = importlib.import_module(node.module or "")
            absent = [name.name for name in node.names if not hasattr(module, name.name)]
            assert not [name for name in absent if not _is_module(f"{node.module}.{name}")]


def _is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return False
    return True
