"""`karat rank`: all pairs of systems, and their order."""

from __future__ import annotations

import click

from karat.cli.inputs import InputOptions, OutputOptions, input_options, output_options
from karat.cli.testing import ScoreFiles, TestOptions, score_file_options, show, test_options, texts_of
from karat.service.comparing import RankRequest, rank_systems


@click.command()
@input_options
@score_file_options
@test_options
@output_options
def command(given: InputOptions, files: ScoreFiles, tested: TestOptions, wanted: OutputOptions) -> None:
    """Rank systems: all pairs compared, ranks that each may have, clusters that cannot be told apart.

    \b
    karat rank -r ref.txt sysA.txt sysB.txt sysC.txt
    karat rank --corpus all.jsonl -m chrf++ --correction bh
    karat rank --scores ratings.tsv
    """
    options = tested.options()
    request = RankRequest(evidence=files.request(given, texts_of(given, files)), options=options)
    show(wanted, lambda listeners: rank_systems(request, listeners))
