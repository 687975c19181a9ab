"""`karat meta`: do metrics agree with people?"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from karat.cli.inputs import Command, InputOptions, OutputOptions, input_options, output_options, packed
from karat.cli.output import Destination, Progress, show_warnings
from karat.corpus.mtme_scores import is_score_directory
from karat.errors import InputError
from karat.meta import GROUPINGS, MEASURES, STANDARD, TESTS, ContestOptions, Settings
from karat.meta.report import USUAL_CONTESTS, Plan, Wish
from karat.meta.task import LEVELS
from karat.report.meta_writers import write_meta, write_page, write_pictures
from karat.service.meta import MetaRequest, evaluate_metrics
from karat.service.meta_tasks import Sources
from karat.significance import CORRECTIONS, DEFAULT_SEED

if TYPE_CHECKING:
    from karat.meta.contests import Test
    from karat.meta.points import Grouping
    from karat.meta.task import Level
    from karat.service.meta import Part
    from karat.significance.multiple import Correction


@dataclass(frozen=True)
class GoldOptions:
    """What the command line says about judgements, and about the scores of metrics from elsewhere."""

    gold: str | None
    ratings: str | None
    criterion: str | None
    judgements: tuple[str, ...]
    scores: tuple[str, ...]
    only: tuple[str, ...]
    renamed: tuple[str, ...]
    humans: tuple[str, ...]

    def sources(self, given: InputOptions) -> Sources:
        """Where everything comes from; a directory of mt-metrics-eval is the first argument."""
        directory = _score_directory(given.systems)
        texts = None
        if directory is None and (given.has_texts or given.systems):
            texts = given.texts()
        elif directory is not None and given.has_texts:
            raise InputError(f"{directory} has its own texts: leave out -r, -t and --corpus")
        metrics = given.metrics if directory is not None else given.wanted_metrics() if texts is not None else ()
        if texts is None and directory is None and given.metrics:
            raise InputError("-m is about texts: add references with -r, or a corpus, or leave it out")
        pairs = tuple(given.language_pair.split(",")) if given.language_pair else ()
        return Sources(
            directory=directory,
            language_pairs=pairs,
            gold=self.gold,
            texts=texts,
            metrics=metrics,
            scores=self.scores,
            judgements=self.judgements,
            ratings=self.ratings,
            criterion=self.criterion,
            only=dict(_assignments(self.only, "--only")),
            renamed=dict(_assignments(self.renamed, "--rename")),
            humans=self.humans,
            threads=given.threads,
        )


@dataclass(frozen=True)
class PlanOptions:
    """What the command line says about measures, outliers and tests between metrics."""

    levels: tuple[Level, ...]
    groupings: tuple[Grouping, ...]
    measures: tuple[str, ...]
    minimum: float
    include_human: bool
    outliers: str
    named_outliers: tuple[str, ...]
    without: tuple[str, ...]
    test: str
    compared: tuple[str, ...]
    n: int
    seed: int
    alpha: float
    correction: Correction

    @property
    def detailed(self) -> bool:
        """Whether something was chosen that the short table may not have."""
        return bool(self.levels or self.groupings or self.measures)

    def plan(self) -> Plan:
        """The same for the library."""
        settings = Settings(minimum=self.minimum, draws=self.n, seed=self.seed, level=1 - self.alpha)
        test: Test = "perm-both" if self.test == "none" else self.test  # type: ignore[assignment]
        options = ContestOptions(test=test, n=self.n, seed=self.seed, level=self.alpha, correction=self.correction)
        usual = tuple(wish for wish in USUAL_CONTESTS if not self.levels or wish.level in self.levels)
        if test in ("williams", "hotelling", "steiger"):
            usual = tuple(wish for wish in usual if wish.measure == "pearson")
        wishes = tuple(_wish(text) for text in self.compared) or usual
        return Plan(
            levels=self.levels or LEVELS,
            groupings=self.groupings or GROUPINGS,
            measures=self.measures or STANDARD,
            settings=settings,
            contests=() if self.test == "none" else wishes,
            options=options,
            include_human=self.include_human,
            find_outliers=self.outliers == "mad",
            named_outliers=self.named_outliers,
            without=self.without,
        )


def gold_options(command: Command) -> Command:
    """Give a command the options of `GoldOptions`, as its argument `people`."""
    return packed(
        command,
        "people",
        GoldOptions,
        click.option("--gold", metavar="NAME", help="Which judgements of a directory, or which column of a file."),
        click.option("--ratings", metavar="FILE", help="Single judgements, in any format that karat reads."),
        click.option("--criterion", metavar="NAME", help="With --ratings: adequacy, fluency, ..."),
        click.option(
            "--judgements", multiple=True, metavar="FILE", help="Judgements as scores of segments or systems."
        ),
        click.option("--scores", multiple=True, metavar="FILE", help="Scores of other metrics; repeat for several."),
        click.option("--only", multiple=True, metavar="COLUMN=VALUE", help="Of --scores, the lines with this value."),
        click.option("--rename", "renamed", multiple=True, metavar="OLD=NEW", help="Another name for a system."),
        click.option("--human", "humans", multiple=True, metavar="NAME", help="A system that is a person."),
    )


def plan_options(command: Command) -> Command:
    """Give a command the options of `PlanOptions`, as its argument `chosen`."""
    compare_help = "Compare metrics under this: segment:acc-eq:item, for instance; repeat for several."
    return packed(
        command,
        "chosen",
        PlanOptions,
        click.option("--level", "levels", multiple=True, type=click.Choice(LEVELS), help="Only at this level."),
        click.option("--grouping", "groupings", multiple=True, type=click.Choice(GROUPINGS), help="Only grouped so."),
        click.option(
            "--measure", "measures", multiple=True, type=click.Choice(list(MEASURES)), metavar="NAME", help=MEASURE_HELP
        ),
        click.option("--minimum", type=float, default=0.0, metavar="T", help="kendall-like: pairs that differ by T."),
        click.option("--include-human", is_flag=True, help="Count outputs of people as systems."),
        click.option(
            "--outliers", type=click.Choice(["mad", "none"]), default="mad", show_default=True, help=OUTLIER_HELP
        ),
        click.option("--outlier", "named_outliers", multiple=True, metavar="NAME", help="An outlier by name instead."),
        click.option("--without", multiple=True, metavar="NAME", help="Leave out a system."),
        click.option(
            "--test", type=click.Choice([*TESTS, "none"]), default="perm-both", show_default=True, help=TEST_HELP
        ),
        click.option("--compare", "compared", multiple=True, metavar="LEVEL:MEASURE[:GROUPING]", help=compare_help),
        click.option(
            "-n", type=int, default=1000, show_default=True, metavar="N", help="Draws of SPA and of the test."
        ),
        click.option("--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True, help="0 is a seed."),
        click.option("--alpha", type=float, default=0.05, show_default=True, help="Level; intervals have 1 less this."),
        click.option("--correction", type=click.Choice(CORRECTIONS), default="none", show_default=True),
    )


MEASURE_HELP = f"Only this measure: {', '.join(MEASURES)}."
OUTLIER_HELP = "Find systems far from the median of human scores, and show numbers without them too."
TEST_HELP = "How metrics are compared with each other."


@click.command()
@input_options
@gold_options
@plan_options
@click.option("--by", type=click.Choice(["domain", "document"]), help="Everything for each part by itself.")
@click.option("--weight", "weights", multiple=True, metavar="TASK=W", help="Weights of the mean over tasks.")
@click.option("--plots", metavar="DIR", help="Write scatter plots and heat maps as SVG.")
@click.option("--html", metavar="FILE", help="Write one page with tables and plots.")
@output_options
def command(
    given: InputOptions,
    people: GoldOptions,
    chosen: PlanOptions,
    by: Part | None,
    weights: tuple[str, ...],
    plots: str | None,
    html: str | None,
    wanted: OutputOptions,
) -> None:
    """Tell how well metrics agree with people, and which metric is better than which.

    The judgements and scores come from a directory of mt-metrics-eval, or from files. Outputs of people (refA, Human-A)
    are left out unless --include-human counts them in.

    \b
    karat meta wmt23 -l en-de
    karat meta wmt23 -l en-de -m bleu -m chrf --plots plots --html meta.html
    karat meta --corpus all.jsonl --ratings ratings.tsv --criterion adequacy -m bleu -m ter
    karat meta --judgements da.csv --gold RAW.SCR --scores chrF.seg.score --only lp=en-de --minimum 25
    """
    asked = click.get_current_context().get_parameter_source("digits") is not ParameterSource.DEFAULT
    digits = wanted.digits if asked else DIGITS
    request = MetaRequest(sources=people.sources(given), plan=chosen.plan(), by=by, weights=_weights(weights))
    with Destination(wanted.output) as out, Progress() as progress:
        report = evaluate_metrics(request, progress.draws)
        progress.stop()
        write_meta(report, wanted.form, out, digits=digits, detailed=chosen.detailed)
    if plots is not None:
        names = write_pictures(report, plots)
        click.echo(f"karat: {len(names)} pictures in {plots}", err=True)
    if html is not None:
        write_page(report, html, digits=digits)
    if not wanted.quiet:
        show_warnings(report.warnings)


def _score_directory(systems: tuple[str, ...]) -> str | None:
    """The argument, if it is one directory with scores of people; a directory without them is refused."""
    if len(systems) == 1 and is_score_directory(systems[0]):
        return systems[0]
    for path in filter(os.path.isdir, systems):
        inside = next((str(one) for one in sorted(Path(path).iterdir()) if is_score_directory(str(one))), None)
        hint = f". Did you mean {inside}?" if inside else ": it is no directory of mt-metrics-eval"
        raise InputError(f"{path} has no directory human-scores{hint}")
    return None


DIGITS = 3
"""Where nobody asks for digits, correlations get one more than scores."""


def _assignments(texts: tuple[str, ...], option: str) -> list[tuple[str, str]]:
    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise InputError(f"{option} {text}: write NAME=VALUE")
        found.append((name, value))
    return found


def _weights(texts: tuple[str, ...]) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in _assignments(texts, "--weight")}
    except ValueError as error:
        raise InputError(f"--weight: {error}; write TASK=NUMBER") from error


def _wish(text: str) -> Wish:
    level, _, rest = text.partition(":")
    name, _, grouping = rest.partition(":")
    if level not in LEVELS or name not in MEASURES or (grouping or "none") not in GROUPINGS:
        raise InputError(
            f"--compare {text}: write LEVEL:MEASURE or LEVEL:MEASURE:GROUPING, such as segment:acc-eq:item"
        )
    return Wish(level, name, grouping or "none")  # type: ignore[arg-type]
