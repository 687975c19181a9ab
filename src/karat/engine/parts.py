"""The work on a corpus, cut into parts: what is to be done with all of them, and what is known of each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from karat.corpus.column_names import Pairs
from karat.corpus.streams.batches import BATCH_ROWS
from karat.errors import InputError

if TYPE_CHECKING:
    from karat.corpus import Targeted
    from karat.corpus.streams.pieces import Shape
    from karat.engine.conditions import Condition
    from karat.metrics.base import Metric
    from karat.metrics.framework.context import Context

PART_ROWS = 10 * BATCH_ROWS
"""Rows of a part: seconds of work, so that little is lost with a machine, and few enough files."""


@dataclass(frozen=True, kw_only=True)
class PartPlan:
    """What is done with every part, and where it is written.

    `run` is a hash of all that decides what parts hold. `groups` are the columns by which sums are kept, and `carried`
    those that are written beside the scores. `threads` are those of the core for one part. Of tables in long form, what
    metrics learn of the references is learnt from those of one system, `learns_from`.
    """

    out: str
    metrics: tuple[Metric, ...]
    shape: Shape
    run: str = ""
    format: str | None = None
    columns: Pairs = ()
    targeted: Targeted = "never"
    groups: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    keep_rows: bool = False
    dedupe: bool = False
    part_rows: int = PART_ROWS
    threads: int = 1
    learns_from: str | None = None
    contexts: Mapping[str, Context] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.part_rows < BATCH_ROWS or self.part_rows % BATCH_ROWS:
            raise InputError(
                f"a part has {self.part_rows:,} rows: it takes a multiple of {BATCH_ROWS:,}, such as {PART_ROWS:,}"
            )


@dataclass(frozen=True)
class PartRecord:
    """What is known of a part that has been scored.

    `input` is a hash of its texts; `last` tells that its file ends with it. `references` has for each system the
    number and the hash of the references of every block, `warnings` what the texts were warned about, `counted` what
    warnings about all texts are made of. Of tables in long form, `measured` has for each system a hash of its segments
    and references.
    """

    file: str
    first_row: int
    rows: int
    last: bool
    input: str
    run: str
    segments: dict[str, int]
    references: dict[str, list[list[str]]]
    warnings: list[list[str]]
    measured: dict[str, int] = field(default_factory=dict)
    counted: dict[str, Any] | None = None
    post_edited: bool = False

    @classmethod
    def of_json(cls, text: str) -> PartRecord:
        """The record in a file."""
        return cls(**json.loads(text))

    def to_json(self) -> str:
        """The record as text, always the same."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @property
    def key(self) -> str:
        """The name of its files: readable, and of its own."""
        known = f"{self.file}|{self.first_row}|{self.rows}|{self.input}|{self.run}"
        digest = blake2b(known.encode(), digest_size=8).hexdigest()
        return f"{re.sub(r'[^A-Za-z0-9.-]+', '-', self.file)[-80:]}-{self.first_row:012}-{digest}"

    @property
    def place(self) -> str:
        """The rows of the file, for people."""
        return f"{self.file}, rows {self.first_row:,} to {self.first_row + self.rows - 1:,}"


@dataclass(frozen=True)
class Stretch:
    """Rows of one file that one worker takes: a part, or all parts of a file that is read from its start.

    `name` is the file's in what is written. `done` are parts that were scored before; with `verify` their texts are
    read again, to see that they are still the same. `weight` is its share of the work.
    """

    path: str
    name: str
    start: int = 0
    rows: int | None = None
    done: tuple[PartRecord, ...] = ()
    verify: bool = False
    weight: float = 1.0

    def __str__(self) -> str:
        rows = "" if self.rows is None else f", rows {self.start + 1:,} to {self.start + self.rows:,}"
        return f"{self.path}{rows}"


def hashed(value: Any) -> str:
    """A short hash of what can be written as JSON."""
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=8).hexdigest()
