"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The directory of real data sets; a test that wants it is skipped where it is absent."""
    directory = Path(os.environ.get("KARAT_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not directory.is_dir():
        pytest.skip(f"no data sets at {directory}: set KARAT_SHARED_DATA to their directory")
    return directory
