"""Prints the rates that the calibration measured below its results."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Measured = Callable[[float], float]

rates: dict[str, float] = {}


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Measured:
    """Notes a rate under the name of the test and gives it back."""

    def note(rate: float) -> float:
        rates[request.node.name] = rate
        return rate

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each rate."""
    if rates:
        terminalreporter.section("measured rates")
        for name, rate in rates.items():
            terminalreporter.write_line(f"{rate:.4f}  {name}")
