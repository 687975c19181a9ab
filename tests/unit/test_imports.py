"""What is loaded when: `import karat` costs nothing, scoring loads neither polars nor scipy."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import karat

HEAVY = ["numpy", "polars", "scipy", "rich", "click", "xml", "sacrebleu", "pandas"]


def loaded_after(code: str) -> set[str]:
    program = f"import json, sys\n{code}\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(result.stdout.splitlines()[-1]))


def test_import_karat_loads_nothing_heavy() -> None:
    assert loaded_after("import karat; karat.__all__") == set()


def test_scoring_text_loads_numpy_only() -> None:
    assert loaded_after("import karat; karat.score(['a b'], ['a b'])") == {"numpy"}


@pytest.mark.parametrize("name", karat.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(karat, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = karat.nothing_here
