"""`karat score`: systems by metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli.output import Destination, Progress, show_warnings
from karat.corpus import system_argument
from karat.errors import InputError
from karat.registry import metric
from karat.report.score_writers import FORMS, score_writer
from karat.service.inputs import CorpusFile, Files, Input, PublishedTestSet
from karat.service.scoring import DEFAULT_METRICS, score_input

if TYPE_CHECKING:
    from karat.corpus import Targeted
    from karat.metrics.base import Metric
    from karat.service.scoring import Level


@click.command()
@click.argument("systems", nargs=-1, metavar="[NAME=]SYSTEM...")
@click.option("-r", "--reference", "references", multiple=True, metavar="FILE", help="References; repeat for several.")
@click.option("-s", "--source", metavar="FILE", help="The source text: lets karat warn about untranslated output.")
@click.option(
    "-m", "--metric", "metrics", multiple=True, metavar="SPEC", help="A metric, such as 'chrf(word_order=2)'."
)
@click.option(
    "--corpus", metavar="PATH", help="One input for all: JSONL, TSV, Parquet, XML, a directory or a manifest."
)
@click.option("-t", "--test-set", metavar="NAME", help="A published test set of the sacrebleu package, such as wmt22.")
@click.option("-l", "--language-pair", metavar="XX-YY", help="The language pair; it decides the tokenizer of BLEU.")
@click.option("--documents", metavar="FILE", help="Which document each segment belongs to, one label per line.")
@click.option("--input-format", metavar="NAME", help="The format of the input, where the file name does not tell.")
@click.option("--level", type=click.Choice(["system", "document", "segment"]), default="system", show_default=True)
@click.option("--sort", default="given", show_default=True, metavar="METRIC|name|given", help="The order of systems.")
@click.option(
    "--post-edits",
    type=click.Choice(["never", "instead", "beside"]),
    default="never",
    show_default=True,
    help="Use a system's own post-edits, instead of the references or beside them.",
)
@click.option("-f", "--format", "form", type=click.Choice(FORMS), default="table", show_default=True)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option("-w", "--width", "digits", type=click.IntRange(0, 17), default=2, show_default=True, help="Digits shown.")
@click.option("-o", "--output", metavar="FILE", help="Write to a file; it appears when it is complete.")
@click.option("-j", "--threads", type=click.IntRange(1), help="Threads; as many as there are cores by default.")
@click.option("-q", "--quiet", is_flag=True, help="No warnings.")
def command(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    corpus: str | None,
    test_set: str | None,
    language_pair: str | None,
    documents: str | None,
    input_format: str | None,
    level: Level,
    sort: str,
    post_edits: Targeted,
    form: str,
    digits: int,
    output: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Score systems against references.

    \b
    karat score -r ref.txt sysA.txt sysB.txt
    karat score -r refA.txt -r refB.txt -s src.txt base=old.txt new.txt -m bleu -m chrf++ -m ter
    karat score --corpus all.jsonl --level document --json
    karat score -t wmt22 -l en-de sysA.txt
    """
    chosen = _input(systems, references, source, corpus, test_set, language_pair, documents, input_format)
    wanted = [metric(spec) for spec in metrics or DEFAULT_METRICS]
    order = sort if sort in ("given", "name") else _position(sort, wanted)
    with Destination(output) as out, Progress() as progress:
        writer = score_writer(form, out, level=level, digits=digits, sort=order)
        report = score_input(
            chosen, wanted, level=level, sink=writer, targeted=post_edits, threads=threads, progress=progress
        )
        writer.finish(report)
    if not quiet:
        show_warnings(report.warnings)


def _position(sort: str, metrics: list[Metric]) -> int:
    """Which of the metrics asked for to sort by."""
    try:
        return metrics.index(metric(sort))
    except ValueError:
        asked = ", ".join(one.spec for one in metrics)
        raise InputError(f"--sort {sort} is not among the metrics asked for: {asked}") from None


def _input(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    corpus: str | None,
    test_set: str | None,
    language_pair: str | None,
    documents: str | None,
    input_format: str | None,
) -> Input:
    """What the options say about where the texts are; contradictions are refused."""
    if corpus is not None:
        if references or source or documents or test_set:
            raise InputError("--corpus holds everything: leave out -r, -s, -t and --documents")
        return CorpusFile(corpus, input_format, language_pair, systems)
    if not systems:
        raise InputError("no system output was given: name one or more files after the options, or - for stdin")
    named = tuple(system_argument(argument) for argument in systems)
    if test_set is not None:
        if references or source:
            raise InputError("-t brings its own source and references: leave out -r and -s")
        if language_pair is None:
            raise InputError("-t needs the language pair too: -l en-de, for instance")
        return PublishedTestSet(test_set, language_pair, named)
    if not references:
        raise InputError("no reference was given: add -r FILE (repeat it for several references)")
    return Files(references, named, source, documents, input_format, language_pair)
