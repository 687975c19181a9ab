"""Writes what people said, in every form."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from karat.errors import InputError
from karat.report.forms import shower
from karat.report.human import DEFAULT_PARTS, human_tables
from karat.report.table import latex_escape

if TYPE_CHECKING:
    from karat.human.findings import HumanFindings

CSV_PARTS = ("systems", "pairs", "agreement", "raters", "segments")
HEADINGS = {"markdown": "### {}\n\n", "latex": "\\paragraph{{{}}}\n"}


def write_human(findings: HumanFindings, form: str, out: TextIO, *, digits: int, parts: Sequence[str] = ()) -> None:
    """Write the findings as JSON (all of it), CSV (one part of it), or tables for people."""
    if form == "json":
        out.write(json.dumps(findings.to_json(), ensure_ascii=False, indent=2) + "\n")
    elif form == "csv":
        _write_csv(findings, parts, out)
    else:
        _write_tables(findings, form, out, digits, parts)


def _write_tables(findings: HumanFindings, form: str, out: TextIO, digits: int, parts: Sequence[str]) -> None:
    if "segments" in parts:
        raise InputError("the scores of single segments are for programs: write them with --format csv")
    show = shower(form, out)
    for i, table in enumerate(human_tables(findings, parts or DEFAULT_PARTS, digits)):
        if i:
            out.write("\n")
        out.write(HEADINGS.get(form, "").format(latex_escape(table.title) if form == "latex" else table.title))
        show(table)


def _write_segments(findings: HumanFindings, out: TextIO) -> None:
    """One line per segment of a system, empty where it was not judged: a file that `karat compare --scores` takes."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("metric", "system", "segment", "document", "score", "higher_is_better"))
    for one in findings.criteria:
        better = str(one.higher_is_better).lower()
        for system in one.segments:
            lines = zip(system.segments, system.documents, system.scores.tolist(), system.counts.tolist(), strict=True)
            writer.writerows(
                (one.criterion, system.system, segment, place, score if n else "", better)
                for segment, place, score, n in lines
            )


def _write_csv(findings: HumanFindings, parts: Sequence[str], out: TextIO) -> None:
    """One line per system, or per entry of the one part asked for; numbers at full precision."""
    chosen = parts or ("systems",)
    if len(chosen) > 1 or chosen[0] not in CSV_PARTS:
        raise InputError(f"CSV holds one table: ask for one of {', '.join(CSV_PARTS)} with --show")
    if chosen[0] == "segments":
        _write_segments(findings, out)
        return
    entries = [_flat(entry) for entry in findings.to_json()[chosen[0]]]
    if not entries:
        raise InputError(f"there is nothing to show about {chosen[0]}")
    names = list(dict.fromkeys(name for entry in entries for name in entry))
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(entries)


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with nested objects as cells of their own; lists of objects stay in the JSON form."""
    flat: dict[str, Any] = {}
    for name, value in entry.items():
        if name == "interval":
            flat["interval_low"], flat["interval_high"] = value
        elif name == "filtered":
            flat |= {f"filtered_{key}": value[key] for key in ("n", "score", "rank_low", "rank_high", "cluster")}
        elif isinstance(value, list):
            if all(isinstance(part, str) for part in value):
                flat[name] = "; ".join(value)
        elif not isinstance(value, dict):
            flat[name] = value
    return flat
