"""Processes that decode tables for this one, so that a damaged file can end none but them."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from karat.corpus.files import InputFile
from karat.errors import InputError

if TYPE_CHECKING:
    from polars import DataFrame

_PROGRAM = Path(__file__).with_name("decoding.py")
_THREADS = "2"
"""Of each decoder: there is one for every part that is being scored."""
_AHEAD = "2"
"""Row groups that are read ahead; each may have hundreds of megabytes."""

_idle: list[_Decoder] = []


class StorageError(InputError, OSError):
    """An object store did not do what was asked of it, and may do so when it is asked again."""


class DecoderEndedError(InputError, OSError):
    """A process that decoded a file has ended: the file is damaged, or somebody who wanted its memory killed it."""


_REASONS = {
    ("nosuchbucket", "bucket does not exist"): "there is no such bucket: look for a slip in its name",
    ("accessdenied", "forbidden", "invalidaccesskey", "signaturedoesnotmatch", "unauthorized", "credentials"): (
        "the object store does not let you in: check the credentials in the environment"
    ),
    ("error sending request", "connection", "connect error", "dns", "timed out", "timeout"): (
        "the object store does not answer: check the network, and the endpoint in the environment"
    ),
}


def plain_reason(reason: str) -> str:
    """Why an object store failed, without what only its programs can read."""
    text = reason.lower()
    for signs, said in _REASONS.items():
        if any(sign in text for sign in signs):
            return said
    problem = reason.partition("<")[0].partition("\n")[0].strip(" :")
    return f"{problem} (check the name, the credentials and the endpoint of the object store)"


class _Decoder:
    """One process, which answers one request after the other."""

    def __init__(self) -> None:
        environment = {"POLARS_MAX_THREADS": _THREADS, "POLARS_ROW_GROUP_PREFETCH_SIZE": _AHEAD, **os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def frames(self, request: dict[str, Any], name: str) -> Iterator[DataFrame]:
        """The frames of an answer."""
        import polars

        stdin, stdout = _opened(self._process.stdin), _opened(self._process.stdout)
        try:
            stdin.write(json.dumps(request).encode() + b"\n")
            stdin.flush()
        except BrokenPipeError as error:
            raise DecoderEndedError(_damage(name, "its decoder has ended")) from error
        while "bytes" in (head := json.loads(stdout.readline() or b"{}")):
            data = stdout.read(head["bytes"])
            if len(data) < head["bytes"]:
                break
            yield polars.read_ipc(BytesIO(data))
        if not head.get("end"):
            raise _refusal(name, head)

    def end(self) -> None:
        """Stop the process."""
        with suppress(OSError):
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                _opened(stream).close()
        self._process.wait()


def decoded(request: dict[str, Any], name: str) -> Iterator[DataFrame]:
    """What a decoder makes of a file; a process that has done all its work is used again."""
    decoder = _idle.pop() if _idle else _Decoder()
    finished = False
    try:
        yield from decoder.frames(request, name)
        finished = True
    finally:
        if finished:
            _idle.append(decoder)
        else:
            decoder.end()


@atexit.register
def end_decoders() -> None:
    """Stop all that wait for work."""
    while _idle:
        _idle.pop().end()


def _refusal(name: str, head: dict[str, Any]) -> Exception:
    if "error" not in head:
        return DecoderEndedError(_damage(name, "decoding it ends in a crash, or takes too much memory"))
    reason = head["error"]
    if head.get("missing"):
        return InputError(f"there is no file {name}: look for a slip in the name")
    if InputFile(name).is_remote:
        return StorageError(f"{name} cannot be read: {plain_reason(reason)}")
    return InputError(_damage(name, reason))


def _damage(name: str, reason: str) -> str:
    return f"{name} cannot be read, so it may be damaged: {reason}"


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the process was started without pipes")
    return stream
