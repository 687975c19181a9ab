"""The command line: sacreBLEU's options, output and exit status."""

from __future__ import annotations

import argparse
import io
import logging
import sys
from collections.abc import Sequence

from karat.compat.sacrebleu import tables
from karat.compat.sacrebleu.arguments import parse_args
from karat.compat.sacrebleu.metrics import METRICS
from karat.compat.sacrebleu.metrics.base import Metric, Signature, sacrelogger
from karat.compat.sacrebleu.significance import PairedTest, Result
from karat.compat.sacrebleu.testsets import function, original
from karat.compat.sacrebleu.utils import args_to_dict, sanity_check_lengths, smart_open
from karat.errors import InputError, KaratError

BAD_FIELDS_STATUS = 17
"""sacreBLEU's exit status for lines with another number of fields."""

Systems = list[tuple[str, list[str]]]


class FieldsError(InputError):
    """A line with too few or too many tab-separated fields."""

    exit_code = BAD_FIELDS_STATUS


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; exits with a status other than 0 if it fails."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    args = parse_args(words)
    if not args.quiet:
        logging.basicConfig(level=logging.INFO, format="sacreBLEU: %(message)s")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    tables.use_colors(not args.no_color)
    try:
        _run(args, words)
        sys.stdout.flush()
    except KaratError as error:
        sacrelogger.error("%s", error)
        sys.exit(error.exit_code if isinstance(error, FieldsError) else 1)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            sys.exit(0)
        sacrelogger.error("%s", error)
        sys.exit(1)


def _run(args: argparse.Namespace, words: list[str]) -> None:
    if args.citation or args.list or args.download or args.echo or args.detail or args.origlang or args.subset:
        _ask_sacrebleu(words)
        return
    _check(args)
    references = _read_references(args)
    systems = _read_systems(args)
    for _, hypotheses in systems:
        sanity_check_lengths(hypotheses, references, args.test_set)
    if args.sentence_level:
        _print_segments(args, systems[0][1], references)
    elif len(systems) == 1:
        _print_one(args, systems[0][1], references)
    else:
        sacrelogger.info("Found %d systems.", len(systems))
        _print_several(args, systems, references)


def _ask_sacrebleu(words: list[str]) -> None:
    """Let sacreBLEU's own command deal with its test sets."""
    sacrebleu = original("sacrebleu")
    before = sys.argv
    sys.argv = ["sacrebleu", *words]
    try:
        sacrebleu.main()
    finally:
        sys.argv = before


def _check(args: argparse.Namespace) -> None:
    paired = args.paired_ar or args.paired_bs
    if bool(args.test_set) == bool(args.refs):
        raise InputError(
            "I need either a test set (-t; --list shows them) or files of references; "
            "write the references before -i, which takes all names that follow"
        )
    if args.test_set and not args.langpair:
        raise InputError("I need a language pair (-l), such as -l en-de, to choose from the test set")
    if args.langpair and args.langpair.count("-") != 1:
        raise InputError(f"the language pair {args.langpair!r} must be two codes with a hyphen between, such as en-de")
    if args.num_refs != 1 and (args.test_set or len(args.refs) != 1):
        raise InputError("--num-refs splits one file of references at tabs: give one file, and no test set")
    if args.sentence_level and len(args.metrics) > 1:
        raise InputError("Only one metric can be used in sentence-level mode.")
    if args.sentence_level and (args.confidence or paired):
        raise InputError("Statistical tests are unavailable in sentence-level mode.")
    if args.input is not None and not args.input:
        raise InputError("-i names no file of hypotheses")


def _read_references(args: argparse.Namespace) -> list[list[str]]:
    """One stream per reference."""
    if args.test_set:
        return _test_set_references(args.test_set.split(","), args.langpair)
    if args.num_refs == 1:
        return [_read_lines(name, args.encoding) for name in args.refs]
    rows = [line.split("\t", args.num_refs - 1) for line in _read_lines(args.refs[0], args.encoding)]
    for number, row in enumerate(rows, 1):
        if len(row) != args.num_refs:
            raise FieldsError(f"FATAL: line {number}: expected {args.num_refs} fields, but found {len(row)}.")
    return [list(stream) for stream in zip(*rows, strict=True)]


def _test_set_references(names: list[str], langpair: str) -> list[list[str]]:
    """The references of one test set, or of several one after the other."""
    known = function("get_available_testsets")()
    for name in names:
        if name not in known:
            raise InputError(f"Unknown test set {name!r}: --list shows the available ones")
        if langpair not in function("get_langpairs_for_testset")(name):
            raise InputError(f"the test set {name!r} has no language pair {langpair!r}")
    files = [function("get_reference_files")(name, langpair) for name in names]
    if len({len(of_set) for of_set in files}) > 1:
        raise InputError(f"the test sets {', '.join(names)} have different numbers of references")
    streams = zip(*files, strict=True)
    return [[line for name in stream for line in _read_lines(name, "utf-8")] for stream in streams]


