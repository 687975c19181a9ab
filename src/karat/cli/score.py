"""`karat score`: systems by metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import Command, InputOptions, OutputOptions, input_options, output_options, packed
from karat.cli.output import Progress, destination, show_warnings
from karat.cli.parameters import DRAWS, METRIC
from karat.cli.resampling import RESAMPLING_OPTIONS, TESTSET_HELP, UNIT_HELP
from karat.cli.scaling import ScaleOptions, from_option, refuse_beside_stored, scale_options
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.results.score_writers import score_writer
from karat.service.choices import choices
from karat.service.listening import Listeners
from karat.service.scoring import ScoreRequest, score_systems
from karat.service.vocabulary.metrics import metric
from karat.service.vocabulary.texts import UNITS

if TYPE_CHECKING:
    from karat.service.part_units import UnitsNeeded
    from karat.service.scoring import PartLevel
    from karat.service.vocabulary.testing import Method, ResampleKind, Resampling
    from karat.service.vocabulary.texts import Unit

DEFAULT_LEVEL = 0.95
SORT_HELP = "The order of systems."


class _IntervalCommand(KaratCommand):
    """Knows that what follows --ci is a level only if it is a number: `--ci sys.txt` names a system."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [self._complete(args, i) for i in range(len(args))])

    def _complete(self, args: list[str], i: int) -> str:
        bare = args[i] == "--ci" and "--" not in args[:i]
        return f"--ci={DEFAULT_LEVEL}" if bare and not (i + 1 < len(args) and _is_number(args[i + 1])) else args[i]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class IntervalOptions:
    """What the command line says about intervals."""

    ci: float | None
    n: int
    unit: Unit | None
    seed: int
    resample: ResampleKind
    interval: Method

    def resampling(self, level: PartLevel) -> Resampling | None:
        """How intervals are made, if they are wanted."""
        if self.ci is None:
            return None
        if level != "system":
            raise InputError(f"--ci is about the scores of systems: leave out --level {level}")
        from karat.service.vocabulary.testing import Resampling

        return Resampling(n=self.n, confidence=self.ci, method=self.interval, resample=self.resample, seed=self.seed)


def interval_options(command: Command) -> Command:
    """Give a command the options of `IntervalOptions`, as its argument `intervals`."""
    return packed(
        command,
        "intervals",
        IntervalOptions,
        click.option("--ci", type=float, metavar="[LEVEL]", help="An interval for every score; 0.95 by default."),
        click.option("-n", type=DRAWS, metavar="N", default=1000, show_default=True, help="With --ci: resamples."),
        click.option("--unit", type=click.Choice(UNITS), help=UNIT_HELP),
        *RESAMPLING_OPTIONS,
    )


@click.command(cls=_IntervalCommand)
@input_options
@click.option("--level", type=click.Choice(["system", "document", "segment"]), default="system", show_default=True)
@click.option("--testset", "testsets", multiple=True, metavar="NAME", help=TESTSET_HELP)
@click.option(
    "--sort", type=METRIC, default="given", show_default=True, metavar="METRIC|name|given", help="The order of systems."
)
@interval_options
@scale_options
@from_option
@output_options
def command(
    given: InputOptions,
    level: PartLevel,
    testsets: tuple[str, ...],
    sort: str,
    intervals: IntervalOptions,
    scaled: ScaleOptions,
    stored: str | None,
    wanted: OutputOptions,
) -> None:
    """Score systems against references.

    \b
    karat score -r ref.txt sysA.txt sysB.txt
    karat score -r refA.txt -r refB.txt -s src.txt base=old.txt new.txt -m bleu -m chrf++ -m ter
    karat score --corpus all.jsonl --level document --json
    karat score -r ref.txt sysA.txt --ci 0.99
    karat score -t wmt22 -l en-de sysA.txt
    karat score --corpus 'parts/*.parquet' --engine threads --out scores/
    """
    scaled.check()
    kept = _kept(given, scaled, stored, level, testsets)
    metrics = given.wanted_metrics()
    order = _sorting(sort, metrics if stored is None else None)
    resampling = intervals.resampling(level)
    request = ScoreRequest(
        texts=given.texts() if kept is None else None,
        stored=kept,
        systems=given.systems if kept is not None else (),
        metrics=metrics,
        level=level,
        targeted=given.post_edits,
        intervals=resampling,
        unit=intervals.unit,
        testsets=testsets,
        threads=given.threads,
    )
    with destination(wanted.output) as out, Progress(quiet=wanted.quiet) as progress:
        writer = score_writer(
            wanted.form, out, level=level, digits=wanted.digits, sort=order, intervals=resampling is not None
        )
        if scaled.out is not None:
            scaled.score(given, _units(level, resampling), Listeners(segments=progress.segments))
        result = score_systems(request, Listeners(segments=progress.segments, scores=writer.write))
        writer.finish(result)
    if wanted.html is not None:
        from karat.cli.running import write_page

        write_page(result, wanted)
    if not wanted.quiet:
        show_warnings(result.warnings)


def _kept(
    given: InputOptions, scaled: ScaleOptions, stored: str | None, level: PartLevel, testsets: tuple[str, ...]
) -> str | None:
    """The directory of parts that the scores come from, where they come from one."""
    of_testsets = ("--testset",) if testsets else ()
    if stored is not None:
        refuse_beside_stored(*given.told, *of_testsets, *(("--out",) if scaled.out is not None else ()))
    elif scaled.out is not None:
        scaled.refuse_other_texts(given, of_testsets)
    kept = scaled.out if stored is None else stored
    if kept is not None and level == "segment":
        raise InputError(f"scores of segments are tables in {kept}/parts: leave out --level segment")
    return kept


def _units(level: PartLevel, resampling: Resampling | None) -> UnitsNeeded | None:
    """What will be asked of the parts beside scores of systems."""
    if level == "document":
        return "document"
    return None if resampling is None else "any"


def _sorting(sort: str, specs: tuple[str, ...] | None) -> str:
    """The spec of the metric to sort by, which must be one of those asked for, where these are known."""
    if sort in ("given", "name"):
        return sort
    if specs is None:
        return metric(sort).spec
    asked = [choice.metric.spec for choice in choices(specs)]
    if (spec := metric(sort).spec) not in asked:
        raise InputError(f"--sort {sort} is not among the metrics asked for: {', '.join(asked)}")
    return spec
