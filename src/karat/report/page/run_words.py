"""The verdict over several runs of two systems in a sentence: no more than every metric's test and interval hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from karat.report.sentences import listed

if TYPE_CHECKING:
    from karat.significance import RunComparison


def runs_headline(pairs: Mapping[str, RunComparison]) -> str:
    """Whose runs are better, metric by metric under its name."""
    winners = {name: pair.better if shown(pair) else None for name, pair in pairs.items()}
    any_pair = next(iter(pairs.values()))
    systems = (any_pair.system, any_pair.baseline)
    parts = [
        f"these runs of {system} are better than these of {other} under {listed(_won(winners, system))}"
        for system, other in (systems, systems[::-1])
        if _won(winners, system)
    ]
    if not parts:
        return f"No difference between these runs of {listed(list(systems))} is shown under {listed(list(pairs))}."
    still = [name for name, winner in winners.items() if winner is None]
    parts += [f"under {listed(still)} that is not shown"] if still else []
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}."


def shown(pair: RunComparison) -> bool:
    """Whether the test tells the runs apart, and the interval of their difference agrees."""
    return bool(pair.significant) and not pair.interval.low <= 0 <= pair.interval.high


def _won(winners: Mapping[str, str | None], system: str) -> list[str]:
    return [name for name, winner in winners.items() if winner == system]
