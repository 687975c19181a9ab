"""`python -m tests.endurance.demo_rated PYTHON`: the demo of an installed karat, rated in a browser.

Where it is run in a network of its own, it sees to it that the machine can reach itself, and tells who else it reaches.
"""

from __future__ import annotations

import fcntl
import json
import socket
import struct
import subprocess
import sys
from pathlib import Path

from tests.browser import launched
from tests.e2e.campaign_server import Served
from tests.e2e.rater_pages import DESK, answer, begin, done, opened

SET_FLAGS, UP = 0x8914, 1
"""Linux's way to start an interface."""


def start_loopback() -> None:
    """In a new network, even the way to oneself has to be started."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))


def interfaces() -> list[str]:
    """The ways out of this machine."""
    return [name for _, name in socket.if_nameindex() if name != "lo"]


def rated(python: Path) -> str:
    """Rate two translations of the demo; what the page then says of progress."""
    command = [str(python), "-m", "karat", "campaign", "demo", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        try:
            server = Served.ready(process)
            with launched() as browser, opened(browser, server.links[1], viewport=DESK) as page:
                begin(page)
                for count in (1, 2):
                    answer(page)
                    done(page, count)
                return str(page.inner_text("#progress"))
        finally:
            process.kill()


def main() -> None:
    python = Path(sys.argv[1])
    elsewhere = interfaces()
    if not elsewhere:
        start_loopback()
    place = subprocess.run(
        [python, "-c", "import karat; print(karat.__file__)"], capture_output=True, text=True, check=True, cwd="/"
    )
    print(json.dumps({"karat": place.stdout.strip(), "elsewhere": elsewhere, "progress": rated(python)}))


if __name__ == "__main__":
    main()
