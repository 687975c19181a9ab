"""Looping output: every metric ends soon and within little memory, or refuses by a stated limit; Ctrl-C ends any."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from karat.registry import metric_classes

SECONDS = 120
"""Only a hang takes as long, even on a busy machine."""
MEGABYTES = 500

PROGRAM = """
import json, resource, sys
from karat.errors import InputError, MissingExtraError, MissingResourceError
from karat.registry import metric

def loops(count):
    return {
        "one word": ("a " * count, "a " * count),
        "one word, half as often": ("a " * count, "a " * (count // 2)),
        "punctuation": (".,!?" * count, ".,!?" * count),
        "two words": ("ab ab " * (count // 2), "ab ab " * (count // 2)),
        "other orders": ("a b " * (count // 2), "b a c " * (count // 3)),
        "against a sentence": ("a " * count, "The cat sat on a mat."),
        "no spaces": ("ab" * count, "ab" * count),
    }

asked = metric(sys.argv[1]).for_language("en")
if asked.given_layers:
    from tests.annotations import annotated
else:
    annotated = list
metric_of = lambda pair: asked.prepare(annotated([pair[1]]), threads=1).rows(annotated([pair[0]])).score
try:
    metric_of(("the cat sat", "a cat sat"))  # loads what is needed at all
except (MissingExtraError, MissingResourceError):
    sys.exit(0)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = {}
for name, pair in loops(5000).items():
    try:
        found[name] = metric_of(pair)
    except InputError as error:
        found[name] = str(error)
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
print(json.dumps({"found": found, "megabytes": grown}))
"""


@pytest.mark.parametrize("name", sorted(metric_classes()))
def test_looping_output_is_scored_or_refused(name: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, name], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert ended.returncode == 0, ended.stderr[-500:]
    if not ended.stdout:
        pytest.skip(f"{name} needs what is not installed")
    result = json.loads(ended.stdout)
    assert result["megabytes"] < MEGABYTES
    for refusal in (found for found in result["found"].values() if isinstance(found, str)):
        assert "too long" in refusal or "more than" in refusal
        assert "split it into sentences" in refusal


INTERRUPTED = """
import sys
from karat.metrics.meteor_2005 import Meteor2005
text = ["a b " * 1500 + "c"] * 64
other = ["b a c " * 1000] * 64
metric = Meteor2005(modules="exact", tokenize="none")
prepared = metric.prepare(other, threads=int(sys.argv[1]))
print("ready", flush=True)
try:
    while True:
        prepared.rows(text)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_long_kernel(threads: int) -> None:
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(threads)], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=20)[0] == "stopped\n"
