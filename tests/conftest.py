"""Fixtures that all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The directory of real data sets; a test that wants it is skipped where it is absent."""
    directory = Path(os.environ.get("KARAT_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not directory.is_dir():
        pytest.skip(f"no data sets at {directory}: set KARAT_SHARED_DATA to their directory")
    return directory


@pytest.fixture(scope="session")
def shared_spec() -> Path:
    """The directory of scores that other tools printed; a test that wants it is skipped where it is absent."""
    directory = Path(os.environ.get("KARAT_SHARED_SPEC", ROOT.parent / "shared" / "spec"))
    if not directory.is_dir():
        pytest.skip(f"no records of other tools at {directory}: set KARAT_SHARED_SPEC to their directory")
    return directory


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:  # noqa: ARG001
    """Under KARAT_STRICT no test may be skipped for want of a tool: such a skip names what to install."""
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("KARAT_STRICT") and report.skipped and not hasattr(report, "wasxfail"):
        reason = str(call.excinfo.value) if call.excinfo else ""
        if "install" in reason or "could not import" in reason:
            report.outcome = "failed"
            report.longrepr = f"skipped for want of a tool: {reason}"
