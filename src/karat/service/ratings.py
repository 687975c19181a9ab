"""Judgements, wherever they are: in a file, or in the database of a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.campaigns.files import PLAN_FILE
from karat.corpus.files import FilePath, InputFile
from karat.errors import InputError
from karat.service.campaigns import Running, resumed

if TYPE_CHECKING:
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
    return Ratings.of({name: [row.get(name) for row in rows] for name in names})


def _rows(plan: CampaignPlan, segments: Mapping[str, Segment], judgement: StoredJudgement) -> Iterator[dict[str, Any]]:
    """A row for each part and question; one that says what is broken where there is no value."""
    for part, answer in zip(judgement.task.parts, judgement.answers, strict=True):
        segment = segments[part.segment]
        shown: list[str] = []
        for question in plan.questions:
            shown += [sight for sight in question.show if sight not in shown]
            yield {
                "rater": judgement.rater_name or f"rater-{judgement.rater}",
                "system": judgement.task.system,
                "segment": segment.name,
                "document": segment.document,
                "domain": segment.domain,
                "language_pair": plan.language_pair,
                "protocol": plan.protocol,
                "criterion": question.criterion,
                "value": answer["values"].get(question.criterion),
                "item": str(judgement.task.number + 1),
                "control": judgement.task.control,
                "time": datetime.fromtimestamp(judgement.received_at, UTC),
                "seconds": answer["seconds"],
                "source": segment.source if "source" in shown else None,
                "target": part.shown,
                "comment": answer.get("comment"),
                "shown": "+".join(shown) or "nothing",
                "bilingual": judgement.bilingual,
                "broken": answer.get("broken"),
                "extra:version": str(judgement.version),
            }
