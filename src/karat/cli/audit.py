"""`karat audit`: what BLEU cannot see, and how far its verdict can be trusted."""

from __future__ import annotations

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.parameters import INPUT
from karat.cli.resampling import UNIT_HELP
from karat.cli.running import run
from karat.cli.streams import say
from karat.report.audit_plots import write_audit_pictures
from karat.service.audit import DEFAULT_METRICS, AuditRequest, audit
from karat.service.vocabulary.testing import DEFAULT_SEED
from karat.service.vocabulary.texts import UNITS, Unit

RATINGS_HELP = "Judgements of people, to see how well metrics explain them."


@click.command(cls=KaratCommand)
@input_options
@click.option("--ratings", type=INPUT, metavar="FILE", help=RATINGS_HELP)
@click.option("--criterion", "criteria", multiple=True, metavar="NAME", help="Only this criterion; all by default.")
@click.option("--unit", type=click.Choice(UNITS), help=UNIT_HELP)
@click.option("--examples", type=click.IntRange(0), default=1, show_default=True, help="Segments shown of each system.")
@click.option("--verify", is_flag=True, help="Score all orders of the phrases of the examples.")
@click.option("--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True, help="0 is a seed.")
@click.option("--plots", metavar="DIR", help="Write length against orderings, and metrics against people, as SVG.")
@output_options
def command(
    given: InputOptions,
    ratings: str | None,
    criteria: tuple[str, ...],
    unit: Unit | None,
    examples: int,
    verify: bool,
    seed: int,
    plots: str | None,
    wanted: OutputOptions,
) -> None:
    """Tell what BLEU cannot see, and how far its verdict on these systems can be trusted.

    Facts about the test set; signals about pairs of systems; how many orders of an output score at least as high, with
    examples; and, with ratings, how well metrics explain them. Other metrics (chrF and TER unless -m names any) show
    whether they agree with BLEU.

    \b
    karat audit -r refA.txt -r refB.txt a.txt b.txt
    karat audit --corpus all.jsonl -l de-en --ratings ratings.tsv --plots plots
    """
    request = AuditRequest(
        texts=given.texts(),
        metrics=given.metrics or DEFAULT_METRICS,
        ratings=ratings,
        criteria=criteria,
        unit=unit,
        examples=examples,
        verify=verify,
        seed=seed,
        targeted=given.post_edits,
        threads=given.threads,
    )
    result = run(wanted, lambda listeners: audit(request, listeners))
    if plots is not None:
        names = write_audit_pictures(result.audit, plots)
        say(f"karat: {len(names)} pictures in {plots}")
