"""`karat mbr`: the best of several hypotheses of each segment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import LANGUAGES_HELP, THREADS_HELP, Command, OutputOptions, output_options, packed
from karat.cli.parameters import DRAWS, INPUT, METRIC, THREADS
from karat.cli.running import run
from karat.errors import InputError
from karat.report.forms import FORMS
from karat.results.mbr import MbrResult
from karat.service.mbr import DEFAULT_UTILITY, WEIGHTS, MbrRequest, decode
from karat.service.vocabulary.decoding import STRATEGIES, NbestFile, Pruning

if TYPE_CHECKING:
    from karat.service.mbr import WeightsName
    from karat.service.vocabulary.decoding import Strategy

LISTS = click.IntRange(1, 1_000_000)


@dataclass(frozen=True)
class ListOptions:
    """What the command line says about n-best lists."""

    nbest: str
    per_segment: int | None
    log_probabilities: str | None
    weights: WeightsName
    pseudo_references: str | None
    pseudo_per_segment: int | None
    references: tuple[str, ...]

    def hypotheses(self) -> NbestFile:
        """The lists to choose from."""
        own = None if self.pseudo_references is not None else self.log_probabilities
        return NbestFile(self.nbest, self.per_segment, own)

    def others(self) -> NbestFile | None:
        """The lists to measure against, if these are others."""
        if self.pseudo_references is None:
            if self.pseudo_per_segment is not None:
                raise InputError("--pseudo-per-segment is about --pseudo-references: give both or neither")
            return None
        return NbestFile(
            self.pseudo_references, self.pseudo_per_segment, self.log_probabilities, "--pseudo-per-segment"
        )

    def check(self) -> None:
        """Refuse what would be ignored."""
        if self.log_probabilities is not None and self.weights != "model":
            raise InputError("--log-probabilities are for --weights model: add it, or leave them out")


@dataclass(frozen=True)
class StrategyOptions:
    """What the command line says about how the choice is made."""

    strategy: Strategy
    alpha: float | None
    n: int | None
    seed: int | None

    def pruning(self) -> Pruning:
        """How hypotheses are dropped; refused where none are."""
        given = {name: value for name in ("alpha", "n", "seed") if (value := getattr(self, name)) is not None}
        if given and self.strategy != "prune":
            named = ", ".join(f"-{name}" if name == "n" else f"--{name}" for name in given)
            raise InputError(f"{named}: only pruning draws at random: add --strategy prune, or leave it out")
        return Pruning(**given)


def list_options(command: Command) -> Command:
    """Give a command the options of `ListOptions`, as its argument `lists`."""
    return packed(
        command,
        "lists",
        ListOptions,
        click.argument("nbest", type=INPUT, metavar="LISTS"),
        click.option("-k", "--per-segment", type=LISTS, metavar="N", help="Of plain text: so many lines a segment."),
        click.option(
            "--weights",
            type=click.Choice(WEIGHTS),
            default="uniform",
            show_default=True,
            help="How much each text counts that others are measured against: the same, or by the model's probability.",
        ),
        click.option(
            "--log-probabilities", type=INPUT, metavar="FILE", help="Of plain text: a number in a line, for each text."
        ),
        click.option(
            "--pseudo-references",
            type=INPUT,
            metavar="LISTS",
            help="Lists to measure against, instead of the hypotheses themselves.",
        ),
        click.option("--pseudo-per-segment", type=LISTS, metavar="N", help="Of plain text: so many lines a segment."),
        click.option(
            "-r",
            "--reference",
            "references",
            type=INPUT,
            multiple=True,
            metavar="FILE",
            help="Rerank by the score against references, a line for each segment; repeat for several.",
        ),
    )


def strategy_options(command: Command) -> Command:
    """Give a command the options of `StrategyOptions`, as its argument `how`."""
    return packed(
        command,
        "how",
        StrategyOptions,
        click.option(
            "--strategy",
            type=click.Choice(STRATEGIES),
            default="exact",
            show_default=True,
            help="All pairs; one mean of all references (BLEU, chrF); or drop early what will not win.",
        ),
        click.option("--alpha", type=float, metavar="SHARE", help="With prune: how sure to be; 0.99 by default."),
        click.option("-n", type=DRAWS, metavar="N", help="With prune: resamples; 500 by default."),
        click.option("--seed", type=click.IntRange(0), help="With prune: 12345 by default."),
    )


@click.command(cls=KaratCommand)
@list_options
@click.option("-m", "--metric", type=METRIC, default=DEFAULT_UTILITY, show_default=True, metavar="SPEC")
@strategy_options
@click.option("-l", "--language-pair", metavar="XX-YY", help=LANGUAGES_HELP)
@click.option("-j", "--threads", type=THREADS, help=THREADS_HELP)
@lambda command: output_options(command, forms=("lines", *FORMS))
def command(
    lists: ListOptions,
    metric: str,
    how: StrategyOptions,
    language_pair: str | None,
    threads: int | None,
    wanted: OutputOptions,
) -> None:
    """Choose the hypothesis of each segment that is expected to be best (minimum Bayes risk).

    LISTS is JSONL with the field hypotheses, or plain text with -k lines a segment. What comes out is the best of each
    segment in a line; other forms have its expected utility and the margin to the next.

    \b
    karat mbr nbest.jsonl -m chrf -o best.txt
    karat mbr nbest.txt -k 100 -m 'chrf(word_order=2)' --json
    karat mbr nbest.txt -k 100 --weights model --log-probabilities scores.txt
    karat mbr nbest.jsonl -m sentence-bleu --strategy aggregate
    karat mbr nbest.jsonl -m meteor --strategy prune --seed 1
    karat mbr nbest.jsonl -m ter -r reference.txt --format table
    """
    lists.check()
    request = MbrRequest(
        hypotheses=lists.hypotheses(),
        metric=metric,
        strategy=how.strategy,
        weights=lists.weights,
        pseudo_references=lists.others(),
        references=lists.references,
        pruning=how.pruning(),
        language_pair=language_pair,
        threads=threads,
    )
    run(wanted, lambda listeners: decode(request, listeners), lines=MbrResult.lines)
