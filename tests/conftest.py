"""Fixtures that all tests share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from tests.bare import bare_environment
from tests.browser import launched
from tests.examples import FAST, examples

from karat.errors import MissingResourceError
from karat.resources import Synonyms, synonyms

if TYPE_CHECKING:
    from tests.fuzzing.decoding import Decoder

ROOT = Path(__file__).parent.parent

# What tests compile is kept from one run to the next, but not where the user's own is.
os.environ["KARAT_CACHE"] = str(ROOT / "build" / "cache")

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
IN_CI = bool(os.environ.get("CI"))
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("fast", settings.get_profile("default"), max_examples=examples(100), derandomize=IN_CI)
settings.load_profile("fast" if FAST else "ci" if IN_CI else "default")


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


@pytest.fixture(scope="session")
def installed_wordnet() -> Synonyms:
    """The real WordNet; a test that wants it is skipped where it is absent."""
    return installed(lambda: synonyms("en", "wordnet"))


@pytest.fixture(scope="session")
def installed_german_thesaurus() -> Synonyms:
    """The real German thesaurus; a test that wants it is skipped where it is absent."""
    return installed(lambda: synonyms("de"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real browser, one for all tests; a test that wants it is skipped where it is absent."""
    with launched() as running:
        yield running


@pytest.fixture(scope="session")
def decoder() -> Iterator[Decoder]:
    """One process that decodes Parquet, for tests that read many files and are not about how a file gets its own."""
    from tests.fuzzing.decoding import Decoder

    lasting = Decoder()
    yield lasting
    lasting.close()


def installed(resource: Callable[[], Synonyms]) -> Synonyms:
    """The resource; a skip that tells how to install it where it is absent."""
    try:
        return resource()
    except MissingResourceError as error:
        pytest.skip(str(error))


BARE = pytest.StashKey[dict[str, str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Under KARAT_BARE all tests run as on a machine with nothing but Python and a C++ compiler."""
    config.addinivalue_line("markers", "xdist_group(name): the worker they share; without pytest-xdist, too")
    # Commands that tests run would compile every module of karat anew, each for longer than it works.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    directory = tempfile.TemporaryDirectory(prefix="karat-bare-")
    config.add_cleanup(directory.cleanup)
    config.stash[BARE] = bare_environment(Path(directory.name))
    if os.environ.get("KARAT_BARE"):
        nowhere = dict.fromkeys(("KARAT_SHARED_DATA", "KARAT_SHARED_SPEC"), f"{directory.name}/nowhere")
        os.environ.update(config.stash[BARE] | nowhere)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tests marked `contained` never see more than a bare machine has, so the bare pass can leave them out."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("contained"):
            for name, value in item.config.stash[BARE].items():
                patch.setenv(name, value)
        return (yield)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:  # noqa: ARG001
    """Under KARAT_STRICT no test may be skipped for want of a tool: such a skip names what to install."""
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("KARAT_STRICT") and report.skipped and not hasattr(report, "wasxfail"):
        _fail_for_want_of_a_tool(report, str(call.excinfo.value) if call.excinfo else "")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:  # noqa: ARG001
    """The same of whole modules."""
    report: Any = yield
    if os.environ.get("KARAT_STRICT") and report.skipped:
        _fail_for_want_of_a_tool(report, report.longrepr[2].removeprefix("Skipped: "))
    return report


def _fail_for_want_of_a_tool(report: Any, reason: str) -> None:
    if "install" in reason or "could not import" in reason:
        report.outcome = "failed"
        report.longrepr = f"skipped for want of a tool: {reason}"
