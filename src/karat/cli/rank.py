"""`karat rank`: all pairs of systems, and their order."""

from __future__ import annotations

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.running import run
from karat.cli.runs import refuse_runs
from karat.cli.testing import UNPAIRED_HELP, ScoreFiles, TestOptions, score_file_options, test_options, texts_of
from karat.service.comparing import RankRequest, rank_systems


@click.command(cls=KaratCommand)
@input_options
@score_file_options
@test_options
@click.option("--unpaired", is_flag=True, help=UNPAIRED_HELP)
@output_options
def command(given: InputOptions, files: ScoreFiles, tested: TestOptions, unpaired: bool, wanted: OutputOptions) -> None:
    """Rank systems: all pairs compared, ranks that each may have, clusters that cannot be told apart.

    \b
    karat rank -r ref.txt sysA.txt sysB.txt sysC.txt
    karat rank --corpus all.jsonl -m chrf++ --correction bh
    karat rank --scores ratings.tsv
    """
    options = tested.options()
    refuse_runs(given, "rank")
    request = RankRequest(
        evidence=files.request(given, texts_of(given, files)), unit=files.unit, unpaired=unpaired, options=options
    )
    run(wanted, lambda listeners: rank_systems(request, listeners))
