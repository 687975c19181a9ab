"""The scores of an mt-metrics-eval directory: those of people, and those of metrics.

::

    human-scores/en-de.mqm.seg.score            by name of the judgement and level: sys, doc, domain, seg
    metric-scores/en-de/BLEU-refA.seg.score     by metric and reference
    documents/en-de.docs                        domain<TAB>document per segment
    references/en-de.refA.txt                   what is a person's output, if it is judged beside systems
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from karat.corpus.files import InputFile
from karat.corpus.labels import read_labels
from karat.corpus.score_tables import Level, ScoreTable, read_mtme_scores
from karat.errors import InputError, did_you_mean

SHORT: dict[str, Level] = {"sys": "system", "doc": "document", "domain": "domain", "seg": "segment"}
DEFAULT_GOLD = "mqm"


@dataclass(frozen=True)
class MtmeScores:
    """What people and metrics said about the systems of one language pair."""

    language_pair: str
    gold: str
    judgements: tuple[ScoreTable, ...]
    metrics: tuple[ScoreTable, ...]
    documents: tuple[str, ...] | None
    domains: tuple[str, ...] | None
    humans: tuple[str, ...]


def is_score_directory(path: str) -> bool:
    """Whether a directory has scores of people in the layout of mt-metrics-eval."""
    return (Path(path) / "human-scores").is_dir()


def language_pairs(path: str) -> list[str]:
    """The language pairs that people judged."""
    found = sorted({file.name.partition(".")[0] for file in (Path(path) / "human-scores").glob("*.score")})
    if not found:
        raise InputError(f"{path}/human-scores has no file LANGUAGE-PAIR.NAME.LEVEL.score")
    return found


def read_mtme_directory(path: str, language_pair: str, gold: str | None = None) -> MtmeScores:
    """All scores of a language pair; `gold` names the judgements, MQM or the first there are if it is not given."""
    directory = Path(path)
    files = sorted((directory / "human-scores").glob(f"{language_pair}.*.score"))
    by_name: dict[str, list[tuple[Level, Path]]] = {}
    for file in files:
        name, _, short = file.name.removesuffix(".score").partition(".")[2].rpartition(".")
        if short in SHORT:
            by_name.setdefault(name, []).append((SHORT[short], file))
    chosen = gold or (DEFAULT_GOLD if DEFAULT_GOLD in by_name else next(iter(by_name), ""))
    if chosen not in by_name:
        near = did_you_mean(chosen, by_name)
        raise InputError(f"{path} has no judgements {chosen!r} of {language_pair}.{near}")
    labels = directory / "documents" / f"{language_pair}.docs"
    documents, domains = read_labels(InputFile(str(labels))) if labels.exists() else (None, None)
    return MtmeScores(
        language_pair=language_pair,
        gold=chosen,
        judgements=tuple(read_mtme_scores(str(file), chosen, level) for level, file in by_name[chosen]),
        metrics=tuple(_metrics(directory / "metric-scores" / language_pair)),
        documents=documents,
        domains=domains,
        humans=tuple(
            file.name.removeprefix(f"{language_pair}.").removesuffix(".txt")
            for file in sorted((directory / "references").glob(f"{language_pair}.*.txt"))
        ),
    )


def _metrics(directory: Path) -> list[ScoreTable]:
    found = []
    for file in sorted(directory.glob("*.score")):
        name, _, short = file.name.removesuffix(".score").rpartition(".")
        if short in SHORT:
            found.append(read_mtme_scores(str(file), name, SHORT[short]))
    return found
