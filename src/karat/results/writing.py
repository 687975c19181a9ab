"""Writes a result of any use case for programs: JSON and CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from karat.results.base import Result


def write_json(result: Result, out: TextIO) -> None:
    """The JSON form, numbers at full precision."""
    out.write(json.dumps(result.to_json(), ensure_ascii=False, indent=2) + "\n")


def write_csv(records: Sequence[Mapping[str, Any]], out: TextIO) -> None:
    """One line per record, under the names of all fields; numbers at full precision."""
    names = list(dict.fromkeys(name for record in records for name in record))
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
