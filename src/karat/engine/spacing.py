"""Text without spaces between words: metrics that could not tell its words are refused, or warned about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic
from karat.corpus.lines import sample_of
from karat.corpus.scripts import language_without_spaces
from karat.errors import InputError
from karat.text.tokenizers import default_tokenizer

if TYPE_CHECKING:
    from karat.corpus import References
    from karat.metrics.base import Metric

SAMPLE = 40
"""How many references are looked at: enough to tell a script, and too few to take time."""

_SCRIPTS = {"zh": "Chinese characters", "ja": "Japanese", "th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese"}


def check_spacing(metrics: Sequence[Metric], references: References) -> list[Diagnostic]:
    """Warnings about metrics whose specs choose to cut at spaces what has none; those that never chose are refused."""
    language = language_without_spaces(sample_of(references.column, SAMPLE))
    if language is None:
        return []
    blind = [metric for metric in metrics if not metric.reads(language)]
    chosen = [metric for metric in blind if metric.given & metric.cutting]
    if unaware := [metric for metric in blind if metric not in chosen]:
        raise InputError(_refusal(unaware, language))
    return [Diagnostic("spaces", _warning(metric, language)) for metric in chosen]


def refuse_unspaced(references: References) -> None:
    """Refuse to look at words that nothing tells how to find, with the options that tell it."""
    language = language_without_spaces(sample_of(references.column, SAMPLE))
    if language is not None:
        raise InputError(
            f"the references are mostly in {_SCRIPTS[language]}, without spaces between words, so that each line would "
            f"be one word: name the language with -l XX-{language}, or choose how words are found with "
            f"--tokenize {default_tokenizer(language)}"
        )


def _refusal(metrics: Sequence[Metric], language: str) -> str:
    names = ", ".join(dict.fromkeys(metric.name for metric in metrics))
    specs = " ".join(dict.fromkeys(f"-m '{metric.for_language(language).spec}'" for metric in metrics[:3]))
    return (
        f"the references are mostly in {_SCRIPTS[language]}, without spaces between words, and {names} would take "
        f"each line for one word: name the language with -l XX-{language} (in Python language={language!r}), "
        f"or choose how words are found: {specs}"
    )


def _warning(metric: Metric, language: str) -> str:
    return (
        f"{metric.name} cuts text at spaces, as its parameters say, but the references are mostly in "
        f"{_SCRIPTS[language]}, without spaces between words: scores will mean little; "
        f"{metric.name} usually reads it as {type(metric)().for_language(language).spec}"
    )
