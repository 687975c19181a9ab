"""sacreBLEU's test sets, from its own package."""

from __future__ import annotations

from typing import Any

from karat.compat.sacrebleu.testsets import original


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(original("dataset"), name)
