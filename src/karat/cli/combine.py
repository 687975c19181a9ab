"""`karat combine`: one metric of several, learnt from what people said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, input_options
from karat.cli.output import Progress, destination, show_warnings
from karat.cli.parameters import INPUT, OUTPUT
from karat.cli.streams import say
from karat.report.forms import show_tables
from karat.results.writing import write_json
from karat.service.combining import METHODS, CombineRequest, combine
from karat.service.listening import Listeners
from karat.whole_file import write_whole_file

if TYPE_CHECKING:
    from karat.service.combining import Method

RATINGS_HELP = "Judgements of segments by system: ratings or scores, in any format that karat reads."
OUTPUT_HELP = "The file of the model, for -m 'combined(model=FILE)'."


@click.command(cls=KaratCommand)
@input_options
@click.option("--ratings", type=INPUT, required=True, metavar="FILE", help=RATINGS_HELP)
@click.option("--criterion", metavar="NAME", help="Which judgements, where the file has several kinds.")
@click.option("--testset", metavar="NAME", help="The test set of a manifest to learn from.")
@click.option("--method", type=click.Choice(METHODS), default="ridge", show_default=True)
@click.option("--folds", type=click.IntRange(2, 1000), default=5, show_default=True, help="Parts to hold out in turn.")
@click.option("--seed", type=click.IntRange(0), default=12345, show_default=True, help="For folds and tests.")
@click.option("-o", "--output", type=OUTPUT, required=True, metavar="MODEL.json", help=OUTPUT_HELP)
@click.option("--json", "as_json", is_flag=True, help="What was found as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="No warnings.")
def command(
    given: InputOptions,
    ratings: str,
    criterion: str | None,
    testset: str | None,
    method: Method,
    folds: int,
    seed: int,
    output: str,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Combine metrics into one, by weights that are equal or learnt from judgements.

    Its agreement with people is that on documents that a model did not see, beside that of each metric.

    \b
    karat combine --corpus all.jsonl --ratings ratings.tsv -m bleu -m chrf -m ter -o model.json
    karat combine -r ref.txt a=a.txt b=b.txt --ratings mqm.tsv -m suite:classic --method ranking -o model.json
    karat score -r ref.txt a.txt -m 'combined(model=model.json)'
    """
    request = CombineRequest(
        texts=given.texts(),
        ratings=ratings,
        metrics=given.wanted_metrics(),
        criterion=criterion,
        testset=testset,
        method=method,
        folds=folds,
        seed=seed,
        targeted=given.post_edits,
        threads=given.threads,
    )
    with Progress(quiet=quiet) as progress:
        result = combine(request, Listeners(segments=progress.segments, draws=progress.draws))
    write_whole_file(output, result.model_text().encode())
    with destination(None) as out:
        if as_json:
            write_json(result, out)
        else:
            show_tables(result.tables(), "table", out)
    if not quiet:
        show_warnings(result.warnings)
        say(f"karat: the model is in {output}: use -m 'combined(model={output})'")
