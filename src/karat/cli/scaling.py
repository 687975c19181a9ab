"""The options of scoring part by part: where parts go, on what they run, and what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.inputs import Command, InputOptions, packed
from karat.cli.parameters import INPUT, only_one
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.service.listening import Listeners
    from karat.service.part_units import UnitsNeeded
    from karat.service.scaling import EngineName

FROM_HELP = "Take scores that were written by --out, without reading any text."


@dataclass(frozen=True)
class ScaleOptions:
    """What the command line says about parts."""

    out: str | None
    engine: EngineName | None
    address: str | None
    part_rows: int | None
    groups: tuple[str, ...]
    carried: tuple[str, ...]
    conditions: tuple[str, ...]
    keep_rows: bool
    dedupe: bool

    def check(self) -> None:
        """Refuse options that have nothing to act on."""
        given = {
            "--engine": self.engine,
            "--address": self.address,
            "--part-rows": self.part_rows,
            "--group-by": self.groups,
            "--keep": self.carried,
            "--where": self.conditions,
            "--keep-rows": self.keep_rows,
            "--dedupe": self.dedupe,
        }
        if self.out == "":
            raise InputError("--out is empty: name a directory for the parts")
        if self.out is None and (named := [option for option, value in given.items() if value]):
            raise InputError(f"{named[0]} is about scoring part by part: add --out DIRECTORY for the parts")

    def refuse_other_texts(self, given: InputOptions, more: tuple[str, ...]) -> None:
        """Refuse texts that do not come in rows, and options that parts know nothing of."""
        others = [option for option in given.told if option in ("-r", "-s", "-t", "--documents", "--annotations")]
        if named := (*others, *more):
            raise InputError(
                f"--out takes one corpus: give --corpus 'parts/*.parquet', and leave out {', '.join(named)}"
            )
        if given.corpus is None:
            raise InputError("--out takes one corpus: give --corpus 'parts/*.parquet'")

    def score(self, given: InputOptions, units: UnitsNeeded | None, listeners: Listeners) -> None:
        """Score all parts that are not there yet; `units` is what will be asked of them."""
        from karat.service.scaling import ScaleRequest, score_parts

        request = ScaleRequest(
            corpus=given.corpus or "",
            out=self.out or "",
            metrics=given.wanted_metrics(),
            engine=self.engine or "threads",
            address=self.address,
            workers=given.threads,
            format=given.input_format,
            language_pair=given.language_pair,
            columns=given.columns,
            targeted=given.post_edits,
            groups=_listed(self.groups),
            carried=_listed(self.carried),
            conditions=self.conditions,
            keep_rows=self.keep_rows,
            dedupe=self.dedupe,
            part_rows=self.part_rows,
            systems=given.systems,
            units=units,
        )
        score_parts(request, listeners)


def refuse_beside_stored(*options: str) -> None:
    """Refuse, by name, options that scores which are there already have no use for."""
    if options:
        raise InputError(f"--from has texts and metrics of its own: leave out {', '.join(options)}")


def _listed(values: tuple[str, ...]) -> tuple[str, ...]:
    """Names, whether they were repeated or joined by commas."""
    return tuple(name for value in values for name in value.split(",") if name)


def scale_options(command: Command) -> Command:
    """Give a command the options of `ScaleOptions`, as its argument `scaled`."""
    return packed(
        command,
        "scaled",
        ScaleOptions,
        click.option(
            "--out",
            multiple=True,
            callback=only_one,
            metavar="DIR",
            help="Score part by part into a directory; run again to go on.",
        ),
        click.option(
            "--engine", type=click.Choice(["threads", "ray"]), help="With --out: threads here, or a cluster of Ray."
        ),
        click.option("--address", metavar="HOST:PORT", help="With --engine ray: a running cluster, else one here."),
        click.option("--part-rows", type=int, metavar="N", help="With --out: rows of a part, a multiple of 20,480."),
        click.option(
            "--group-by", "groups", multiple=True, metavar="COLUMN", help="With --out: keep sums by column, too."
        ),
        click.option("--keep", "carried", multiple=True, metavar="COLUMN", help="With --out: carry columns over."),
        click.option(
            "--where", "conditions", multiple=True, metavar="'METRIC>X'", help="With --out: write what passes only."
        ),
        click.option("--keep-rows", is_flag=True, help="With --out: write each segment's statistics, for tests."),
        click.option("--dedupe", is_flag=True, help="With --out: score what is there twice in a part once."),
    )


def from_option(command: Command) -> Command:
    """The option --from, as an argument `stored`."""
    return click.option(
        "--from", "stored", type=INPUT, multiple=True, callback=only_one, metavar="DIR", help=FROM_HELP
    )(command)
