"""Tables too long to be held, written to Parquet some rows at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from queue import Empty, Full, Queue
from typing import TYPE_CHECKING, Any, BinaryIO

from karat.errors import KaratError, OutputError
from karat.whole_file import FilePath, whole_file

if TYPE_CHECKING:
    from polars import DataFrame
    from polars.datatypes import DataType

FRAMES_AHEAD = 2
_WAIT = 0.1


class ParquetStream:
    """Takes frames of one schema in order; a thread of its own writes them, so that Ctrl-C reaches who makes them."""

    def __init__(self, out: BinaryIO, schema: Mapping[str, type[DataType]]) -> None:
        self._waiting: Queue[DataFrame | None] = Queue(FRAMES_AHEAD)
        self._given_up = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(out, dict(schema)), daemon=True)
        self._thread.start()

    def write(self, frame: DataFrame) -> None:
        """Add some rows; they may be written later."""
        self._put(frame)

    def finish(self) -> None:
        """Wait until all is written."""
        self._put(None)
        self._thread.join()
        self._refuse_failure()

    def give_up(self) -> None:
        """Stop writing; what there is stays incomplete."""
        self._given_up.set()
        self._thread.join()

    def _put(self, frame: DataFrame | None) -> None:
        while True:
            self._refuse_failure()
            try:
                return self._waiting.put(frame, timeout=_WAIT)
            except Full:
                continue

    def _refuse_failure(self) -> None:
        if isinstance(self._failure, KaratError):
            raise self._failure
        if self._failure is not None:
            raise OutputError(f"the Parquet file cannot be written: {self._failure}") from self._failure

    def _run(self, out: BinaryIO, schema: dict[str, Any]) -> None:
        from polars.io.plugins import register_io_source

        try:
            frames = register_io_source(lambda *_: self._frames(), schema=schema)
            frames.sink_parquet(out, compression="zstd", maintain_order=True)
        except BaseException as error:
            self._failure = error

    def _frames(self) -> Iterator[DataFrame]:
        while not self._given_up.is_set():
            try:
                frame = self._waiting.get(timeout=_WAIT)
            except Empty:
                continue
            if frame is None:
                return
            yield frame


@contextmanager
def parquet_stream(path: FilePath, schema: Mapping[str, type[DataType]]) -> Iterator[ParquetStream]:
    """A Parquet file that appears when it is complete, and not at all after an error."""
    with whole_file(path) as out:
        stream = ParquetStream(out, schema)
        try:
            yield stream
            stream.finish()
        finally:
            stream.give_up()
