"""`karat convert`: ratings from one format to another."""

from __future__ import annotations

from pathlib import Path

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import RATING_COLUMN_HELP, column_pairs
from karat.cli.output import destination, show_warnings
from karat.cli.parameters import INPUT, OUTPUT
from karat.cli.streams import say
from karat.errors import InputError
from karat.report.forms import show_tables
from karat.report.table import Cell, Table
from karat.results.converting import ConvertResult
from karat.results.writing import write_json
from karat.service.converting import ConvertRequest, convert_ratings, rating_formats
from karat.whole_file import make_directory, write_whole_file

OUTPUT_HELP = "Write to a file (or directory) instead of standard output."
LISTED = 20
"""How many rows that were left out are listed."""


@click.command(cls=KaratCommand)
@click.argument("ratings", type=INPUT, required=False)
@click.option("--to", metavar="FORMAT", help="The format to write; told by the suffix of the output by default.")
@click.option("-o", "--output", type=OUTPUT, metavar="FILE", help=OUTPUT_HELP)
@click.option("--from", "source", metavar="FORMAT", help="The format of the input; found out by default.")
@click.option("--protocol", metavar="NAME", help="How people were asked, where the file does not say.")
@click.option("--criterion", metavar="NAME", help="What they were asked for, where the file does not say.")
@click.option("--system", metavar="NAME", help="Whose output they judged, where the file does not say.")
@click.option("-l", "--language-pair", metavar="XX-YY", help="The language pair, where the file does not say.")
@click.option("--column", "columns", multiple=True, metavar="WHAT=NAME", help=RATING_COLUMN_HELP)
@click.option("--skip-bad", is_flag=True, help="Leave out, count and list rows that are bad or do not fit.")
@click.option("--formats", "listing", is_flag=True, help="List the formats.")
@click.option("--json", "as_json", is_flag=True, help="With -o: tell what was done as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="No warnings.")
def command(
    ratings: str | None,
    to: str | None,
    output: str | None,
    source: str | None,
    protocol: str | None,
    criterion: str | None,
    system: str | None,
    language_pair: str | None,
    columns: tuple[str, ...],
    *,
    skip_bad: bool,
    listing: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Convert ratings from one format to another.

    What the other format has no place for is refused, or reported with its count.

    \b
    karat convert ratings.tsv -o ratings.jsonl
    karat convert mqm.tsv --to marot -o marot.tsv
    karat convert campaign.csv --from appraise --to parquet -o ratings.parquet --skip-bad
    karat convert --formats
    """
    if listing:
        _list_formats()
        return
    wanted = to or (Path(output).suffix.lower().removeprefix(".") if output else "")
    if ratings is None or not wanted:
        raise InputError("name a file of ratings and a format: karat convert RATINGS --to FORMAT (see --formats)")
    if as_json and output is None:
        raise InputError("--json tells what was done, and needs -o FILE for the ratings")
    request = ConvertRequest(
        path=ratings,
        to=wanted,
        format=source,
        protocol=protocol,
        criterion=criterion,
        system=system,
        language_pair=language_pair,
        columns=column_pairs(columns),
        skip_bad=skip_bad,
    )
    done = convert_ratings(request)
    write_conversion(done, output)
    if as_json:
        with destination(None) as out:
            write_json(done, out)
    if not quiet:
        tell_conversion(done, output)


def _list_formats() -> None:
    rows = [
        (Cell(name), Cell("read, write" if writes else "read"), Cell(description))
        for name, description, writes in rating_formats()
    ]
    with destination(None) as out:
        show_tables([Table(("Format", "Does", "What it is"), tuple(rows))], "table", out)


def write_conversion(done: ConvertResult, output: str | None) -> None:
    """The file, which appears when it is complete, or all files of a directory."""
    if output is None or output == "-":
        _print(done)
    elif "" in done.files:
        write_whole_file(output, done.files[""])
    else:
        directory = make_directory(output)
        for name, data in done.files.items():
            write_whole_file(directory / name, data)


def _print(done: ConvertResult) -> None:
    if "" not in done.files:
        raise InputError(f"{done.written_as} is a directory: name it with -o DIRECTORY")
    with destination(None) as out:
        out.buffer.write(done.files[""])


def tell_conversion(done: ConvertResult, output: str | None) -> None:
    """What happened to what, on stderr."""
    say(f"karat: {done.count} ratings, {done.read_as} to {done.written_as}{f': {output}' if output else ''}")
    show_warnings(done.warnings)
    for name, count in done.lost.items():
        say(f"karat: warning: {done.written_as} has no place for {name}: {count} values are lost")
    for what, rows in (("bad rows", done.skipped), ("ratings that do not fit", done.unfit)):
        if rows:
            say(f"karat: warning: {len(rows)} {what} are left out:")
            for row in rows[:LISTED]:
                say(f"  {row}")
            if len(rows) > LISTED:
                say(f"  and {len(rows) - LISTED} more")
