"""What stands in pages of reports."""

from __future__ import annotations

import json
import re
from typing import Any


def saved_records(page: str, key: str) -> list[dict[str, Any]]:
    """The records of one table or chart, as its page saves them."""
    (data,) = re.findall(rf'<script type="application/json" id="{re.escape(key)}-data">(.*?)</script>', page, re.DOTALL)
    return records_of(data)


def all_saved_records(page: str) -> list[list[dict[str, Any]]]:
    """The records of every table and chart of a page."""
    tables = re.findall(r'<script type="application/json" id="[^"]+(?<!made)-data">(.*?)</script>', page, re.DOTALL)
    return [records_of(data) for data in tables]


def records_of(data: str) -> list[dict[str, Any]]:
    """Records, of which the names of fields may stand apart."""
    saved = json.loads(data)
    return saved if isinstance(saved, list) else [dict(zip(saved["names"], row, strict=True)) for row in saved["rows"]]
