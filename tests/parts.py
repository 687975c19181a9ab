"""Corpora in parts, and what two runs over them must have in common."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import polars as pl

WORDS = [f"{start}{end}" for start in ("ba", "ce", "dü", "fo", "ga", "hi") for end in ("l", "m", "n", "rt", "st", "")]


def sentence(draw: random.Random, words: int = 6) -> str:
    return " ".join(draw.choices(WORDS, k=words)) + "."


def changed(draw: random.Random, text: str) -> str:
    return " ".join(word if draw.random() < 0.8 else draw.choice(WORDS) for word in text.split())


def rows(count: int, seed: int = 1, **columns: Any) -> pl.DataFrame:
    """So many segments with source, reference and hypothesis, all different by their number."""
    draw = random.Random(seed)
    references = [f"{sentence(draw)} {seed}-{i}" for i in range(count)]
    return pl.DataFrame(
        {
            "source": [f"q {i} {seed}" for i in range(count)],
            "reference": references,
            "hypothesis": [changed(draw, reference) for reference in references],
            **columns,
        }
    )


def write_parts(directory: Path, files: int, count: int) -> list[pl.DataFrame]:
    """Files of so many rows each."""
    directory.mkdir(parents=True, exist_ok=True)
    frames = [rows(count, seed) for seed in range(files)]
    for number, frame in enumerate(frames):
        frame.write_parquet(directory / f"part-{number:02}.parquet")
    return frames


def digest(directory: Path) -> dict[str, str]:
    """The SHA-256 of all parts by their names, and of all sums."""
    return {
        f"{kind}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for kind in ("parts", "sums")
        for path in sorted((directory / kind).glob("*.parquet"))
    }


def scores(document: str) -> dict[tuple[str, str], float]:
    """The scores in the JSON form by system and metric."""
    return {(one["system"], one["spec"]): one["score"] for one in json.loads(document)["scores"]}
