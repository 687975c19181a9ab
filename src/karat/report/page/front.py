"""The first screen: the verdict in words, the ranked table, differences from a baseline, and what to trust."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from karat.report.numbers import ShownMeasure, shown_measures
from karat.report.page.boards import boards, standings
from karat.report.page.words import headline, objections, support
from karat.significance.confidence import percent

if TYPE_CHECKING:
    from karat.analysis.verdict import Verdict
    from karat.findings import Findings
    from karat.report.page.boards import Board, Scores, Standing
    from karat.report.page.parts import Record
    from karat.scores import Score, ScoreSequence

MOST_BADGES = 3
MOST_IN_SIGHT = 6
"""Of more systems than this, the table of all metrics is folded."""


@dataclass(frozen=True)
class Badge:
    """Something that makes the verdict more or less to be trusted, with a plain explanation."""

    kind: Literal["good", "warn", "note"]
    text: str
    explanation: str = ""
    link: str = ""


@dataclass(frozen=True)
class TellingSegment:
    """A segment that shows why, with a link to it where the page has it; `beside` opens it with its two systems."""

    title: str
    link: str
    beside: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Front:
    """The first screen; `where` tells on which kinds of segments systems differ."""

    headline: str
    support: tuple[str, ...]
    objections: tuple[str, ...]
    facts: tuple[str, ...]
    measures: tuple[str, ...]
    ranking: tuple[tuple[str, tuple[Standing, ...]], ...]
    records: tuple[Record, ...]
    boards: tuple[Board, ...]
    where: tuple[str, ...] = ()
    confidence: str = ""
    badges: tuple[Badge, ...] = ()
    examples: tuple[TellingSegment, ...] = ()

    @property
    def marked(self) -> bool:
        """Whether any system is marked as one that none beats."""
        return any(standing.first for _, standings in self.ranking for standing in standings)

    @property
    def few(self) -> bool:
        """Whether all measures have room beside each other."""
        return len(self.ranking) <= MOST_IN_SIGHT


def front(
    verdict: Verdict,
    findings: Findings,
    *,
    scores: ScoreSequence | None = None,
    facts: Iterable[str] = (),
    where: Iterable[str] = (),
    badges: Sequence[Badge] = (),
    examples: Sequence[TellingSegment] = (),
    baseline: str | None = None,
    digits: int = 2,
) -> Front:
    """The first screen of a ranking; `scores` may have intervals."""
    shown = shown_measures(findings, digits)
    estimates = {} if scores is None else {(score.system, score.spec): score for score in scores}
    columns = [
        {standing.system: standing for standing in standings(measure, of_measure, estimates)}
        for measure, of_measure in zip(shown, verdict.measures, strict=True)
    ]
    return Front(
        headline=headline(verdict),
        support=support(verdict),
        objections=objections(verdict),
        facts=tuple(facts),
        measures=tuple(measure.heading for measure in shown),
        ranking=tuple((name, tuple(column[name] for column in columns)) for name in columns[0]),
        records=tuple(_records(shown, estimates)),
        boards=tuple(boards(shown, verdict.measures, estimates, baseline)),
        where=tuple(where),
        confidence=_confidence(estimates.values()),
        badges=tuple(badges[:MOST_BADGES]),
        examples=tuple(examples),
    )


def _confidence(scores: Iterable[Score]) -> str:
    estimate = next((score.estimate for score in scores if score.estimate is not None), None)
    return "" if estimate is None else percent(estimate.interval.confidence)


def _records(shown: Sequence[ShownMeasure], scores: Scores) -> Iterable[Record]:
    for measure in shown:
        for place in measure.findings.ranking:
            score = scores.get((place.system, place.metric))
            bounds: dict[str, float] = {}
            if score is not None and score.estimate is not None:
                interval = score.estimate.interval
                bounds = {"interval_low": interval.low, "interval_high": interval.high}
            yield {**place.to_json(), **bounds}
