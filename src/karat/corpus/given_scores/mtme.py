"""The scores of an mt-metrics-eval directory: those of people, and those of metrics.

::

    human-scores/en-de.mqm.seg.score            by name of the judgement and level: sys, doc, domain, seg
    metric-scores/en-de/BLEU-refA.seg.score     by metric and reference
    documents/en-de.docs                        domain<TAB>document per segment
    references/en-de.refA.txt                   what is a person's output, if it is judged beside systems

Where a standard reference is named, scores of metrics against any other are left out, and the rest are called by the
metric alone: BLEU-refA becomes BLEU where refA is the standard, and CometKiwi-src, which saw no reference, stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from karat.corpus.files import InputFile
from karat.corpus.given_scores.model import GivenScores, Level
from karat.corpus.given_scores.tables import read_mtme_scores
from karat.corpus.labels import read_labels
from karat.errors import InputError, did_you_mean

SHORT: dict[str, Level] = {"sys": "system", "doc": "document", "domain": "domain", "seg": "segment"}
DEFAULT_GOLD = "mqm"
REFERENCE_NAME = re.compile(r"ref[A-Z0-9]?")
"""What references are called, also in directories that have no texts to name them."""

MetricFile = tuple[str, Level, Path]


@dataclass(frozen=True)
class MtmeScores:
    """What people and metrics said about the systems of one language pair."""

    language_pair: str
    gold: str
    judgements: tuple[GivenScores, ...]
    metrics: tuple[GivenScores, ...]
    documents: tuple[str, ...] | None
    domains: tuple[str, ...] | None
    humans: tuple[str, ...]
    standard_reference: str | None = None


def is_score_directory(path: str) -> bool:
    """Whether a directory has scores of people in the layout of mt-metrics-eval."""
    return (Path(path) / "human-scores").is_dir()


def language_pairs(path: str) -> list[str]:
    """The language pairs that people judged."""
    pairs = sorted({file.name.partition(".")[0] for file in (Path(path) / "human-scores").glob("*.score")})
    if not pairs:
        raise InputError(f"{path}/human-scores has no file LANGUAGE-PAIR.NAME.LEVEL.score")
    return pairs


def read_mtme_directory(
    path: str, language_pair: str, gold: str | None = None, standard_reference: str | None = None
) -> MtmeScores:
    """The scores of a language pair; `gold` names the judgements, MQM or the first there are if it is not given."""
    directory = Path(path)
    chosen, judgements = _judgements(directory / "human-scores", language_pair, gold)
    labels = directory / "documents" / f"{language_pair}.docs"
    documents, domains = read_labels(InputFile(str(labels))) if labels.exists() else (None, None)
    references = _references(directory, language_pair)
    metrics = _metrics(directory / "metric-scores" / language_pair)
    if standard_reference is not None:
        metrics = _of_reference(metrics, standard_reference, references, f"{path}: {language_pair}")
    return MtmeScores(
        language_pair=language_pair,
        gold=chosen,
        judgements=tuple(read_mtme_scores(str(file), chosen, level, documents) for level, file in judgements),
        metrics=tuple(read_mtme_scores(str(file), name, level, documents) for name, level, file in metrics),
        documents=documents,
        domains=domains,
        humans=references,
        standard_reference=standard_reference,
    )


def _judgements(directory: Path, language_pair: str, gold: str | None) -> tuple[str, list[tuple[Level, Path]]]:
    """The name of the judgements that are meant, and their files."""
    by_name: dict[str, list[tuple[Level, Path]]] = {}
    for file in sorted(directory.glob(f"{language_pair}.*.score")):
        name, _, short = file.name.removesuffix(".score").partition(".")[2].rpartition(".")
        if short in SHORT:
            by_name.setdefault(name, []).append((SHORT[short], file))
    chosen = gold or (DEFAULT_GOLD if DEFAULT_GOLD in by_name else next(iter(by_name), ""))
    if chosen not in by_name:
        near = did_you_mean(chosen, by_name)
        raise InputError(f"{directory.parent} has no judgements {chosen!r} of {language_pair}.{near}")
    return chosen, by_name[chosen]


def _references(directory: Path, language_pair: str) -> tuple[str, ...]:
    files = sorted((directory / "references").glob(f"{language_pair}.*.txt"))
    return tuple(file.name.removeprefix(f"{language_pair}.").removesuffix(".txt") for file in files)


def _metrics(directory: Path) -> list[MetricFile]:
    metric_files = []
    for file in sorted(directory.glob("*.score")):
        name, _, short = file.name.removesuffix(".score").rpartition(".")
        if short in SHORT:
            metric_files.append((name, SHORT[short], file))
    return metric_files


def _of_reference(
    metrics: Sequence[MetricFile], standard: str, references: Sequence[str], place: str
) -> list[MetricFile]:
    """The metrics without those of other references, the standard one no longer in their names."""
    suffixes = {name.rpartition("-")[2] for name, _, _ in metrics}
    known = sorted({*references, *filter(REFERENCE_NAME.fullmatch, suffixes)})
    if standard not in known:
        there = f"there is: {', '.join(known)}" if known else "nothing tells of any"
        raise InputError(f"{place} has no reference {standard!r}; {there}")
    named = [(plain_name(name, standard, references), level, file) for name, level, file in metrics]
    return [(name, level, file) for name, level, file in named if name is not None]


def plain_name(name: str, standard: str, references: Sequence[str]) -> str | None:
    """The metric's name without the standard reference; None where its scores are about others.

    The references stand at the end, with dots between several; `all` is all of them, and `src` is none.

    >>> names = ["BLEU-refB", "BLEU-refA", "BLEU-refA.refB", "BLEU-all", "GEMBA-MQM-src", "MetricX-23"]
    >>> [plain_name(name, "refB", ["refA", "refB"]) for name in names]
    ['BLEU', None, None, None, 'GEMBA-MQM-src', 'MetricX-23']
    """
    metric, _, suffix = name.rpartition("-")
    scored_against = list(references) if suffix == "all" else suffix.split(".")
    if not metric or not all(part in references or REFERENCE_NAME.fullmatch(part) for part in scored_against):
        return name
    return metric if scored_against == [standard] else None
