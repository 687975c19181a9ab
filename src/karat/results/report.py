"""The result that a report shows: who is best, how sure that is, where systems differ, and what people said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from karat.analysis.verdict import winners_among_people
from karat.identity import distinct_names
from karat.report.kind_contrasts import where_sentences
from karat.report.page.front import front
from karat.report.page.looks import caution_badges, signal_badges, telling, trust_badges
from karat.report.page.run_words import runs_headline
from karat.report.page.segments import segment_section
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.analysis.segment_view import SegmentView
    from karat.analysis.verdict import Winners
    from karat.report.page.front import Badge, Front, TellingSegment
    from karat.report.page.parts import Made, Page, Section, SegmentsPart
    from karat.report.table import Table
    from karat.results.comparisons import CompareResult, RankResult
    from karat.results.human import HumanResult
    from karat.results.meta import MetaResult
    from karat.results.scores import ScoreResult


@dataclass(frozen=True, kw_only=True, repr=False)
class ReportResult(Result):
    """Everything in a report; `ranked` is None where there is one system only.

    Where systems have several runs, each run is one of the systems, and `over_runs` compares systems by all of theirs.
    """

    records_of: ClassVar[str] = "scores"
    page_title: ClassVar[str] = "Evaluation report"

    scores: ScoreResult
    ranked: RankResult | None = None
    over_runs: CompareResult | None = None
    human: HumanResult | None = None
    metas: tuple[MetaResult, ...] = ()
    looks: Mapping[str, Result] = field(default_factory=dict)
    segments: SegmentView | None = None
    facts: tuple[str, ...] = ()
    baseline: str | None = None

    @property
    def parts(self) -> dict[str, Result]:
        """What is in it, by name, in the order of the page."""
        known: dict[str, Result | None] = {
            "rank": self.ranked,
            "runs": self.over_runs,
            **self.looks,
            "human": self.human,
        }
        known |= {f"meta: {meta.tasks[0].gold}": meta for meta in self.metas}
        return {name: part for name, part in known.items() if part is not None}

    def body(self) -> dict[str, Any]:
        """The scores with their intervals, and under its name what each part has."""
        return {**self.scores.body(), **{name: part.body() for name, part in self.parts.items()}}

    def signatures(self) -> tuple[str, ...]:
        """The signatures of all measures in any part."""
        parts = (self.scores, *self.parts.values())
        return tuple(dict.fromkeys(signature for part in parts for signature in part.signatures()))

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """The tables of all parts."""
        parts = list(self.parts.values()) or [self.scores]
        return tuple(table for part in parts for table in part.tables(digits))

    def judged(self) -> dict[str, dict[frozenset[str], str]]:
        """The winner of every pair that people tell apart, by criterion."""
        if self.human is None:
            return {}
        return winners_among_people(
            [
                (criterion.criterion, pair.better, pair.second if pair.better == pair.first else pair.first)
                for criterion in self.human.criteria
                for pair in criterion.pairs
                if pair.significant and pair.better is not None
            ]
        )

    def front(self, digits: int = DIGITS) -> Front | None:
        """The verdict, the ranked table with intervals, the differences, and what to trust."""
        if self.ranked is None:
            return None
        judged: Mapping[str, Winners] = self.judged()
        first = front(
            self.ranked.verdict(judged),
            self.ranked.main_part,
            scores=self.scores.scores if len(self.scores.testsets) == 1 else None,
            facts=(*self.ranked.facts(), *self.facts),
            where=self._where(),
            badges=self._badges(),
            examples=self._examples(),
            baseline=self.baseline,
            digits=digits,
        )
        return first if self.over_runs is None else _by_runs(first, self.over_runs, digits)

    def _where(self) -> tuple[str, ...]:
        """On what kind of segments the systems differ that it is between."""
        from karat.results.kinds import KindsResult

        looked = self.looks.get("kinds")
        return tuple(where_sentences(looked.contrasts)) if isinstance(looked, KindsResult) else ()

    def _badges(self) -> tuple[Badge, ...]:
        """What makes the verdict doubtful by itself, and the signals of the audit that speak of most pairs."""
        from karat.results.audit import AuditResult

        looked = self.looks.get("audit")
        signals = signal_badges(looked.audit) if isinstance(looked, AuditResult) else ()
        pairs = () if self.ranked is None else self.ranked.comparisons
        return trust_badges(caution_badges(self.warnings, pairs), signals)

    def _examples(self) -> tuple[TellingSegment, ...]:
        """Three segments that show why."""
        from karat.results.reading import ReadingResult

        looked = self.looks.get("segments")
        return telling(looked.reading, self.segments) if isinstance(looked, ReadingResult) else ()

    def page(self, made: Made | None = None, digits: int = DIGITS) -> Page:
        """All of it as a page, with the settings that it was made with."""
        page = super().page(made, digits)
        return replace(page, made=replace(page.made, settings={**self.settings(), **page.made.settings}))

    def settings(self) -> dict[str, Any]:
        """What decides the numbers besides the inputs: metrics, and how systems were compared."""
        settings: dict[str, Any] = {"metrics": list(dict.fromkeys(score.spec for score in self.scores.scores))}
        pairs = () if self.ranked is None else self.ranked.comparisons
        names = ("test", "n", "seed", "unit", "alpha", "correction")
        return settings | {name: getattr(pair, name) for pair in pairs[:1] for name in names}

    def sections(self, digits: int = DIGITS) -> tuple[Section, ...]:
        """The sections of all parts."""
        alone = ("There is one system, so nothing is compared: these are its scores.",)
        scores = () if self.ranked is not None else self.scores.sections(digits)
        own = tuple(replace(section, lead=alone) for section in scores)
        metas = (section for meta in self.metas for section in meta.sections())
        others = (part for part in (self.ranked, *self.looks.values(), self.human) if part is not None)
        runs = () if self.over_runs is None else self.over_runs.sections(digits)
        own += tuple(replace(section, key="runs", title="Several runs") for section in runs)
        return (*own, *(section for part in others for section in part.sections(digits)), *metas)

    def segments_part(self) -> SegmentsPart | None:
        """All segments, for reading."""
        return None if self.segments is None else segment_section(self.segments)


def _by_runs(first: Front, over_runs: CompareResult, digits: int) -> Front:
    """The first screen of several runs: of two systems, what is said of all their runs comes first."""
    explanation = (
        "In tables and charts each run is a system of its own; "
        "on which kinds of segments the systems differ is not asked of runs."
    )
    measures = over_runs.parts[0].measures
    systems = {run["system"] for run in over_runs.body()["runs"]}
    facts = (f"{len(systems)} systems with {len(first.ranking)} runs", *first.facts[1:])
    compared = [measure.runs.comparisons for measure in measures if measure.runs is not None]
    if len(systems) > 2:
        return replace(first, facts=facts, where=(), support=(explanation, *first.support))
    names = distinct_names([measure.identity for measure in measures])
    headline = runs_headline({name: pairs[0] for name, pairs in zip(names, compared, strict=True)})
    remarks = over_runs.tables(digits)[0].remarks
    return replace(first, headline=headline, facts=facts, where=(), support=(*remarks, explanation))