def _read_lines(name: str, encoding: str) -> list[str]:
    try:
        with smart_open(name, encoding=encoding) as lines:
            return [line.rstrip() for line in lines]
    except (UnicodeDecodeError, LookupError) as error:
        raise InputError(f"{name} cannot be read: {error}") from error


def _read_systems(args: argparse.Namespace) -> Systems:
    """Names and hypotheses; the first is the baseline of paired tests."""
    paired = args.paired_ar or args.paired_bs
    systems = _systems_of_files(args, paired) if args.input else _systems_of_stdin(args, paired)
    if args.sentence_level and len(systems) > 1:
        raise InputError("Only one system can be evaluated in sentence-level mode.")
    if paired and len(systems) == 1:
        raise InputError("Paired tests require multiple input systems given to --input (-i).")
    if args.confidence and len(systems) > 1:
        raise InputError("Use paired tests (--paired) for multiple systems.")
    return systems


def _systems_of_files(args: argparse.Namespace, paired: bool) -> Systems:
    systems: Systems = []
    for number, name in enumerate(args.input):
        if paired and number and name == args.input[0]:
            sacrelogger.info("Ignoring %r as it was also given as the baseline.", name)
            continue
        if any(name == other for other, _ in systems):
            raise InputError(f"{name!r} already used to name a system: give every file of hypotheses once")
        label = f"Baseline: {name}" if paired and number == 0 else name
        systems.append((label, _read_lines(name, args.encoding)))
    return systems


def _systems_of_stdin(args: argparse.Namespace, paired: bool) -> Systems:
    try:
        with io.TextIOWrapper(sys.stdin.buffer, encoding=args.encoding, newline="\n") as lines:
            rows = [line.rstrip().split("\t") for line in lines]
    except (UnicodeDecodeError, LookupError) as error:
        raise InputError(f"the hypotheses from stdin cannot be read: {error}") from error
    if len({len(row) for row in rows}) > 1:
        raise FieldsError("FATAL: the number of tab-delimited fields in the input stream differ across lines.")
    columns = [list(column) for column in zip(*rows, strict=True)] or [[]]
    names = ["Baseline", *(f"System {i}" for i in range(1, len(columns)))]
    if not paired:
        names = [f"System {i}" for i in range(1, len(columns) + 1)]
    return list(zip(names, columns, strict=True))


def _make_metrics(args: argparse.Namespace, references: list[list[str]] | None) -> dict[str, Metric]:
    metrics = {}
    for name in args.metrics:
        options = args_to_dict(args, name, strip_prefix=True)
        if name == "bleu":
            options["trg_lang"] = args.langpair.split("-")[1] if args.langpair else ""
            options["effective_order"] = args.sentence_level
        metrics[name.upper()] = METRICS[name.upper()](references=references, **options)
    return metrics


def _print_segments(args: argparse.Namespace, hypotheses: list[str], references: list[list[str]]) -> None:
    (metric,) = _make_metrics(args, references).values()
    signature = metric.get_signature().format(args.short)
    for row in metric._rows(hypotheses, None).tolist():
        score = metric._compute_score_from_stats(row)
        print(score.format(args.width, args.score_only, signature))


def _print_one(args: argparse.Namespace, hypotheses: list[str], references: list[list[str]]) -> None:
    resamples = args.confidence_n if args.confidence else 1
    results = []
    for metric in _make_metrics(args, references).values():
        score = metric.corpus_score(hypotheses, None, n_bootstrap=resamples)
        signature = metric.get_signature().format(args.short)
        is_json = args.format == "json" and not args.score_only
        results.append(score.format(args.width, args.score_only, signature, is_json))
    tables.print_single_results(results, args.format, args.score_only)


def _print_several(args: argparse.Namespace, systems: Systems, references: list[list[str]]) -> None:
    metrics = _make_metrics(args, references)
    title = None
    if args.paired_bs:
        title = f"Paired bootstrap resampling test with {args.paired_bs_n} resampling trials"
        signatures, columns = PairedTest(systems, metrics, None, "bs", args.paired_bs_n)()
    elif args.paired_ar:
        title = f"Paired approximate randomization test with {args.paired_ar_n} trials"
        signatures, columns = PairedTest(systems, metrics, None, "ar", args.paired_ar_n)()
    else:
        signatures, columns = _score_all(args, systems, metrics)
    tables.print_results_table(columns, signatures, args.format, args.width, args.short, title)


def _score_all(
    args: argparse.Namespace, systems: Systems, metrics: dict[str, Metric]
) -> tuple[dict[str, Signature], dict[str, list[str | Result]]]:
    columns: dict[str, list[str | Result]] = {"System": [name for name, _ in systems]}
    signatures = {}
    for metric in metrics.values():
        scores = [metric.corpus_score(hypotheses, None) for _, hypotheses in systems]
        columns[scores[0].name] = [score.format(args.width, score_only=True) for score in scores]
        signatures[scores[0].name] = metric.get_signature()
    return signatures, columns
