"""The page of all metrics that the literature names, made from literature.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from karat.registry import metric


def literature_page() -> str:
    """What was looked at, and a table of every metric that it names."""
    content = tomllib.loads((Path(__file__).parent / "literature.toml").read_text(encoding="utf-8"))
    numbers = {key: number for number, key in enumerate(content["sources"], 1)}
    lines = ["# Metrics of the literature", "", "Every metric that these name, and where it is:", ""]
    lines += [f"{numbers[key]}. {text}" for key, text in content["sources"].items()]
    lines += ["", "| Metric | Named in | Here |", "| :--- | :--- | :--- |"]
    lines += [entry_row(entry, numbers) for entry in content["entry"]]
    return "\n".join(lines) + "\n"


def entry_row(entry: dict[str, Any], numbers: dict[str, int]) -> str:
    """One metric: its name, who names it, and its pages or the reason why it has none."""
    where = ", ".join(str(numbers[key]) for key in entry["named_by"])
    pages = ", ".join(f"[`{spec}`](metrics/{metric(spec).name}.md)" for spec in entry.get("specs", ()))
    here = ". ".join(filter(None, (pages, entry.get("note")))) or f"Not here. {entry['reason']}"
    return f"| {entry['name']} | {where} | {here} |"
