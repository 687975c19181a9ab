"""The options that analyses share: how words are cut, who is compared with whom, and how resamples are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

import click

from karat.cli.inputs import Command, InputOptions, named_files, packed, text_options
from karat.cli.parameters import MOST_DRAWS, SYSTEM
from karat.cli.resampling import UNIT_HELP
from karat.quick_dataclasses import dataclass
from karat.service.analysed_texts import Reading, Resamples
from karat.service.analysing import LEAST_WORDS
from karat.service.vocabulary.testing import DEFAULT_SEED
from karat.service.vocabulary.texts import UNITS

if TYPE_CHECKING:
    from karat.service.inputs import Input
    from karat.service.vocabulary.texts import Unit

FEWEST_RESAMPLES = 40
"""With fewer than these, no resample is left over beyond either end of a 95 % interval, which then tells nothing."""

TOKENIZE_HELP = "How text is cut into words; 13a, or what the language calls for."
TOKEN_FILE = "[reference:]NAME=FILE"
TOKEN_LABELS_HELP = (
    "Labels of the words of a system or reference: a line per segment with a label per word, or CoNLL-U; repeat."
)


@dataclass(frozen=True)
class TextAnalysisOptions:
    """What the command line says about words and resamples."""

    baseline: str | None
    unit: Unit | None
    n: int
    seed: int
    tokenize: str | None
    lowercase: bool

    def resamples(self) -> Resamples:
        """How resamples are drawn."""
        return Resamples(baseline=self.baseline, unit=self.unit, n=self.n, seed=self.seed)

    def reading(self, threads: int | None) -> Reading:
        """How text is cut into words."""
        return Reading(tokenize=self.tokenize, lowercase=self.lowercase, threads=threads)


def analysis_options(command: Command) -> Command:
    """Give a command the options of `TextAnalysisOptions`, as its argument `options`."""
    return packed(command, "options", TextAnalysisOptions, *_analysis_options())


def _analysis_options() -> tuple[Callable[[Command], Command], ...]:
    return (
        click.option("--tokenize", metavar="NAME", help=TOKENIZE_HELP),
        click.option("--lowercase", is_flag=True, help="Ignore case."),
        click.option("--baseline", metavar="NAME", help="The system that others are compared with; the first."),
        click.option("--unit", type=click.Choice(UNITS), help=UNIT_HELP),
        click.option(
            "-n",
            type=click.IntRange(FEWEST_RESAMPLES, MOST_DRAWS),
            default=1000,
            show_default=True,
            metavar="N",
            help="Resamples.",
        ),
        click.option("--seed", type=click.IntRange(0), default=DEFAULT_SEED, show_default=True, help="0 is a seed."),
    )


def least_option(default: int, counted: str) -> Callable[[Command], Command]:
    """How much a number must rest on."""
    help_text = f"Mark what rests on fewer {counted} than this: it tells nothing."
    return click.option("--least", type=click.IntRange(1), default=default, show_default=True, help=help_text)


class AnalysedWords(TypedDict):
    """What every request about words says."""

    texts: Input
    labels: tuple[tuple[str, str], ...]
    least: int
    resamples: Resamples
    reading: Reading


@dataclass(frozen=True)
class WordOptions(TextAnalysisOptions):
    """What the command line says about an analysis of words, and labels of these."""

    labels: tuple[str, ...]
    least: int

    def of(self, given: InputOptions) -> AnalysedWords:
        """What is asked about the texts."""
        return AnalysedWords(
            texts=given.texts(),
            labels=named_files("--labels", self.labels),
            least=self.least,
            resamples=self.resamples(),
            reading=self.reading(given.threads),
        )


def word_options(command: Command) -> Command:
    """Give a command the options of `WordOptions`, as its argument `options`, and of texts, as `given`."""
    labels = click.option("--labels", type=SYSTEM, multiple=True, metavar=TOKEN_FILE, help=TOKEN_LABELS_HELP)
    return text_options(
        packed(command, "options", WordOptions, labels, least_option(LEAST_WORDS, "words"), *_analysis_options())
    )


def labelled_segments(texts: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    """Files of labels, each with the column of its table where one is named: FILE or FILE:COLUMN."""
    named = []
    for text in texts:
        path, colon, column = text.rpartition(":")
        named.append((path, column) if colon and path and column and "/" not in column else (text, None))
    return tuple(named)
