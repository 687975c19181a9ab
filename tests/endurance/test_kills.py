"""What was acknowledged is stored: the server is killed under load again and again, and starts again by itself."""

from __future__ import annotations

import os
import random
import signal
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'karat[web]'")

from tests.e2e.campaign_server import Served
from tests.endurance.crowd import assert_kept, campaign, crowd_of, stored_in
from tests.endurance.serving import kill, serving, start

pytestmark = pytest.mark.endurance

KILLS = int(os.environ.get("KARAT_KILLS", "50"))
RATERS = 12


@pytest.mark.parametrize(
    ("protocol", "kills"), [("adequacy-fluency", KILLS), ("esa", KILLS // 25), ("ranking", KILLS // 25)]
)
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(protocol: str, kills: int, tmp_path: Path) -> None:
    """50 kills at random moments and 10,000 judgements, unless `KARAT_KILLS` says less; fewer of marks and ranks."""
    draw, kills = random.Random(1), max(kills, 1)
    judgements = 200 * kills
    options = ("--raters", str(RATERS), "--judgements", "4", "--protocol", protocol)
    # Five systems are five screens, or one of five columns.
    directory = campaign(tmp_path, *options, segments=(100 if protocol == "ranking" else 20) * kills)
    process = start(directory)
    server = Served.ready(process)
    with crowd_of(server.address, list(server.links.values())) as crowd:
        for number in range(1, kills + 1):
            crowd.wait_for(min(judgements, crowd.done + draw.randint(100, 300)))
            time.sleep(draw.uniform(0, 0.02))
            kill(process)
            assert_kept(dict(crowd.acknowledged), stored_in(directory))
            process = start(directory)
            if number % 5 == 0:  # some are killed while they start
                time.sleep(draw.uniform(0, 1.5))
                kill(process)
                process = start(directory)
            crowd.address = Served.ready(process).address
        crowd.wait_for(judgements)
        crowd.stop()
        kill(process)
        stored = stored_in(directory)
        assert crowd.done >= judgements
        assert_kept(crowd.acknowledged, stored)
        # What was stored and not acknowledged is what was under way at the end, one of each rater at most.
        assert len(stored) - crowd.done <= RATERS


def test_a_server_that_is_told_to_end_answers_first(tmp_path: Path) -> None:
    directory = campaign(tmp_path, "--raters", "6", segments=200)
    process = start(directory)
    server = Served.ready(process)
    with crowd_of(server.address, list(server.links.values())) as crowd:
        for _ in range(3):
            crowd.wait_for(crowd.done + 50)
            assert kill(process, signal.SIGTERM) == 128 + signal.SIGTERM
            assert_kept(dict(crowd.acknowledged), stored_in(directory))
            process = start(directory)
            crowd.address = Served.ready(process).address
        crowd.stop()
    kill(process)
    stored = stored_in(directory)
    assert_kept(crowd.acknowledged, stored)


def test_a_device_that_says_nothing_more_keeps_no_server_from_ending(tmp_path: Path) -> None:
    with serving(campaign(tmp_path, segments=2)) as server:
        host, _, port = urlsplit(server.address).netloc.partition(":")
        with socket.create_connection((host, int(port))) as lost:
            lost.sendall(b"POST /api/enter HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
            lost.sendall(b'Content-Length: 100\r\n\r\n{"secret"')
            time.sleep(0.5)
            assert server.end() == 128 + signal.SIGTERM
