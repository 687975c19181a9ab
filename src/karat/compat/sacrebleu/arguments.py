"""The options of sacreBLEU's command line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from karat.compat.sacrebleu.metrics import BLEU, CHRF
from karat.compat.sacrebleu.version import __version__

FORMATS = ("json", "text", "latex")


def parse_args(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options given; SACREBLEU_FORMAT takes the place of --format."""
    args = parser().parse_args(arguments)
    style = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if style in FORMATS:
        args.format = style
    args.metrics = sorted(set(args.metrics))
    return args


def parser() -> argparse.ArgumentParser:
    """sacreBLEU's options, by the same names."""
    options = argparse.ArgumentParser(
        description="BLEU, chrF and TER with the command line of sacreBLEU 2.6, computed by karat.",
        epilog="Test sets need the extra: pip install 'karat[testsets]'",
    )
    _add_input(options)
    _add_bleu(options.add_argument_group("BLEU"))
    _add_chrf(options.add_argument_group("chrF"))
    _add_ter(options.add_argument_group("TER"))
    _add_tests(options)
    _add_output(options.add_argument_group("output"))
    options.add_argument("--version", "-V", action="version", version=f"%(prog)s {__version__}")
    return options


def _add_input(options: argparse.ArgumentParser) -> None:
    add = options.add_argument
    add("--citation", "--cite", action="store_true", help="print the BibTeX entry of a test set or of sacreBLEU")
    add("--list", action="store_true", help="list the test sets")
    add("--test-set", "-t", help="a test set, or several joined by commas")
    add("--language-pair", "-l", dest="langpair", help="source and target language, such as en-de")
    add(
        "--origlang",
        "-ol",
        help="only segments that were written in this language (non-XX: in any other)",
    )
    add("--subset", help="only segments of the test set whose document matches this pattern")
    add("--download", help="download a test set")
    add("--echo", nargs="+", help="print fields of the test set: src, ref, docid ...")
    add("--input", "-i", nargs="*", help="files of hypotheses; without this option they come from stdin")
    add("refs", nargs="*", default=[], help="files of references; write them before -i")
    add("--num-refs", "-nr", type=int, default=1, help="so many references in one file, separated by tabs")
    add("--encoding", "-e", default="utf-8", help="the encoding of all files (utf-8)")
    add("--metrics", "-m", nargs="+", choices=("bleu", "chrf", "ter"), default=["bleu"], help="what to compute (bleu)")
    add("--sentence-level", "-sl", action="store_true", help="a score for each segment")


def _add_bleu(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    smoothing = tuple(BLEU.SMOOTH_DEFAULTS)
    add("--smooth-method", "-s", dest="bleu_smooth_method", choices=smoothing, default="exp", help="smoothing (exp)")
    add("--smooth-value", "-sv", dest="bleu_smooth_value", type=float, help="the value of floor (0.1) or add-k (1)")
    add(
        "--tokenize",
        "-tok",
        dest="bleu_tokenize",
        choices=tuple(BLEU.TOKENIZERS),
        help="tokenizer (by language, or 13a)",
    )
    add("--lowercase", "-lc", dest="bleu_lowercase", action="store_true", help="ignore case")
    add("--force", dest="bleu_force", action="store_true", help="no warning about hypotheses that look tokenised")


def _add_chrf(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--chrf-char-order", "-cc", type=int, default=CHRF.CHAR_ORDER, help="longest character n-grams (6)")
    add("--chrf-word-order", "-cw", type=int, default=CHRF.WORD_ORDER, help="longest word n-grams (0); 2 is chrF++")
    add("--chrf-beta", type=int, default=CHRF.BETA, help="weight of recall (2)")
    add("--chrf-whitespace", action="store_true", help="white space counts as characters")
    add("--chrf-lowercase", action="store_true", help="ignore case")
    add("--chrf-eps-smoothing", action="store_true", help="smooth as chrF++.py, NLTK and Moses do")


def _add_ter(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--ter-case-sensitive", action="store_true", help="heed case")
    add("--ter-asian-support", action="store_true", help="treat Asian characters, too, in the two options below")
    add("--ter-no-punct", action="store_true", help="delete punctuation")
    add("--ter-normalized", action="store_true", help="split off punctuation")


def _add_tests(options: argparse.ArgumentParser) -> None:
    intervals = options.add_argument_group("confidence interval of one system")
    intervals.add_argument("--confidence", "-ci", action="store_true", help="bootstrap interval")
    intervals.add_argument("--confidence-n", "-cin", type=int, default=1000, help="number of resamples (1000)")
    group = options.add_argument_group("several systems against the first")
    either = group.add_mutually_exclusive_group()
    either.add_argument("--paired-ar", "-par", action="store_true", help="approximate randomisation")
    either.add_argument("--paired-bs", "-pbs", action="store_true", help="paired bootstrap")
    group.add_argument("--paired-ar-n", "-parn", type=int, default=10_000, help="number of trials (10000)")
    group.add_argument("--paired-bs-n", "-pbsn", type=int, default=1_000, help="number of resamples (1000)")
    group.add_argument("--paired-jobs", "-j", type=int, default=1, help="accepted, without effect")


def _add_output(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--quiet", "-q", action="store_true", help="errors only")
    add("--short", "-sh", action="store_true", help="short signatures")
    add("--score-only", "-b", action="store_true", help="print nothing but scores")
    add("--width", "-w", type=int, default=1, help="number of decimals (1)")
    add("--detail", "-d", action="store_true", help="scores by original language of the test set")
    add("--no-color", "-nc", action="store_true", help="no colours on terminals")
    add("--format", "-f", choices=FORMATS, default="json", help="json, text, or latex for several systems (json)")
