"""`karat pairwise`: every string against every other."""

from __future__ import annotations

import click

from karat.cli.command import KaratCommand
from karat.cli.inputs import CORPUS_HELP, LANGUAGES_HELP, THREADS_HELP, OutputOptions, output_options
from karat.cli.parameters import INPUT, METRIC, SYSTEM, THREADS, only_one
from karat.cli.running import run
from karat.errors import InputError
from karat.service.inputs import CorpusFile, Files, Input
from karat.service.pairwise import (
    PARQUET,
    MatrixOptions,
    PairwiseRequest,
    SimilarityRequest,
    compare_strings,
    compare_systems_pairwise,
)
from karat.service.vocabulary.texts import system_arguments

OUTPUT_HELP = "FILE.parquet takes the matrix, any other file what is printed; it appears when it is complete."


@click.command(cls=KaratCommand)
@click.argument("files", type=SYSTEM, nargs=-1, metavar="[HYPOTHESES [REFERENCES] | [NAME=]SYSTEM...]")
@click.option("-m", "--metric", type=METRIC, default="chrf", show_default=True, metavar="SPEC")
@click.option("--per-segment", is_flag=True, help="The files are systems: compare them in each segment.")
@click.option(
    "--corpus",
    type=INPUT,
    multiple=True,
    callback=only_one,
    metavar="PATH",
    help=f"With --per-segment. {CORPUS_HELP}",
)
@click.option("--near", type=float, metavar="SCORE", help="Pairs from this score on are near; 80 of 100 by default.")
@click.option("--only-near", is_flag=True, help="Write only near pairs into the matrix.")
@click.option("-l", "--language-pair", metavar="XX-YY", help=LANGUAGES_HELP)
@click.option("-j", "--threads", type=THREADS, help=THREADS_HELP)
@lambda command: output_options(command, output_help=OUTPUT_HELP)
def command(
    files: tuple[str, ...],
    metric: str,
    per_segment: bool,
    corpus: str | None,
    near: float | None,
    only_near: bool,
    language_pair: str | None,
    threads: int | None,
    wanted: OutputOptions,
) -> None:
    """Score every string against every other, and tell how alike they are.

    Every line of one file against every line of another, the lines of one file against each other, or with
    --per-segment systems against each other in each segment.

    \b
    karat pairwise -m chrf hypotheses.txt references.txt -o matrix.parquet
    karat pairwise -m bleu sentences.txt --near 60
    karat pairwise --per-segment a.txt b.txt c.txt -o matrix.parquet
    karat pairwise --per-segment --corpus all.jsonl
    """
    is_matrix = wanted.output is not None and wanted.output.endswith(PARQUET)
    options = MatrixOptions(
        metric=metric,
        near=near,
        matrix=wanted.output if is_matrix else None,
        only_near=only_near,
        language_pair=language_pair,
        threads=threads,
    )
    printed = OutputOptions(
        form=wanted.form,
        digits=wanted.digits,
        output=None if is_matrix else wanted.output,
        html=wanted.html,
        quiet=wanted.quiet,
    )
    if per_segment:
        request = SimilarityRequest(texts=_systems(files, corpus, language_pair), options=options)
        run(printed, lambda listeners: compare_systems_pairwise(request, listeners))
        return
    strings = _strings(files, corpus, options)
    run(printed, lambda listeners: compare_strings(strings, listeners))


def _strings(files: tuple[str, ...], corpus: str | None, options: MatrixOptions) -> PairwiseRequest:
    if corpus is not None:
        raise InputError("--corpus has systems: add --per-segment to compare them in each segment")
    if not 1 <= len(files) <= 2:
        raise InputError(
            f"{len(files)} files were given: name one list, or hypotheses and references; systems need --per-segment"
        )
    return PairwiseRequest(hypotheses=files[0], references=files[1] if len(files) > 1 else None, options=options)


def _systems(files: tuple[str, ...], corpus: str | None, language_pair: str | None) -> Input:
    if corpus is not None:
        return CorpusFile(corpus, language_pair=language_pair, systems=files)
    if len(files) < 2:
        raise InputError("name the outputs of two systems or more to compare, or a --corpus that has them")
    return Files((), system_arguments(files), language_pair=language_pair)
