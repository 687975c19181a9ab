"""Writes what was found, in every form."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, TextIO

from karat.report.comparisons import findings_table
from karat.report.forms import shower

if TYPE_CHECKING:
    from karat.findings import Findings


def write_findings(findings: Findings, form: str, out: TextIO, *, digits: int) -> None:
    """Write the findings as JSON, CSV, or a table for people."""
    if form == "json":
        out.write(json.dumps(findings.to_json(), ensure_ascii=False, indent=2) + "\n")
    elif form == "csv":
        _write_csv(findings, out)
    else:
        shower(form, out)(findings_table(findings, digits))


def _write_csv(findings: Findings, out: TextIO) -> None:
    """One line per comparison, place in a ranking, or pair; numbers at full precision."""
    entries = [_flat(entry) for entry in _entries(findings)]
    writer = csv.DictWriter(out, list(entries[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(entries)


def _entries(findings: Findings) -> list[dict[str, Any]]:
    document = findings.to_json()
    if "power" in document:
        return list(document["power"])
    comparisons: list[dict[str, Any]] = document["comparisons"]
    if "ranking" in document:
        # What all comparisons of a metric share is said of every place.
        shared = ("test", "unit", "units", "n", "seed", "level", "correction", "family", "signature")
        by_spec = {one["spec"]: {key: one[key] for key in shared} for one in comparisons}
        return [{**place, **by_spec[place["spec"]]} for place in document["ranking"]]
    gates = document.get("non_inferiority")
    if gates is None:
        return comparisons
    keys = ("margin", "loss_bound", "shown")
    return [
        {**one, **{key: gate[key] for key in keys}, "p_non_inferiority": gate["p"]}
        for one, gate in zip(comparisons, gates, strict=True)
    ]


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with the bounds of its interval in cells of their own, and no lists."""
    flat: dict[str, Any] = {}
    for key, value in entry.items():
        if key == "interval":
            flat["interval_low"], flat["interval_high"] = value
        elif key == "warnings":
            flat[key] = "; ".join(value)
        else:
            flat[key] = value
    return flat
