"""How many threads there are: what was asked for, else what the environment says."""

from __future__ import annotations

import pytest

from karat.errors import InputError
from karat.kernels import thread_count


def test_what_is_asked_for_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_THREADS", "3")
    assert thread_count() == 3
    assert thread_count(2) == 2


@pytest.mark.parametrize("nothing", ["", "0"])
def test_nothing_means_all_cores(nothing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_THREADS", nothing)
    assert thread_count() >= 1


@pytest.mark.parametrize("named", ["many", "-1", "2.5"])
def test_what_is_no_number_is_refused(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_THREADS", named)
    with pytest.raises(InputError, match="KARAT_THREADS"):
        thread_count()
