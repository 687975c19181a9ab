"""What the extras promise: with `karat[meteor]`, every metric runs in English from PyPI alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from karat.registry import metric_classes

pytestmark = pytest.mark.contained

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
NAME = re.compile(r"[A-Za-z0-9._-]+")

SCORE_ALL = """
import json, sys

for module in json.loads(sys.argv[1]):
    sys.modules[module] = None

from karat.registry import metric_classes

plain = {name: cls() for name, cls in metric_classes().items()}
prepared = {name: one.prepare(["he bought a new car"]) for name, one in plain.items() if not one.given_layers}
rows = {name: one.rows(["he purchased a new automobile"]) for name, one in prepared.items()}
print(json.dumps({name: [rows[name].score, str(prepared[name].signature)] for name in rows}))
"""


def packages(extra: str) -> set[str]:
    """The distributions that an extra brings, those of extras within it included."""
    found: set[str] = set()
    for requirement in EXTRAS[extra]:
        if requirement.startswith("karat["):
            found.update(*map(packages, requirement.removeprefix("karat[").rstrip("]").split(",")))
        elif name := NAME.match(requirement):
            found.add(name[0])
    return found


@pytest.mark.long
def test_every_metric_runs_in_english_with_the_extra_meteor_and_nothing_else() -> None:
    others = set().union(*map(packages, EXTRAS)) - packages("meteor")
    barred = [module for module, origins in packages_distributions().items() if others.intersection(origins)]
    assert {"nltk", "sacrebleu", "MeCab"} <= set(barred)
    command = [sys.executable, "-c", SCORE_ALL, json.dumps(barred)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    scored = json.loads(done.stdout)
    assert scored.keys() == {name for name, cls in metric_classes().items() if not cls().given_layers}
    for name in ("terp", "atec-style", "tesla-m-style", "meteor", "meteor-2005", "m-bleu", "m-ter"):
        assert "|synonyms:meteor-synonyms:1.5/" in scored[name][1]
    assert scored["tesla-m-style"][0] == pytest.approx(100)
    assert scored["terp"][0] == 0


def test_what_is_large_is_not_in_all() -> None:
    assert "pycocoevalcap" not in packages("all")
