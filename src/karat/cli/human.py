"""`karat human`: what people said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import RATING_COLUMN_HELP, Command, OutputOptions, column_pairs, output_options, packed
from karat.cli.parameters import DRAWS, INPUT
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.service.vocabulary.testing import CORRECTIONS, DEFAULT_SEED

if TYPE_CHECKING:
    from karat.service.vocabulary.ratings import AnalysisPlan

PRESETS = ("wmt16", "wmt21", "wmt22", "wmt23", "wmt25", "wmt26")
TESTS = ("randomization", "signed-rank", "rank-sum")
FLAGS = ("bad-reference", "repeats", "gold", "too-fast", "straight-lining", "disagrees")
PARTS = ("systems", "pairs", "agreement", "raters", "errors", "domains", "documents", "segments")
ANY_FLAG = "any"


@dataclass(frozen=True)
class AnalysisOptions:
    """What the command line says about the analysis; None where it says nothing."""

    preset: str | None
    test: str | None
    unit: str | None
    unpaired: bool | None
    n: int | None
    resamples: int | None
    seed: int
    alpha: float | None
    correction: str | None
    model: str
    weights: str | None
    without: tuple[str, ...]
    fast: float

    def plan(self) -> AnalysisPlan:
        """The same for the library."""
        from karat.service.vocabulary.ratings import AnalysisPlan, Limits, Weights, refuse_with_preset

        names = ("test", "unit", "unpaired", "n", "resamples", "alpha", "correction")
        given: dict[str, Any] = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        refuse_with_preset(self.preset, given)
        flags = FLAGS if ANY_FLAG in self.without else self.without
        return AnalysisPlan(
            **given,
            preset=self.preset,
            seed=self.seed,
            model=self.model,  # type: ignore[arg-type]
            weights=None if self.weights is None else Weights.parse(self.weights),
            filtered=tuple(flags),
            limits=Limits(fast=self.fast),
        )


def analysis_options(command: Command) -> Command:
    """Give a command the options of `AnalysisOptions`, as its argument `tested`."""
    return packed(
        command,
        "tested",
        AnalysisOptions,
        click.option("--preset", type=click.Choice(PRESETS), help="Rank systems as WMT did in that year."),
        click.option("--test", type=click.Choice(TESTS), show_default=TESTS[0]),
        click.option("--unit", type=click.Choice(["segment", "document"]), help=UNIT_HELP),
        click.option("--unpaired", is_flag=True, default=None, help=UNPAIRED_HELP),
        click.option("-n", type=DRAWS, metavar="N", help="Shuffles of the randomisation test; 10,000 by default."),
        click.option("--resamples", type=DRAWS, show_default="1000", help="Resamples of intervals."),
        click.option("--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True, help="0 is a seed."),
        click.option("--alpha", type=float, show_default="0.05", help=ALPHA_HELP),
        click.option("--correction", type=click.Choice(CORRECTIONS), show_default="holm"),
        click.option(
            "--model",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            help=MODEL_HELP,
        ),
        click.option("--weights", show_default="wmt", metavar="WEIGHTS", help=WEIGHTS_HELP),
        click.option("--without", type=click.Choice([*FLAGS, ANY_FLAG]), multiple=True, help=WITHOUT_HELP),
        click.option("--fast", type=float, default=2.0, show_default=True, metavar="SECONDS", help=FAST_HELP),
    )


UNPAIRED_HELP = "Compare systems on all that was judged of each, not on the segments that both were judged on."
UNIT_HELP = "What is drawn at random; documents where they are known."
ALPHA_HELP = "Significance level of the test; intervals have a confidence of 1 less this."
MODEL_HELP = "A mixed model of systems, raters and segments; auto: where assignment is unbalanced."
WEIGHTS_HELP = (
    "What errors cost: wmt, wmt20, plain, counts, or such as 'major=5,minor=1,minor:fluency/punctuation=0.1'."
)
CORPUS_HELP = "A corpus that tells the documents and domains of the segments."
WITHOUT_HELP = "Show results also without raters who have this flag; repeat for several."
FAST_HELP = "Raters whose median item takes less are flagged as too fast."


@click.command(cls=KaratCommand)
@click.argument("ratings", type=INPUT, nargs=-1, metavar="RATINGS...")
@click.option("--input-format", metavar="NAME", help="The format of the files, where they do not tell.")
@click.option("-p", "--protocol", multiple=True, metavar="NAME", help="Only this protocol; repeat for several.")
@click.option("-c", "--criterion", multiple=True, metavar="NAME", help="Only this criterion; repeat for several.")
@click.option("-l", "--language-pair", metavar="PAIR", help="Only this language pair.")
@click.option("-x", "--exclude", multiple=True, metavar="SYSTEM", help="Leave this system out; repeat for several.")
@click.option("--corpus", type=INPUT, metavar="FILE", help=CORPUS_HELP)
@click.option("--column", "columns", multiple=True, metavar="WHAT=NAME", help=RATING_COLUMN_HELP)
@click.option("--skip-bad", is_flag=True, help="Skip malformed rows, and list them.")
@click.option("--show", type=click.Choice(PARTS), multiple=True, help="Only these tables; repeat for several.")
@analysis_options
@output_options
def command(
    ratings: tuple[str, ...],
    input_format: str | None,
    protocol: tuple[str, ...],
    criterion: tuple[str, ...],
    language_pair: str | None,
    exclude: tuple[str, ...],
    corpus: str | None,
    columns: tuple[str, ...],
    skip_bad: bool,
    show: tuple[str, ...],
    tested: AnalysisOptions,
    wanted: OutputOptions,
) -> None:
    """Tell what people said: scores and ranks of systems, agreement, and whom to trust.

    \b
    karat human ratings.tsv
    karat human ratings.tsv -c adequacy --without too-fast --corpus corpus.jsonl
    karat human wmt21-da.csv --preset wmt21 --json
    karat human mqm.tsv --weights 'critical=10,major=5,minor=1'
    """
    from karat.cli.running import run
    from karat.service.human import HumanRequest, analyse_ratings

    if not ratings:
        raise InputError("no ratings were given: name one or more files, or - for stdin")
    request = HumanRequest(
        paths=ratings,
        format=input_format,
        protocols=protocol,
        criteria=criterion,
        language_pair=language_pair,
        excluded=exclude,
        corpus=corpus,
        columns=column_pairs(columns),
        skip_bad=skip_bad,
        plan=tested.plan(),
    )
    run(
        wanted,
        lambda listeners: analyse_ratings(request, listeners),
        lambda result: result.tables(wanted.digits, show),
        lambda result: result.records(*show),
    )
