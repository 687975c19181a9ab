"""What another tool answered, kept on disk: its answers change only with its version, and the grid asks for long.

They are kept in `build/answers`, or where KARAT_ANSWERS says; without that directory every answer is computed anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import unicodedata
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

WORTH_KEEPING = 100
"""How many segments a question must have: asking about fewer takes no longer than looking the answer up."""

DIRECTORY = Path(os.environ.get("KARAT_ANSWERS", Path(__file__).parents[2] / "build" / "answers"))


def answer(name: str, segments: int, question: object, ask: Callable[[], Any]) -> Any:
    """The answer, as JSON has it, of the tool in its installed version to a question that JSON can hold.

    `name` says what is asked; the question holds all that the answer depends on.
    """
    if segments < WORTH_KEEPING:
        return ask()
    made_by = [version("sacrebleu"), version("regex"), unicodedata.unidata_version]
    asked = json.dumps([name, made_by, question]).encode()
    kept = DIRECTORY / f"{name}-{hashlib.sha256(asked).hexdigest()}.json"
    if kept.exists():
        return json.loads(kept.read_text("utf-8"))
    told = ask()
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    partial = kept.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(told), "utf-8")
    partial.replace(kept)
    return told
