"""How alike strings and systems are, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from karat.report.choices import shortened
from karat.report.numbers import digits_for, fixed
from karat.report.table import Cell, Table

if TYPE_CHECKING:
    from karat.identity import Identity


class ShownSummary(Protocol):
    """What a table tells of lists."""

    @property
    def hypotheses(self) -> int: ...
    @property
    def references(self) -> int | None: ...
    @property
    def different(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def mean(self) -> float | None: ...
    @property
    def lowest(self) -> float | None: ...
    @property
    def highest(self) -> float | None: ...
    @property
    def closest(self) -> float | None: ...
    @property
    def near_pairs(self) -> int: ...
    @property
    def near_hypotheses(self) -> int: ...


class ShownNear(Protocol):
    """What a table tells of two strings that are near."""

    @property
    def hypothesis(self) -> int: ...
    @property
    def reference(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def hypothesis_text(self) -> str: ...


class ShownSystems(Protocol):
    """What a table tells of two systems."""

    @property
    def hypothesis(self) -> str: ...
    @property
    def reference(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def near_segments(self) -> int: ...
    @property
    def equal_segments(self) -> int: ...


def summary_table(identity: Identity, summary: ShownSummary, near: float, digits: int) -> Table:
    """A row per number that sums a matrix up."""
    shown = digits_for(identity, [near], digits)
    own = summary.references is None
    limit = f"{near:g} or {'more' if identity.higher_is_better else 'less'}"

    def score(value: float | None) -> str:
        return "–" if value is None else fixed(value, shown)

    rows = [
        ("hypotheses", f"{summary.hypotheses:,}"),
        *([("different ones", f"{summary.different:,}")] if own else [("references", f"{summary.references:,}")]),
        ("pairs", f"{summary.pairs:,}"),
        ("mean", score(summary.mean)),
        ("lowest", score(summary.lowest)),
        ("highest", score(summary.highest)),
        ("mean of the closest to each", score(summary.closest)),
        (f"near pairs ({limit})", f"{summary.near_pairs:,}"),
        (
            "strings near an earlier one" if own else "hypotheses near a reference",
            f"{summary.near_hypotheses:,}",
        ),
    ]
    cells = tuple((Cell(name), Cell(value, number=True)) for name, value in rows)
    heading = f"{identity.display_name} {identity.arrow}"
    return Table((heading, "All pairs"), cells, (str(identity.signature),))


def nearest_table(identity: Identity, nearest: Sequence[ShownNear], pairs: int, digits: int) -> Table:
    """The nearest pairs, by their lines."""
    shown = digits_for(identity, [pair.score for pair in nearest], digits)
    rows = tuple(
        (
            Cell(str(pair.hypothesis), number=True),
            Cell(str(pair.reference), number=True),
            Cell(fixed(pair.score, shown), number=True),
            Cell(shortened(pair.hypothesis_text)),
        )
        for pair in nearest
    )
    more = () if pairs <= len(nearest) else (f"the nearest {len(nearest)} of {pairs:,} pairs",)
    heading = f"{identity.display_name} {identity.arrow}"
    return Table(("Line", "Near line", heading, "Text"), rows, more, title="Nearly the same")


def system_tables(
    identity: Identity, systems: Sequence[ShownSystems], segments: int, near: float, mean: float | None, digits: int
) -> tuple[Table, ...]:
    """The scores of all systems against each other, and how many of their segments are nearly or quite the same."""
    shown = digits_for(identity, [pair.score for pair in systems], digits)
    names = list(dict.fromkeys(pair.hypothesis for pair in systems))
    limit = f"{near:g} or {'more' if identity.higher_is_better else 'less'}"
    average = "" if mean is None else f"; mean of all pairs and segments: {fixed(mean, shown)}"
    scores = _square(
        names,
        {(pair.hypothesis, pair.reference): fixed(pair.score, shown) for pair in systems},
        (f"row: hypothesis, column: reference, over {segments:,} segments{average}", str(identity.signature)),
        f"{identity.display_name} {identity.arrow} of systems against each other",
    )
    counts = _square(
        names,
        {(p.hypothesis, p.reference): f"{p.near_segments} ({p.equal_segments})" for p in systems},
        (f"segments with {limit}, and in parentheses those that are the same",),
        "Segments that are nearly the same",
    )
    return scores, counts


def _square(names: Sequence[str], cells: dict[tuple[str, str], str], notes: tuple[str, ...], title: str) -> Table:
    rows = tuple((Cell(row), *(Cell(cells.get((row, column), "–"), number=True) for column in names)) for row in names)
    return Table(("System", *names), rows, notes, title=title)
