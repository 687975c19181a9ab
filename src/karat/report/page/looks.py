"""What analyses say on the first screen: what to trust, and segments that show why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.analysis.audit.uses import SIGNALS
from karat.report.links import segment_link
from karat.report.numbers import fixed
from karat.report.page.front import MOST_BADGES, Badge, TellingSegment
from karat.report.reading import TITLES
from karat.significance.tables import FEW_UNITS, unit_warnings

if TYPE_CHECKING:
    from karat.analysis.audit.model import Audit
    from karat.analysis.reading import ReadingChoice, ReadingList
    from karat.analysis.segment_view import SegmentView
    from karat.corpus import Diagnostic
    from karat.significance import Comparison

EXAMPLES = 3
SAME_TEXTS = {
    "identical-systems": "Identical systems",
    "identical-to-reference": "A system is the reference",
    "identical-references": "Identical references",
}
"""Titles of warnings about texts, by their codes."""
MOST_TOLD = 2
"""So many warnings of a kind are told on the first screen; all of them stand under how the page was made."""


def signal_badges(audit: Audit) -> tuple[Badge, ...]:
    """The signals that fire, those about most pairs first; or one that says that none does."""
    pairs = len({(signal.baseline, signal.system) for signal in audit.signals})
    counts = Counter(signal.code for signal in audit.signals if signal.fires)
    kinds = {kind.code: kind for kind in SIGNALS}
    badges = [
        Badge(
            "warn",
            f"{kinds[code].title[:1].upper()}{kinds[code].title[1:]}",
            f"{f'{count} of {pairs} pairs. ' if pairs > 1 else ''}{kinds[code].explanation}",
            "#audit",
        )
        for code, count in counts.most_common(MOST_BADGES)
    ]
    calm = Badge("good", "No warning sign", f"None of {pairs} pairs." if pairs > 1 else "", "#audit")
    return tuple(badges) or ((calm,) if pairs else ())


def caution_badges(warnings: Sequence[Diagnostic], pairs: Sequence[Comparison]) -> tuple[Badge, ...]:
    """What makes any verdict doubtful: texts that are one and the same, and few units."""
    messages: dict[str, list[str]] = {}
    for warning in warnings:
        if warning.code in SAME_TEXTS:
            messages.setdefault(SAME_TEXTS[warning.code], []).append(_sentence(warning.message))
    badges = [Badge("warn", title, " ".join(sentences[:MOST_TOLD]), "#made") for title, sentences in messages.items()]
    if pairs and pairs[0].units < FEW_UNITS:
        few = next(iter(unit_warnings(pairs[0].units, pairs[0].unit)))
        badges.append(Badge("warn", f"Few {pairs[0].unit}s", _sentence(few), "#made"))
    return tuple(badges)


def trust_badges(cautions: Sequence[Badge], signals: Sequence[Badge]) -> tuple[Badge, ...]:
    """Cautions before signals; that there is no sign of trouble is said where there is none of either."""
    firing = [badge for badge in signals if badge.kind == "warn"] if cautions else signals
    return (*cautions, *firing)


def _sentence(message: str) -> str:
    return f"{message[:1].upper()}{message[1:]}{'' if message.endswith('?') else '.'}"


def telling(reading: ReadingList, view: SegmentView | None) -> tuple[TellingSegment, ...]:
    """The first choice of each reason, no segment twice; those that the page leaves out are said to be."""
    chosen: dict[int, ReadingChoice] = {}
    for choice in sorted(reading.choices, key=lambda choice: choice.rank):
        chosen.setdefault(choice.segment, choice)
    return tuple(_telling(choice, view) for choice in list(chosen.values())[:EXAMPLES])


def _telling(choice: ReadingChoice, view: SegmentView | None) -> TellingSegment:
    title, note = f"Segment {choice.segment}", _why(choice)
    if view is None or choice.segment not in view.numbers:
        return TellingSegment(title=title, link="", note=f"{note}; not among the segments of this page")
    return TellingSegment(
        title=title,
        link=segment_link(choice.segment),
        beside=segment_link(choice.segment, choice.concerned),
        lines=_lines(view, choice.segment, choice.concerned),
        note=note,
    )


def _why(choice: ReadingChoice) -> str:
    """What a segment is chosen for; of an influence, how much of the whole difference it is."""
    title = TITLES[choice.reason].lower()
    if choice.difference is None:
        return title
    said = title.removeprefix("what ")
    return f"{said}: {fixed(choice.value, 2)} of {fixed(choice.difference, 2)} between {' and '.join(choice.concerned)}"


def _lines(view: SegmentView, segment: int, systems: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The first reference, and the outputs of the systems that it is about."""
    place = view.numbers.index(segment)
    texts = [(name, column[place]) for name, column in list(view.references.items())[:1]]
    texts += [(name, view.outputs[name][place]) for name in systems if name in view.outputs]
    return tuple((name, text.replace(view.mark, "")) for name, text in texts if text is not None)
