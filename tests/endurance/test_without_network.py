"""The wheel alone does it: installed without an index, served and rated in a browser where no network is."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest
from tests.browser import chromium

pytestmark = [pytest.mark.endurance, pytest.mark.browser, pytest.mark.xdist_group("wheelhouse")]

ROOT = Path(__file__).parents[2]
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
ONLY_THIS_MACHINE = """\
import ipaddress
import sys


def refuse_others(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        if not ipaddress.ip_address(arguments[1][0]).is_loopback:
            raise OSError(f"the network is cut: {arguments[1]}")
    if event == "socket.getaddrinfo" and arguments[0] not in (None, "127.0.0.1", "::1", "localhost"):
        raise OSError(f"the network is cut: {arguments[0]}")


sys.addaudithook(refuse_others)
"""
"""What an environment runs before anything else, as its `sitecustomize`."""


def run(*arguments: str | Path, **environment: str) -> str:
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    result = subprocess.run(arguments, cwd=ROOT, env=known | environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{arguments}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def wheels_of_others() -> Path:
    """The wheels of what `karat[web]` needs, kept from one run to the next for as long as it needs the same."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["web"]]
    digest = hashlib.sha256(json.dumps([sys.version_info[:2], sorted(needed)]).encode()).hexdigest()
    place = ROOT / "build" / "wheelhouse" / digest[:12]
    if not place.is_dir():
        unfinished = place.with_suffix(".unfinished")
        command = (*PIP, "download", "--only-binary", ":all:", "--dest", str(unfinished), *needed)
        fetched = subprocess.run(command, capture_output=True, text=True, check=False)
        if fetched.returncode != 0:
            pytest.skip(f"there are no wheels of what karat[web] needs: pip download -d {place.relative_to(ROOT)} ...")
        unfinished.rename(place)
    return place


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an empty environment into which the wheel was put, with nothing but what lies in directories."""
    others, own = wheels_of_others(), tmp_path_factory.mktemp("wheel")
    run(*PIP, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", own, ROOT)
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "sitecustomize.py").write_text(ONLY_THIS_MACHINE, encoding="utf-8")
    find = ("--no-index", "--find-links", others, "--find-links", own)
    run(*PIP, "--python", python, "install", "--no-compile", *find, "karat[web]")
    return python


def cut_off() -> tuple[str, ...]:
    """What is put before a command to have a network of its own, with nobody else in it, where that is allowed."""
    command = ("unshare", "--net", "--map-root-user")
    allowed = shutil.which("unshare") and subprocess.run((*command, "true"), check=False, capture_output=True)
    return command if allowed and allowed.returncode == 0 else ()


def test_the_environment_reaches_nobody_else(installed: Path) -> None:
    for attempt in ("socket.create_connection(('192.0.2.1', 80), 1)", "socket.getaddrinfo('karat.example', 80)"):
        code = f"import socket\ntry:\n    {attempt}\nexcept OSError as error:\n    print(error)"
        assert "the network is cut" in run(installed, "-c", code)


def test_a_campaign_is_served_and_rated_where_no_network_is(installed: Path) -> None:
    chromium()
    told = json.loads(run(*cut_off(), sys.executable, "-m", "tests.endurance.demo_rated", installed))
    assert told["progress"].startswith("2 of")
    assert str(installed.parents[1]) in told["karat"]
    assert cut_off() == () or told["elsewhere"] == []
