"""`karat meta`: do metrics agree with people?"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import Command, InputOptions, OutputOptions, input_options, output_options, packed
from karat.cli.parameters import DRAWS, INPUT
from karat.cli.resampling import TESTSET_HELP
from karat.cli.running import run
from karat.cli.streams import say
from karat.errors import InputError
from karat.report.meta_writers import write_pictures
from karat.results.meta import META_DIGITS
from karat.service.inputs import ALL_PAIRS, Input, ScoreDirectory
from karat.service.meta import MetaRequest, evaluate_metrics
from karat.service.requests import EvidenceRequest, GoldRequest
from karat.service.vocabulary.agreement import (
    GROUPINGS,
    TESTS,
    ContestOptions,
    MeasureSettings,
    Plan,
    PlannedContest,
    all_measures,
    standard_measures,
    usual_contests,
)
from karat.service.vocabulary.testing import CORRECTIONS, DEFAULT_SEED
from karat.service.vocabulary.texts import LEVELS, is_score_directory

if TYPE_CHECKING:
    from karat.service.meta import TaskPart
    from karat.service.vocabulary.agreement import Grouping, Test
    from karat.service.vocabulary.testing import Correction
    from karat.service.vocabulary.texts import Level


MEASURE_NAMES = tuple(all_measures())
PAIR = re.compile(r"[A-Za-z]{2,3}(_\w+)?-[A-Za-z]{2,3}(_\w+)?")
MEASURE_HELP = f"Only this measure: {', '.join(MEASURE_NAMES)}."


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
    standard_references: tuple[str, ...]
    testsets: tuple[str, ...]

    def request(self, given: InputOptions) -> EvidenceRequest:
        """Where everything comes from; a directory of mt-metrics-eval is the first argument."""
        directory = _score_directory(given.systems)
        _assignments(self.only, "--only")
        if self.only and not self.scores:
            raise InputError("--only chooses lines of --scores: add these, or leave it out")
        if self.criterion and not (self.ratings or self.judgements):
            raise InputError("--criterion chooses among ratings: add --ratings FILE, or leave it out")
        if directory is not None and given.has_texts:
            raise InputError(f"{directory} has its own texts: leave out -r, -t and --corpus")
        if directory is None and self.standard_references:
            raise InputError("--standard-reference is about a directory of mt-metrics-eval: name references with -r")
        pairs = tuple(given.language_pair.split(",")) if given.language_pair else ()
        texts: Input | None = None
        if directory is not None:
            texts = given.annotated(ScoreDirectory(directory, pairs, self.gold, _by_pair(self.standard_references)))
        elif given.has_texts or given.systems:
            texts = given.texts()
        elif given.metrics:
            raise InputError("-m is about texts: add references with -r, or a corpus")
        elif given.annotations:
            raise InputError("--annotations is about texts: add references with -r, or a corpus")
        judgements = (*self.judgements, *((self.ratings,) if self.ratings else ()))
        criteria = (self.criterion,) if self.criterion else ()
        return EvidenceRequest(
            texts=texts,
            metrics=given.metrics if directory is not None or texts is None else given.wanted_metrics(),
            scores=self.scores,
            only=_assignments(self.only, "--only"),
            columns=given.columns,
            language_pair=pairs[0] if len(pairs) == 1 and pairs != (ALL_PAIRS,) else None,
            renamed=_assignments(self.renamed, "--rename"),
            targeted=given.post_edits,
            gold=None if directory else GoldRequest(paths=judgements, criteria=criteria, column=self.gold),
            humans=self.humans,
            testsets=self.testsets,
            threads=given.threads,
        )


@dataclass(frozen=True)
class PlanOptions:
    """What the command line says about measures, outliers and tests between metrics."""

    levels: tuple[Level, ...]
    groupings: tuple[Grouping, ...]
    measures: tuple[str, ...]
    minimum: float
    include_human: tuple[str, ...]
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

    @property
    def pairs_with_humans(self) -> tuple[str, ...]:
        """The language pairs in which outputs of people count; "all" for every one of them."""
        pairs = tuple(pair for value in self.include_human for pair in value.split(","))
        for pair in pairs:
            if pair != ALL_PAIRS and not PAIR.fullmatch(pair):
                raise InputError(
                    f"--include-human {pair}: write language pairs such as he-en, or nothing where people count in all "
                    "of them; what else is given goes before it"
                )
        return pairs

    def plan(self) -> Plan:
        """The same for the library."""
        test: Test = "perm-both" if self.test == "none" else self.test  # type: ignore[assignment]
        options = ContestOptions(test=test, n=self.n, seed=self.seed, alpha=self.alpha, correction=self.correction)
        settings = MeasureSettings(minimum=self.minimum, draws=self.n, seed=self.seed, confidence=1 - self.alpha)
        if self.compared and self.test == "none":
            raise InputError("--compare asks for a test, and --test none for no test: leave out one of them")
        levels = self.levels or LEVELS
        contests = tuple(_planned_contest(text) for text in self.compared) or usual_contests(test, levels)
        return Plan(
            levels=levels,
            groupings=self.groupings or GROUPINGS,
            measures=self.measures or standard_measures(),
            settings=settings,
            contests=() if self.test == "none" else contests,
            options=options,
            include_human=ALL_PAIRS in self.pairs_with_humans,
            find_outliers=self.outliers == "mad",
            named_outliers=self.named_outliers,
            without=self.without,
        )


def gold_options(command: Command) -> Command:
    """Give a command the options of `GoldOptions`, as its argument `judged`."""
    return packed(
        command,
        "judged",
        GoldOptions,
        click.option("--gold", metavar="NAME", help="Which judgements of a directory, or which column of a file."),
        click.option("--ratings", type=INPUT, metavar="FILE", help=RATINGS_HELP),
        click.option("--criterion", metavar="NAME", help="With --ratings: adequacy, fluency, ..."),
        click.option(
            "--judgements",
            type=INPUT,
            multiple=True,
            metavar="FILE",
            help=JUDGEMENTS_HELP,
        ),
        click.option("--scores", type=INPUT, multiple=True, metavar="FILE", help=SCORES_HELP),
        click.option("--only", multiple=True, metavar="COLUMN=VALUE", help="Of --scores, the lines with this value."),
        click.option("--rename", "renamed", multiple=True, metavar="OLD=NEW", help="Another name for a system."),
        click.option("--human", "humans", multiple=True, metavar="NAME", help="A system that is a person."),
        click.option(
            "--standard-reference",
            "standard_references",
            multiple=True,
            metavar="[PAIR=]NAME",
            help=STANDARD_REFERENCE_HELP,
        ),
        click.option("--testset", "testsets", multiple=True, metavar="NAME", help=TESTSET_HELP),
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
            "--measure", "measures", multiple=True, type=click.Choice(MEASURE_NAMES), metavar="NAME", help=MEASURE_HELP
        ),
        click.option("--minimum", type=float, default=0.0, metavar="T", help="kendall-like: pairs that differ by T."),
        click.option(
            "--include-human",
            is_flag=False,
            flag_value=ALL_PAIRS,
            multiple=True,
            metavar="[PAIR,...]",
            help=INCLUDE_HUMAN_HELP,
        ),
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
            "-n", type=DRAWS, default=1000, show_default=True, metavar="N", help="Draws of SPA and of the test."
        ),
        click.option("--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True, help="0 is a seed."),
        click.option("--alpha", type=float, default=0.05, show_default=True, help=ALPHA_HELP),
        click.option("--correction", type=click.Choice(CORRECTIONS), default="none", show_default=True),
    )


RATINGS_HELP = "Single judgements, in any format that karat reads."
JUDGEMENTS_HELP = "Judgements as scores of segments, or of whole systems."
SCORES_HELP = "Scores of other metrics; repeat for several."
STANDARD_REFERENCE_HELP = (
    "The one reference of a directory, or of one of its language pairs, to score against; it is never a system."
)
INCLUDE_HUMAN_HELP = "Count outputs of people as systems: in these language pairs, or in all."
OUTLIER_HELP = "Find systems far from the median of human scores, and show numbers without them too."
TEST_HELP = "How metrics are compared with each other."
ALPHA_HELP = "Significance level of the test; intervals have a confidence of 1 less this."


@click.command(cls=KaratCommand)
@input_options
@gold_options
@plan_options
@click.option("--by", type=click.Choice(["domain", "document"]), help="Everything for each part by itself.")
@click.option("--weight", "weights", multiple=True, metavar="TASK=W", help="Weights of the mean over tasks.")
@click.option("--plots", metavar="DIR", help="Write scatter plots and heat maps as SVG.")
@partial(output_options, digits=META_DIGITS)
def command(
    given: InputOptions,
    judged: GoldOptions,
    chosen: PlanOptions,
    by: TaskPart | None,
    weights: tuple[str, ...],
    plots: str | None,
    wanted: OutputOptions,
) -> None:
    """Tell how well metrics agree with people, and which metric is better than which.

    The judgements and scores come from a directory of mt-metrics-eval, or from files. Outputs of people (refA, Human-A)
    are left out unless --include-human counts them in.

    \b
    karat meta wmt23 -l en-de
    karat meta wmt23 -l en-de -m bleu -m chrf --plots plots --html meta.html
    karat meta wmt23 -l en-de,he-en --standard-reference refA --standard-reference he-en=refB --include-human he-en
    karat meta --corpus all.jsonl --ratings ratings.tsv --criterion adequacy -m bleu -m ter
    karat meta --judgements da.csv --gold RAW.SCR --scores chrF.seg.score --only lp=en-de --minimum 25
    """
    request = MetaRequest(
        evidence=judged.request(given),
        plan=chosen.plan(),
        by=by,
        weights=_weights(weights),
        include_human=tuple(pair for pair in chosen.pairs_with_humans if pair != ALL_PAIRS),
    )
    result = run(
        wanted,
        lambda listeners: evaluate_metrics(request, listeners),
        lambda result: result.tables(wanted.digits, detailed=chosen.detailed),
    )
    if plots is not None:
        names = write_pictures(result.tasks, plots)
        say(f"karat: {len(names)} pictures in {plots}")


def _score_directory(systems: tuple[str, ...]) -> str | None:
    """The argument, if it is one directory with scores of people; a directory without them is refused."""
    if len(systems) == 1 and is_score_directory(systems[0]):
        return systems[0]
    for path in filter(os.path.isdir, systems):
        inside = next((str(entry) for entry in sorted(Path(path).iterdir()) if is_score_directory(str(entry))), None)
        hint = f". Did you mean {inside}?" if inside else ": it is no directory of mt-metrics-eval"
        raise InputError(f"{path} has no directory human-scores{hint}")
    return None


def _assignments(texts: Sequence[str], option: str) -> dict[str, str]:
    assignments: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise InputError(f"{option} {text}: write NAME=VALUE")
        if name in assignments:
            raise InputError(f"{option} {text}: {name} has a value already, {assignments[name]}")
        assignments[name] = value
    return assignments


def _by_pair(texts: Sequence[str]) -> dict[str, str]:
    """Names by language pair; one that stands alone is that of all pairs which are not named."""
    return _assignments([text if "=" in text else f"{ALL_PAIRS}={text}" for text in texts], "--standard-reference")


def _weights(texts: tuple[str, ...]) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in _assignments(texts, "--weight").items()}
    except ValueError as error:
        raise InputError(f"--weight: {error}; write TASK=NUMBER") from error


def _planned_contest(text: str) -> PlannedContest:
    level, _, rest = text.partition(":")
    name, _, grouping = rest.partition(":")
    if level not in LEVELS or name not in MEASURE_NAMES or (grouping or "none") not in GROUPINGS:
        raise InputError(
            f"--compare {text}: write LEVEL:MEASURE or LEVEL:MEASURE:GROUPING, such as segment:acc-eq:item"
        )
    return PlannedContest(level, name, grouping or "none")  # type: ignore[arg-type]
