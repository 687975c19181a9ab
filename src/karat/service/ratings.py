"""Judgements, wherever they are: in a file, or in the database of a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.campaigns.answers import Answer
from karat.campaigns.files import PLAN_FILE
from karat.campaigns.rows import rows_of, time_of
from karat.corpus.files import FilePath, InputFile
from karat.errors import InputError
from karat.service.campaigns import Running, resumed

if TYPE_CHECKING:
    import polars as pl

    from karat.campaigns import CampaignPlan, Segment
    from karat.campaigns.store import StoredJudgement
    from karat.corpus.ratings import Ratings


def is_campaign(path: FilePath) -> bool:
    """Whether a path is the directory of a campaign."""
    return Path(path, PLAN_FILE).is_file()


def ratings_at(path: FilePath | InputFile, **options: Any) -> Ratings:
    """The ratings of a file, or those that a campaign has collected, by its directory; `options` are for files."""
    from karat.corpus.ratings import read_ratings

    file = InputFile.of(path)
    if is_campaign(file.given):
        return ratings_of(resumed(str(file.given)))
    return read_ratings(file, **options)


def ratings_of(campaign: Running) -> Ratings:
    """What is stored now: of each judgement the last version, without late answers to what had gone on."""
    from karat.corpus.ratings import Ratings

    chosen = (judgement for judgement in campaign.store.judgements() if judgement.last and not judgement.extra)
    segments = {segment.name: segment for segment in campaign.material.segments}
    rows = [row for judgement in chosen for row in _rows(campaign.plan, segments, judgement)]
    if not rows:
        raise InputError(f"the campaign {campaign.plan.name} has no judgement yet")
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    return Ratings.of(_frame(columns))


def _frame(columns: dict[str, list[Any]]) -> pl.DataFrame:
    """The columns with their types, which polars could not guess of spans and of what is empty at first."""
    import polars as pl

    from karat.corpus.ratings.schema import SCHEMA
    from karat.corpus.ratings.spans import span_series

    spans = columns.pop("spans", None)
    known = {name: SCHEMA.get(name, pl.String()) for name in columns}
    frame = pl.DataFrame(columns, schema=known, strict=False)
    return frame if spans is None else frame.with_columns(span_series(spans))


def _rows(plan: CampaignPlan, segments: Mapping[str, Segment], judgement: StoredJudgement) -> Iterator[dict[str, Any]]:
    answers = [Answer.read(answer) for answer in judgement.answers]
    said = {
        "rater": judgement.rater_name or f"rater-{judgement.rater}",
        "time": time_of(judgement.received_at),
        "bilingual": judgement.bilingual,
        "extra:version": str(judgement.version),
    }
    return rows_of(plan, segments, judgement.task, answers, said)
