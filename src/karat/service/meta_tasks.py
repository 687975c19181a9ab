"""Where the judgements and scores of a meta-evaluation come from, brought together into tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus.mtme_scores import language_pairs, read_mtme_directory
from karat.corpus.outside import read_outside_scores
from karat.corpus.score_tables import ScoreTable, read_score_table
from karat.engine import Scoring
from karat.errors import InputError, SpecError
from karat.meta.task import HUMAN, LEVELS, Level, Scorer, Task
from karat.registry import metric as metric_of
from karat.service.choices import available, choices
from karat.service.inputs import CorpusFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Corpus
    from karat.metrics.base import Metric
    from karat.results import Score
    from karat.service.inputs import Input, TestSet

    Floats = NDArray[np.float64]

OWN_FORMATS = (".csv", ".jsonl", ".parquet")


@dataclass(frozen=True, kw_only=True)
class Sources:
    """What a meta-evaluation is made of.

    Either a `directory` of mt-metrics-eval with its judgements, or `judgements` (files of scores) or `ratings` (a file
    of single judgements, of which `criterion` is taken); metrics are those of the directory, files of `scores`, and
    karat's own `metrics` on `texts`.
    """

    directory: str | None = None
    language_pairs: tuple[str, ...] = ()
    gold: str | None = None
    texts: Input | None = None
    metrics: tuple[str | Metric, ...] = ()
    scores: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()
    ratings: str | None = None
    criterion: str | None = None
    only: Mapping[str, str] | None = None
    renamed: Mapping[str, str] | None = None
    humans: tuple[str, ...] = ()
    threads: int | None = None


def tasks_of(sources: Sources) -> list[Task]:
    """One task per language pair of a directory, or the one of the files."""
    if sources.directory is not None:
        return [_directory_task(sources, sources.directory, pair) for pair in _pairs(sources, sources.directory)]
    return [_file_task(sources)]


def _pairs(sources: Sources, directory: str) -> Sequence[str]:
    there = language_pairs(directory)
    if sources.language_pairs == ("all",):
        return there
    if not sources.language_pairs and len(there) > 1:
        raise InputError(
            f"{directory} has {', '.join(there)}: choose one with --language-pair, or all of them with all"
        )
    for pair in sources.language_pairs:
        if pair not in there:
            raise InputError(f"{directory} has no judgements of {pair}; there is: {', '.join(there)}")
    return sources.language_pairs or there


def _directory_task(sources: Sources, directory: str, pair: str) -> Task:
    found = read_mtme_directory(directory, pair, sources.gold)
    texts = _Texts.of(CorpusFile(directory, language_pair=pair)) if sources.metrics else None
    return _task(
        sources,
        judgements=found.judgements,
        metrics=[*found.metrics, *_metric_files(sources)],
        texts=texts,
        documents=found.documents,
        domains=found.domains,
        humans=(*found.humans, *sources.humans),
        language_pair=pair,
    )


def _file_task(sources: Sources) -> Task:
    texts = _Texts.of(sources.texts) if sources.texts is not None else None
    judgements = [table for path in sources.judgements for table in read_score_table(path, None, sources.gold)]
    if sources.ratings is not None:
        from karat.service.meta_ratings import rating_tables

        judgements += rating_tables(sources.ratings, sources.criterion)
    if not judgements:
        raise InputError(
            "there are no judgements: give a directory of mt-metrics-eval, --ratings FILE or --judgements FILE"
        )
    pair = sources.language_pairs[0] if sources.language_pairs else None
    return _task(
        sources,
        judgements=judgements,
        metrics=_metric_files(sources),
        texts=texts,
        documents=None if texts is None else texts.corpus.documents,
        domains=None if texts is None else texts.corpus.domains,
        humans=sources.humans,
        language_pair=pair,
    )


@dataclass(frozen=True)
class _Texts:
    """The texts of a test set, read whole, and what its languages call for."""

    testset: TestSet
    corpus: Corpus

    @classmethod
    def of(cls, texts: Input) -> _Texts:
        testsets = texts.testsets(whole=True)
        if len(testsets) != 1:
            raise InputError(f"there are {len(testsets)} test sets: metrics are judged on one at a time")
        (corpus,) = testsets[0].blocks()
        return cls(testsets[0], corpus)


def _metric_files(sources: Sources) -> list[ScoreTable]:
    """The scores of metrics from elsewhere, in any of the forms known."""
    found: list[ScoreTable] = []
    for path in sources.scores:
        if path.endswith(OWN_FORMATS):
            found += (_outside(one.metric, one.file, one.systems) for one in read_outside_scores(path))
        else:
            found += read_score_table(path, sources.only)
    return found


def _outside(name: str, file: str, systems: Mapping[str, Mapping[tuple[str | None, str], float | None]]) -> ScoreTable:
    values = {system: {key[1]: score for key, score in scores.items()} for system, scores in systems.items()}
    return ScoreTable(name, "segment", file, values)


def _task(
    sources: Sources,
    *,
    judgements: Sequence[ScoreTable],
    metrics: Sequence[ScoreTable],
    texts: _Texts | None,
    documents: tuple[str, ...] | None,
    domains: tuple[str, ...] | None,
    humans: Sequence[str],
    language_pair: str | None,
) -> Task:
    renamed = sources.renamed or {}
    for table in (*judgements, *metrics):
        table.values = {renamed.get(name, name): scores for name, scores in table.values.items()}
    systems = tuple(dict.fromkeys(name for table in judgements for name in table.values))
    segments = _segments(judgements, metrics, None if texts is None else texts.corpus)
    units = {"segment": segments, "system": ("",)}
    for level, labels in (("document", documents), ("domain", domains)):
        units[level] = tuple(dict.fromkeys(labels or ()))
    own = [] if texts is None else _own(sources, texts, systems, renamed)
    names = tuple(dict.fromkeys(table.name for table in metrics))
    return Task(
        gold=_scorer(judgements[0].name, judgements, systems, units),
        metrics=(*own, *(_scorer(name, metrics, systems, units) for name in names)),
        systems=systems,
        humans=tuple(name for name in systems if name in humans or HUMAN.fullmatch(name)),
        segments=segments,
        documents=documents if documents is None or len(documents) == len(segments) else None,
        domains=domains if domains is None or len(domains) == len(segments) else None,
        language_pair=language_pair,
    )


def _segments(
    judgements: Sequence[ScoreTable], metrics: Sequence[ScoreTable], corpus: Corpus | None
) -> tuple[str, ...]:
    """The segments: those of the texts, or all that people judged (else metrics scored), in order."""
    if corpus is not None:
        return tuple(corpus.segment_ids)
    for tables in (judgements, metrics):
        found = [table for table in tables if table.level == "segment"]
        if found:
            return tuple(dict.fromkeys(unit for table in found for of in table.values.values() for unit in of))
    return ()


def _scorer(
    name: str, tables: Iterable[ScoreTable], systems: Sequence[str], units: Mapping[str, Sequence[str]]
) -> Scorer:
    mine = [table for table in tables if table.name == name]
    made: dict[Level, Floats] = {}
    for level in LEVELS:
        of_level = [table for table in mine if table.level == level]
        if of_level and units.get(level):
            made[level] = _array(of_level[0], systems, units[level])
    return Scorer(name, made, higher_is_better=_direction(name, mine))


def _direction(name: str, tables: Sequence[ScoreTable]) -> bool:
    """Shared tasks turn scores so that more is better: an error rate that is not negative was not turned round."""
    try:
        known = metric_of(name.partition("-")[0].lower()).higher_is_better
    except SpecError:
        return True
    scores = [score for table in tables for of in table.values.values() for score in of.values() if score is not None]
    return known or (bool(scores) and float(np.mean(scores)) < 0)


def _array(table: ScoreTable, systems: Sequence[str], units: Sequence[str]) -> Floats:
    """The scores, systems by units; a segment or system that people did not judge is left out."""
    found = np.full((len(systems), len(units)), np.nan)
    for i, name in enumerate(systems):
        of_system = table.values.get(name, {})
        for j, unit in enumerate(units):
            score = of_system.get(unit)
            if score is not None:
                found[i, j] = score
    if table.level == "segment":
        longest = max((len(of) for of in table.values.values()), default=0)
        if not np.isfinite(found).any() and longest:
            example = next(iter(next(iter(table.values.values()))))
            raise InputError(
                f"{table.file}: no segment of {table.name} is one that people judged (it has {example!r}, and they "
                f"have {units[0]!r}): give both the same names"
            )
    return found


def _own(sources: Sources, texts: _Texts, systems: Sequence[str], renamed: Mapping[str, str]) -> list[Scorer]:
    """Karat's own metrics on the texts of the systems that people judged."""
    known = {renamed.get(name, name): name for name in texts.corpus.systems}
    judged = [known[name] for name in systems if name in known]
    if not judged:
        raise InputError(
            f"none of the systems that people judged ({', '.join(systems[:5])}, ...) has a text; there is "
            f"{', '.join(list(known)[:5])}: use --rename TEXT=JUDGED where the names differ"
        )
    asked, _ = available(choices(sources.metrics), [texts.testset])
    metrics = list(dict.fromkeys(texts.testset.adapted(metric) for metric in asked))
    scoring = Scoring(metrics, keep_rows=True, threads=sources.threads)
    scoring.add(texts.corpus.select(systems=judged))
    scores = scoring.scores()
    return [_own_scorer([one for one in scores if one.spec == spec], systems, renamed) for spec in scores.specs]


def _own_scorer(scores: Sequence[Score], systems: Sequence[str], renamed: Mapping[str, str]) -> Scorer:
    rows = {renamed.get(score.system, score.system): score.rows for score in scores}
    nothing = np.full(len(scores[0].rows), np.nan)
    tables: dict[Level, Floats] = {
        "system": np.array([[rows[name].score if name in rows else np.nan] for name in systems]),
        "segment": np.array([rows[name].unit_scores() if name in rows else nothing for name in systems]),
    }
    complete = tuple(rows[name] for name in systems) if all(name in rows for name in systems) else None
    return Scorer(scores[0].spec, tables, scores[0].higher_is_better, scores[0].signature, complete)
