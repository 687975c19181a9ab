"""Broken plug-ins: a warning each, and everything else works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from karat.metrics.base import Metric, register, registry
from karat.metrics.bleu import Bleu
from karat.plugins import PluginWarning, are_installed, load_plugins
from karat.sample import path as sample_path

METRIC = '''
from dataclasses import dataclass
from typing import ClassVar
from karat.metrics.base import register
from karat.metrics.bleu import Bleu


@register
@dataclass(frozen=True, kw_only=True)
class Mine(Bleu):
    """Mine."""

    name: ClassVar[str] = "{name}"
    aliases: ClassVar[dict[str, dict[str, int]]] = {aliases}
'''
BROKEN = {
    "lost_import": ("import no_such_module_anywhere", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
    "bad_syntax": ("def (", "SyntaxError"),
    "nothing": ("VALUE = 1", "nothing registers nothing"),
    "not_a_metric": ("from karat.metrics.base import register\nregister(dict)", "<class 'dict'> is not a metric"),
    "name_clash": (METRIC.format(name="bleu", aliases={}), "there are two metrics named 'bleu'"),
    "alias_clash": (METRIC.format(name="mine", aliases={"chrf++": {}}), "there are two metrics named 'chrf++'"),
}


def install(directory: Path, name: str, code: str, group: str = "karat.metrics") -> None:
    """What `pip install` leaves behind."""
    (directory / f"{name}.py").write_text(code, encoding="utf-8")
    metadata = directory / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {name}\n", encoding="utf-8")


def karat(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(directory)}
    command = [sys.executable, "-m", "karat", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def score(directory: Path, metric: str) -> subprocess.CompletedProcess[str]:
    texts = ("-r", str(sample_path("refA.en.txt")), str(sample_path("neural.txt")))
    return karat(directory, "score", *texts, "-m", metric, "-m", "chrf++")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_left_out_with_a_warning(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, reason = BROKEN[name]
    install(tmp_path, name, code, "karat.tried")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("karat.plugins._announced", lambda: {"karat.tried"})  # it was looked up before the package came
    before = dict(registry)
    with pytest.warns(PluginWarning, match="is left out") as caught:
        load_plugins("karat.tried", registry)
    assert registry == before
    (message,) = (str(warning.message) for warning in caught)
    assert message.startswith(f"the plug-in {name} of the package {name} is left out: ")
    assert reason in message


def test_a_command_warns_of_each_once_and_works(tmp_path: Path) -> None:
    for name, (code, _) in BROKEN.items():
        install(tmp_path, name, code)
    install(tmp_path, "sound", METRIC.format(name="sound", aliases={}))
    result = score(tmp_path, "sound")
    assert (result.returncode, "BLEU" in result.stdout) == (0, True)
    lines = result.stderr.splitlines()
    assert len(lines) == len(BROKEN)
    assert all(line.startswith("karat: warning: the plug-in ") for line in lines)


def test_plugins_are_not_loaded_for_metrics_of_karat(tmp_path: Path) -> None:
    install(tmp_path, "broken", "raise SystemExit('loaded')")
    result = score(tmp_path, "bleu")
    assert (result.returncode, result.stderr) == (0, "")


def test_a_glance_tells_whether_plugins_are_installed(tmp_path: Path) -> None:
    asked = "from karat.plugins import are_installed; print(are_installed('karat.tried'), are_installed('karat.none'))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def told() -> str:
        return subprocess.run(
            [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert told() == "False False\n"
    install(tmp_path, "tried", "", "karat.tried")
    assert told() == "True False\n"


def test_packages_in_archives_are_asked_for_by_the_long_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not are_installed("karat.tried")
    archive = tmp_path / "packages.zip"
    archive.write_bytes(b"")
    monkeypatch.syspath_prepend(archive)
    assert are_installed("karat.tried")


def test_a_plugin_that_says_nothing_scores_but_is_not_listed(tmp_path: Path) -> None:
    install(tmp_path, "silent", METRIC.format(name="mine", aliases={}))
    assert score(tmp_path, "mine").returncode == 0
    listed = karat(tmp_path, "metrics")
    assert "bleu" in listed.stdout
    assert listed.stderr == (
        "karat: warning: mine is not in the list: the docstring of Mine lacks the sections: "
        "Formula, Use when, Do not use when, Known failure, Example\n"
    )


def test_only_metrics_are_registered_and_each_name_once() -> None:
    wrong: Any = object()
    with pytest.raises(ValueError, match="is not a metric: derive its class"):
        register(wrong)
    with pytest.raises(ValueError, match="two metrics named 'bleu'"):
        register(Bleu)
    assert all(issubclass(known, Metric) for known in registry.values())
