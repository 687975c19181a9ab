"""`karat analyse word-tags`: predicted tags of words, OK or BAD, beside the true ones."""

from __future__ import annotations

import json
from math import isnan
from typing import TYPE_CHECKING

import click

from karat.cli.inputs import OutputOptions, output_options
from karat.cli.output import Destination
from karat.corpus import system_argument
from karat.report.forms import shower
from karat.report.table import Cell, Table
from karat.service.word_tags import judge_tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.meta import TagCounts


@click.command()
@click.argument("predicted", nargs=-1, required=True, metavar="[NAME=]TAGS...")
@click.option("-g", "--gold", required=True, metavar="FILE", help="True tags, a line per segment: OK BAD OK ...")
@output_options
def command(predicted: tuple[str, ...], gold: str, wanted: OutputOptions) -> None:
    """Tell how good predicted tags of words are: Matthews' correlation and F1-multi.

    \b
    karat analyse word-tags --gold dev.tags predicted.tags
    """
    found = judge_tags(gold, dict(system_argument(argument) for argument in predicted))
    with Destination(wanted.output) as out:
        if wanted.form == "json":
            systems = [{"system": name, **counts.to_json()} for name, counts in found.items()]
            out.write(json.dumps({"schema": 1, "systems": systems}, ensure_ascii=False, indent=2) + "\n")
        elif wanted.form == "csv":
            out.write("system,words,mcc,f1_multi,f1_bad,f1_ok\n")
            for name, one in found.items():
                out.write(f"{json.dumps(name)},{one.words},{one.mcc},{one.f1_multi},{one.f1_bad},{one.f1_ok}\n")
        else:
            shower(wanted.form, out)(_table(found, max(wanted.digits, 4)))


def _table(found: Mapping[str, TagCounts], digits: int) -> Table:
    rows = tuple(
        (
            Cell(name),
            Cell(f"{one.words:,}", number=True),
            *(_number(value, digits) for value in (one.mcc, one.f1_multi, one.f1_bad, one.f1_ok)),
        )
        for name, one in found.items()
    )
    note = "MCC: Matthews' correlation; F1-multi: F1 of BAD times F1 of OK; words of all segments together"
    return Table(("System", "Words", "MCC", "F1-multi", "F1 BAD", "F1 OK"), rows, (note,))


def _number(value: float, digits: int) -> Cell:
    return Cell("–" if isnan(value) else f"{value:.{digits}f}", number=True)
