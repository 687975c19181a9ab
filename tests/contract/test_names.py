"""Names say what they hold: none that could hold anything, and none for two different things."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import karat

SOURCE = Path(karat.__file__).parent
EMPTY = {"one", "found", "told", "of", "sure", "people"}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "compat" not in path.parts)


def _class_entries(tree: ast.AST) -> Iterator[ast.stmt]:
    """What stands in classes: their fields have the name of the class before them, as in overlap.of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from node.body


def _variables(tree: ast.AST) -> set[str]:
    fields = {id(entry.target) for entry in _class_entries(tree) if isinstance(entry, ast.AnnAssign)}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in fields)
    stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return stored | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def test_variables_say_what_they_hold() -> None:
    empty = {str(path.relative_to(SOURCE)): _variables(ast.parse(path.read_text("utf-8"))) & EMPTY for path in MODULES}
    assert {module: names for module, names in empty.items() if names} == {}


@pytest.mark.parametrize("word", sorted(EMPTY))
def test_the_search_sees_variables_and_arguments(word: str) -> None:
    assert word in _variables(ast.parse(f"{word} = 1"))
    assert word in _variables(ast.parse(f"[0 for {word} in ()]"))
    assert word in _variables(ast.parse(f"lambda {word}: 0"))


def test_no_two_classes_share_a_name() -> None:
    places = defaultdict(list)
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{module.relative_to(SOURCE)}:{node.lineno}")
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
