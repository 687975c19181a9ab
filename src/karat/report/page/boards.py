"""Boards: for each measure the systems in order, with ranks, scores and, in the same rows, differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.report.numbers import ShownMeasure, fixed
from karat.report.page.contradictions import of_scores
from karat.report.page.forest import forest
from karat.report.svg import cut_middle

if TYPE_CHECKING:
    from karat.analysis.verdict import MeasureVerdict
    from karat.report.page.parts import Picture
    from karat.scores import Score
    from karat.significance import Ranked

ONE_LINE, LONGEST = 20, 26
"""So many letters of a system's name have room in one line and in two."""
MOST_LINES = 3000
"""Boards of further measures are left out where their plots would have more lines than this."""


@dataclass(frozen=True)
class Standing:
    """One system under one measure: its score and interval as they are shown, its ranks, cluster and place.

    `first` tells that no system beats it, where the tests tell any two systems apart.
    """

    system: str
    score: str
    interval: str
    ranks: str
    cluster: int
    place: int
    first: bool

    @property
    def name(self) -> str:
        """The system as it is called beside the plot, where a row has no room for more than two lines."""
        return cut_middle(self.system, LONGEST)

    @property
    def long(self) -> bool:
        """Whether that takes more than one line."""
        return len(self.name) > ONE_LINE


@dataclass(frozen=True)
class Forest:
    """The differences from one baseline, one of those that a reader can pick."""

    baseline: str
    picture: Picture
    shown: bool


@dataclass(frozen=True)
class Board:
    """The systems under one measure in their order, and the plots that go with these rows, one for each baseline.

    `remarks` are what must be known to read the rows.
    """

    name: str
    heading: str
    standings: tuple[Standing, ...]
    forests: tuple[Forest, ...]
    remarks: tuple[str, ...] = ()

    @property
    def ruled(self) -> bool:
        """Whether there is a rule between any two systems."""
        return len({standing.cluster for standing in self.standings}) > 1


Scores = Mapping[tuple[str, str], "Score"]
"""Scores by system and spec."""


def boards(
    shown: Sequence[ShownMeasure], verdicts: Sequence[MeasureVerdict], scores: Scores, baseline: str | None
) -> list[Board]:
    """A board for every measure; where their plots have too many lines, for the first measure alone."""
    systems = [place.system for place in shown[0].findings.ranking]
    picked = baseline if baseline in systems else systems[0]
    drawn = len(shown) if len(systems) ** 2 * len(shown) <= MOST_LINES else 1
    pairs = zip(shown[:drawn], verdicts[:drawn], strict=True)
    return [
        Board(
            measure.name,
            measure.heading,
            tuple(standings(measure, of_measure, scores)),
            tuple(
                Forest(name, forest(measure, name, f"forest-{number}-{place}"), shown=name == picked)
                for place, name in enumerate(systems)
            ),
            remarks=_remarks(measure, scores),
        )
        for number, (measure, of_measure) in enumerate(pairs)
    ]


def standings(shown: ShownMeasure, verdict: MeasureVerdict, scores: Scores) -> Iterator[Standing]:
    """The systems under one measure, in its order."""
    spec = shown.findings.identity.spec
    first = verdict.unbeaten if verdict.first else ()
    for number, place in enumerate(shown.findings.ranking, 1):
        yield Standing(
            system=place.system,
            score=fixed(place.score, shown.digits),
            interval=_interval(scores.get((place.system, spec)), shown.digits),
            ranks=ranks(place),
            cluster=place.cluster,
            place=number,
            first=place.system in first,
        )


def ranks(place: Ranked) -> str:
    """The ranks that a system may have."""
    return f"{place.rank_low}" if place.rank_low == place.rank_high else f"{place.rank_low}–{place.rank_high}"


def _remarks(shown: ShownMeasure, scores: Scores) -> tuple[str, ...]:
    """Where intervals of scores say something else than the tests."""
    of_systems = {name: score for (name, spec), score in scores.items() if spec == shown.findings.identity.spec}
    return of_scores(shown.findings.comparisons, of_systems)


def _interval(score: Score | None, digits: int) -> str:
    if score is None or score.estimate is None:
        return ""
    interval = score.estimate.interval
    return f"{fixed(interval.low, digits)} – {fixed(interval.high, digits)}"
