"""JSON and JSONL: a record per segment."""

from __future__ import annotations

import json

from tests.contract.readers.base import ANY, Row, Sample


def _records(rows: list[Row]) -> list[dict[str, object]]:
    return [
        {"segment": str(i), "source": source, "references": {"A": reference}, "systems": {"sys": hypothesis}}
        for i, (source, reference, hypothesis) in enumerate(rows, 1)
    ]


def _jsonl(rows: list[Row]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in _records(rows)).encode()


def _json(rows: list[Row]) -> bytes:
    return json.dumps(_records(rows), indent=1, ensure_ascii=False).encode()


SAMPLES = {"jsonl": Sample(".jsonl", _jsonl, ANY), "json": Sample(".json", _json, ANY)}
