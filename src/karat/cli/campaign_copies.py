"""`karat campaign export`, `import`, `backup` and `restore`: campaigns carried elsewhere and back."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from karat.cli.command import KaratCommand
from karat.cli.convert import tell_conversion, write_conversion
from karat.cli.inputs import OutputOptions
from karat.cli.output import destination
from karat.cli.parameters import INPUT, OUTPUT
from karat.cli.running import run
from karat.errors import InputError
from karat.results.base import Result
from karat.results.writing import write_json
from karat.service import campaign_copies

DIRECTORY = click.argument("directory", type=click.Path())
JSON = click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")


def tell(work: Callable[[], Result], *, as_json: bool) -> None:
    """The result at once, also where it goes to a pipe and the command goes on."""
    wanted = OutputOptions(form="json" if as_json else "table", digits=0, output=None, html=None, quiet=False)
    run(wanted, lambda _: work())
    sys.stdout.flush()


@click.command("export", cls=KaratCommand)
@DIRECTORY
@click.option(
    "--to",
    default=campaign_copies.OWN_FORM,
    show_default=True,
    metavar="FORMAT",
    help="karat's own form, which has everything, or a format of ratings (karat convert --formats).",
)
@click.option("-o", "--output", type=OUTPUT, metavar="FILE", help="Write to a file instead of standard output.")
@click.option("--skip-bad", is_flag=True, help="Leave out, count and list ratings that the format cannot hold.")
@click.option("--json", "as_json", is_flag=True, help="With -o: tell what was done as JSON.")
def export(directory: str, to: str, output: str | None, *, skip_bad: bool, as_json: bool) -> None:
    """Write a campaign with all that came of it to a file, or its ratings.

    \b
    karat campaign export mine -o mine.jsonl
    karat campaign export mine --to csv -o ratings.csv
    """
    if as_json and output is None:
        raise InputError("--json tells what was done, and needs -o FILE for the export")
    done = campaign_copies.export(directory, to, skip_bad=skip_bad)
    write_conversion(done, output)
    if as_json:
        with destination(None) as out:
            write_json(done, out)
    tell_conversion(done, output)


@click.command("import", cls=KaratCommand)
@DIRECTORY
@click.argument("file", type=INPUT)
@JSON
def import_(directory: str, file: str, *, as_json: bool) -> None:
    """Make a campaign in a new directory out of what `karat campaign export` wrote."""
    tell(lambda: campaign_copies.import_campaign(directory, file), as_json=as_json)


@click.command(cls=KaratCommand)
@DIRECTORY
@click.option("-o", "--output", type=OUTPUT, metavar="FILE", help="A new file; by default one in the directory.")
@JSON
def backup(directory: str, output: str | None, *, as_json: bool) -> None:
    """Copy the database of a campaign, also while it is served."""
    tell(lambda: campaign_copies.back_up(directory, output), as_json=as_json)


@click.command(cls=KaratCommand)
@click.argument("file", type=INPUT)
@DIRECTORY
@JSON
def restore(file: str, directory: str, *, as_json: bool) -> None:
    """Make a copy of a database that of a campaign which has none."""
    tell(lambda: campaign_copies.restore(file, directory), as_json=as_json)
