"""METEOR 1.5 itself: the program in the PyPI package pycocoevalcap, run by Java."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from karat.kernels import METEOR_MODULES
from karat.resources.files import meteor_jar


def jar() -> Path:
    """Where the program lies; a test that wants it is skipped where it or Java is absent."""
    found = meteor_jar()
    if found is None:
        pytest.skip("no METEOR: install it with pip install 'karat[meteor]'")
    if shutil.which("java") is None:
        pytest.skip("no Java: install it with apt-get install default-jre-headless")
    return found


def statistics(hypotheses: list[str], references: list[list[str]], modules: str, *options: str) -> NDArray[np.float64]:
    """What the program counts in each segment, against the best of its references."""
    lines = [" ||| ".join(["SCORE", *wanted, line]) for line, wanted in zip(hypotheses, references, strict=True)]
    weights = " ".join("1" for _ in modules.split("+"))
    command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar()), "-", "-", "-stdio"]
    chosen = ["-m", modules.replace("+", " "), "-w", weights] if modules else []
    done = subprocess.run(
        [*command, *chosen, *options],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found = np.array([line.split() for line in done.stdout.splitlines()], dtype=np.float64)
    return in_four_modules(found, modules.split("+") if modules else METEOR_MODULES)


def in_four_modules(found: NDArray[np.float64], modules: list[str] | tuple[str, ...]) -> NDArray[np.float64]:
    """The program has columns for the modules that are used, and calls a perfect match one chunk until it scores."""
    rows = np.zeros((len(found), 23))
    rows[:, :4], rows[:, 20:] = found[:, :4], found[:, -3:]
    for place, module in enumerate(modules):
        at = 4 + 4 * METEOR_MODULES.index(module)
        rows[:, at : at + 4] = found[:, 4 + 4 * place : 8 + 4 * place]
    perfect = (rows[:, 20] == 1) & (rows[:, 21] == rows[:, 0]) & (rows[:, 22] == rows[:, 1])
    rows[perfect, 20] = 0
    return rows
