"""A decoder of Parquet that lives as long as nothing kills it, so that thousands of files take minutes and not hours.

`python -m tests.fuzzing.decoding` is the process; `Decoder` talks to it in place of `karat.corpus.parquet.decode`.
"""

from __future__ import annotations

import atexit
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from karat.corpus import parquet
from karat.corpus.parquet_decoder import TOO_MUCH, decoded, limit_memory

_LENGTHS = struct.Struct("<qq")
FAILED = 1
ROOT = Path(__file__).parents[2]

P = TypeVar("P")
T = TypeVar("T")


class Decoder:
    """Decodes as the program of karat does, in a process that is started anew where a file ended it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.close)

    def decode(self, data: bytes, most: int) -> subprocess.CompletedProcess[bytes]:
        """What the program would have printed, and its exit status."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_LENGTHS.pack(len(data), most) + data)
        process.stdin.flush()
        answer = process.stdout.read(_LENGTHS.size)
        if len(answer) < _LENGTHS.size:
            self._process = None
            return subprocess.CompletedProcess([], -abs(process.wait()), b"", b"")
        status, length = _LENGTHS.unpack(answer)
        text = process.stdout.read(length)
        return subprocess.CompletedProcess([], status, *((text, b"") if status == 0 else (b"", text)))

    @staticmethod
    def _started() -> subprocess.Popen[bytes]:
        program = [sys.executable, "-m", "tests.fuzzing.decoding"]
        return subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
        )

    def close(self) -> None:
        """End the process; the next file would start another."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def reading(self, path: P, read: Callable[[P], T]) -> T:
        """Read a file with this decoder in place of karat's own."""
        own, parquet.decode = parquet.decode, self.decode
        try:
            return read(path)
        finally:
            parquet.decode = own


def main() -> None:
    """Answer until nobody asks."""
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    limit_memory(64 << 20)
    while start := source.read(_LENGTHS.size):
        length, most = _LENGTHS.unpack(start)
        try:
            arrow = decoded(source.read(length), most)
            status, text = (TOO_MUCH, b"") if arrow is None else (0, arrow)
        except BaseException as error:
            status, text = FAILED, f"{type(error).__name__}: {error}".encode(errors="replace")
        answers.write(_LENGTHS.pack(status, len(text)) + text)
        answers.flush()


if __name__ == "__main__":
    main()
