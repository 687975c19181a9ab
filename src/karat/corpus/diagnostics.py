"""What looks wrong with a corpus: warnings that cost far less than scoring, so that they can always be given.

Most checks look at every segment. Those of script, case and commas look at a sample: the first `SAMPLE_BYTES` bytes of
at most `SAMPLE` segments of each block, evenly spread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.corpus.lines import arena_of, offsets_of, sample_of
from karat.corpus.model import Corpus
from karat.corpus.scripts import SCRIPTS, script_counts
from karat.quick_dataclasses import dataclass
from karat.text import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHOWN = 5
"""How many segment numbers a warning names."""

TOKENIZED_LINES, TOKENIZED_SHARE, TOKENIZED_SHARE_OF_FEW, TOKENIZED_COMMAS = 100, 0.1, 0.5, 10
COPIED_BYTES, COPIED_SHARE, COPIED_SEGMENTS = 20, 0.1, 3
SCRIPT_DOMINANT, SCRIPT_WRONG, SCRIPT_LETTERS = 0.7, 0.5, 50
CASED_REFERENCES, CASED_HYPOTHESES, CASE_LINES = 0.5, 0.01, 5


@dataclass(frozen=True)
class Diagnostic:
    """One warning: what was found, where, and what to think of it."""

    code: str
    message: str
    system: str | None = None
    reference: str | None = None
    segments: tuple[int, ...] = ()


def diagnose(corpus: Corpus) -> tuple[Diagnostic, ...]:
    """The warnings about a corpus."""
    counter = DiagnosticCounter()
    counter.update(corpus)
    return counter.warnings()


class _View:
    """A column as bytes, and where each segment lies in them."""

    def __init__(self, column: TextColumn) -> None:
        self.column = column
        self.arena = arena_of(column)
        offsets = offsets_of(column)
        self.starts, self.ends = offsets[:-1], offsets[1:]
        self.lengths = self.ends - self.starts

    def __getitem__(self, position: int) -> bytes:
        return self.arena[self.starts[position] : self.ends[position]]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _View)
            and len(self.arena) == len(other.arena)
            and np.array_equal(self.ends, other.ends)
            and self.arena == other.arena
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass
class _Finding:
    """How many segments, and the numbers of the first few."""

    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, positions: Iterable[int], first_segment: int) -> None:
        """More segments, by their positions in a block."""
        for position in positions:
            self.count += 1
            if len(self.first) < SHOWN:
                self.first.append(first_segment + int(position))

    def merge(self, other: _Finding, offset: int) -> None:
        """Segments that come later, numbered from 1 in what follows so many."""
        self.count += other.count
        self.first += [number + offset for number in other.first][: SHOWN - len(self.first)]

    @property
    def where(self) -> str:
        """The numbers in words."""
        more = ", ..." if self.count > len(self.first) else ""
        return f"segment{'' if self.count == 1 else 's'} {', '.join(map(str, self.first))}{more}"


@dataclass
class _ColumnCounts:
    """What is counted in one column."""

    segments: int = 0
    spaced_stops: int = 0
    spaced_commas: int = 0
    commas: int = 0
    sampled: int = 0
    cased: int = 0
    empty: _Finding = field(default_factory=_Finding)
    copied: _Finding = field(default_factory=_Finding)
    replacement: _Finding = field(default_factory=_Finding)
    carriage_return: _Finding = field(default_factory=_Finding)
    scripts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(SCRIPTS), dtype=np.int64))

    def update(self, view: _View, first_segment: int) -> None:
        """Count in one more block."""
        self.segments += len(view.lengths)
        self.spaced_stops += _spaced_stops(view)
        self.empty.add(_empty(view), first_segment)
        self.replacement.add(_holding(view, b"\xef\xbf\xbd"), first_segment)
        self.carriage_return.add(_holding(view, b"\r"), first_segment)
        self._update_sampled(sample_of(view.column))

    def _update_sampled(self, sample: str) -> None:
        self.spaced_commas += sample.count(" ,")
        self.commas += sample.count(",")
        self.scripts += script_counts(sample)
        self.sampled += sample.count("\n") + 1
        lowered = sample.lower()
        if sample != lowered:
            pairs = zip(sample.split("\n"), lowered.split("\n"), strict=True)
            self.cased += sum(line != lower for line, lower in pairs)

    def merge(self, other: _ColumnCounts, offset: int) -> None:
        """Add what was counted in the segments that follow; `offset` is the number of those before."""
        for name, value in vars(other).items():
            own = getattr(self, name)
            if isinstance(own, _Finding):
                own.merge(value, offset)
            else:
                setattr(self, name, own + value)

    @classmethod
    def of_json(cls, known: Mapping[str, Any]) -> _ColumnCounts:
        """What was counted, out of a document."""
        values: dict[str, Any] = {
            name: _Finding(**value) if isinstance(value, dict) else value for name, value in known.items()
        }
        values["scripts"] = np.array(known["scripts"], dtype=np.int64)
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """What was counted, for a document."""
        return asdict(self) | {"scripts": self.scripts.tolist()}

    @property
    def is_tokenized(self) -> bool:
        """Full stops, or most commas, stand apart from their words, as after a tokenizer."""
        if self.spaced_stops >= TOKENIZED_LINES and self.spaced_stops >= TOKENIZED_SHARE * self.segments:
            return True
        few = self.spaced_stops >= 3 and self.spaced_stops >= TOKENIZED_SHARE_OF_FEW * self.segments
        commas = self.spaced_commas >= TOKENIZED_COMMAS and self.spaced_commas >= TOKENIZED_SHARE_OF_FEW * self.commas
        return few or commas


def _spaced_stops(view: _View) -> int:
    """How many segments end in " ."."""
    if not view.arena:
        return 0
    data, ends = np.frombuffer(view.arena, dtype=np.uint8), view.ends[view.lengths >= 2]
    return int(np.count_nonzero((data[ends - 1] == ord(".")) & (data[ends - 2] == ord(" "))))


def _empty(view: _View) -> list[int]:
    """Segments without anything but white space."""
    short = np.flatnonzero(view.lengths <= 3).tolist()
    return [position for position in short if not view[position].strip()]


def _holding(view: _View, piece: bytes) -> list[int]:
    """Segments that hold certain bytes."""
    positions: list[int] = []
    at = view.arena.find(piece, view.arena.find(piece[:1])) if piece[:1] in view.arena else -1  # one byte is fast
    while at >= 0:
        position = int(np.searchsorted(view.ends, at, side="right"))
        positions.append(position)
        at = view.arena.find(piece, int(view.ends[position]))
    return positions


def _equal(a: _View, b: _View, least_bytes: int) -> list[int]:
    """Segments that are the same in both columns and not short."""
    candidates = np.flatnonzero((a.lengths == b.lengths) & (a.lengths >= least_bytes))
    places = zip(
        candidates.tolist(), *(x[candidates].tolist() for x in (a.starts, a.ends, b.starts, b.ends)), strict=True
    )
    return [i for i, start, end, begin, stop in places if a.arena[start:end] == b.arena[begin:stop]]


class DiagnosticCounter:
    """Collects what the warnings need, block by block; a whole corpus is one block.

    >>> counter = DiagnosticCounter()
    >>> counter.update(Corpus.of(systems={"a": ["", "x"]}, references=["y", "z"]))
    >>> [warning.code for warning in counter.warnings()]
    ['empty']
    """

    def __init__(self) -> None:
        self._systems: dict[str, _ColumnCounts] = {}
        self._references: dict[str, _ColumnCounts] = {}
        self._identical: list[list[tuple[str, str]]] | None = None

    def update(self, block: Corpus) -> None:
        """Take one more block into account."""
        views = {("reference", name): _View(column.text) for name, column in block.references.items()}
        views |= {("system", name): _View(column) for name, column in block.systems.items()}
        for (kind, name), view in views.items():
            counts = self._references if kind == "reference" else self._systems
            counts.setdefault(name, _ColumnCounts()).update(view, block.first_segment)
        if block.source is not None:
            source = _View(block.source)
            for name in block.systems:
                copied = _equal(source, views["system", name], COPIED_BYTES)
                self._systems[name].copied.add(copied, block.first_segment)
        self._identical = _refined(self._identical or [list(views)], views) if self._identical != [] else []

    def merge(self, other: DiagnosticCounter, segments: Mapping[str, int]) -> None:
        """Take in what was counted in the segments that follow; of each system there were so many before."""
        for name, counts in other._systems.items():
            self._systems.setdefault(name, _ColumnCounts()).merge(counts, segments.get(name, 0))
        before = max(segments.values(), default=0)
        for name, counts in other._references.items():
            self._references.setdefault(name, _ColumnCounts()).merge(counts, before)
        if self._identical is None or other._identical is None:
            self._identical = self._identical if other._identical is None else other._identical
        else:
            self._identical = _common(self._identical, other._identical)

    def to_json(self) -> dict[str, Any]:
        """All that was counted, for a document."""
        columns = {"systems": self._systems, "references": self._references}
        known = {kind: {name: counts.to_json() for name, counts in named.items()} for kind, named in columns.items()}
        return known | {"identical": self._identical}

    @classmethod
    def of_json(cls, known: Mapping[str, Any]) -> DiagnosticCounter:
        """What was counted, out of a document."""
        counter = cls()
        counter._systems = {name: _ColumnCounts.of_json(counts) for name, counts in known["systems"].items()}
        counter._references = {name: _ColumnCounts.of_json(counts) for name, counts in known["references"].items()}
        groups = known["identical"]
        counter._identical = None if groups is None else [[(kind, name) for kind, name in group] for group in groups]
        return counter

    def warnings(self) -> tuple[Diagnostic, ...]:
        """All that looks wrong so far."""
        return (*self._identity_warnings(), *self._system_warnings(), *self._reference_warnings())

    def _identity_warnings(self) -> Iterator[Diagnostic]:
        for group in self._identical or []:
            references = [name for kind, name in group if kind == "reference"]
            systems = [name for kind, name in group if kind == "system"]
            for system in systems if references else []:
                message = f"system {system} is identical to reference {references[0]}: is it the right file?"
                yield Diagnostic("identical-to-reference", message, system=system, reference=references[0])
            for system in systems[1:] if not references else []:
                message = f"the systems {systems[0]} and {system} are identical: is each the right file?"
                yield Diagnostic("identical-systems", message, system=system)
            for reference in references[1:]:
                message = f"the references {references[0]} and {reference} are identical: is each the right file?"
                yield Diagnostic("identical-references", message, reference=reference)

    def _system_warnings(self) -> Iterator[Diagnostic]:
        expected = _dominant(sum((counts.scripts for counts in self._references.values()), start=_NO_LETTERS))
        for name, counts in self._systems.items():
            for check in (_empty_warning, _copied_warning, _tokenized_warning, _damage_warning, _return_warning):
                if warning := check(f"system {name}", counts):
                    code, message, segments = warning
                    yield Diagnostic(code, message, system=name, segments=segments)
            if message := _script_problem(counts, expected):
                yield Diagnostic("script", f"system {name} {message}", system=name)
            if self._is_lowercase(counts):
                message = f"system {name} is in lower case throughout, but the references are not"
                yield Diagnostic("lowercase", message, system=name)

    def _reference_warnings(self) -> Iterator[Diagnostic]:
        for name, counts in self._references.items():
            for check in (_tokenized_warning, _damage_warning, _return_warning):
                if warning := check(f"reference {name}", counts):
                    code, message, segments = warning
                    yield Diagnostic(code, message, reference=name, segments=segments)

    def _is_lowercase(self, counts: _ColumnCounts) -> bool:
        references = list(self._references.values())
        sampled, cased = sum(c.sampled for c in references), sum(c.cased for c in references)
        return (
            counts.sampled >= CASE_LINES
            and counts.empty.count < counts.segments
            and counts.cased <= CASED_HYPOTHESES * counts.sampled
            and cased >= CASED_REFERENCES * max(sampled, 1)
        )


_NO_LETTERS = np.zeros(len(SCRIPTS), dtype=np.int64)

Problem = tuple[str, str, tuple[int, ...]] | None
Check = Callable[[str, _ColumnCounts], Problem]


def _refined(groups: list[list[tuple[str, str]]], views: dict[tuple[str, str], _View]) -> list[list[tuple[str, str]]]:
    """Groups of columns that were identical so far and still are; the rest is dropped."""
    refined: list[list[tuple[str, str]]] = []
    for group in groups:
        parts: list[list[tuple[str, str]]] = []
        for key in group:
            if key not in views:  # a block of another system alone
                continue
            same = next((part for part in parts if views[part[0]] == views[key]), None)
            if same is None:
                parts.append([key])
            else:
                same.append(key)
        refined.extend(part for part in parts if len(part) > 1)
    return refined


def _common(first: list[list[tuple[str, str]]], other: list[list[tuple[str, str]]]) -> list[list[tuple[str, str]]]:
    """Groups of columns that are identical in both."""
    groups = [[key for key in group if key in theirs] for group in first for theirs in other]
    return [group for group in groups if len(group) > 1]


def _empty_warning(column: str, counts: _ColumnCounts) -> Problem:
    if not counts.empty.count:
        return None
    number = f"{counts.empty.count} of {counts.segments}"
    return "empty", f"{column} has {number} hypotheses empty ({counts.empty.where})", tuple(counts.empty.first)


def _copied_warning(column: str, counts: _ColumnCounts) -> Problem:
    copied = counts.copied
    if copied.count < COPIED_SEGMENTS or copied.count < COPIED_SHARE * counts.segments:
        return None
    share = f"{100 * copied.count / counts.segments:.0f} %"
    message = f"{column} repeats the source untranslated in {copied.count} segments ({share}; {copied.where})"
    return "untranslated", message, tuple(copied.first)


def _tokenized_warning(column: str, counts: _ColumnCounts) -> Problem:
    if not counts.is_tokenized:
        return None
    message = (
        f"{column} looks tokenised ({counts.spaced_stops} segments end in ' .'): "
        "scores are comparable only on detokenised text, since the metrics tokenise on their own"
    )
    return "tokenized", message, ()


def _damage_warning(column: str, counts: _ColumnCounts) -> Problem:
    damaged = counts.replacement
    message = f"{column} has U+FFFD, the mark of characters lost in conversion, in {damaged.where}"
    return ("replacement-character", message, tuple(damaged.first)) if damaged.count else None


def _return_warning(column: str, counts: _ColumnCounts) -> Problem:
    affected = counts.carriage_return
    message = f"{column} has carriage returns inside {affected.where}: they do not end a line, and may hide a lost one"
    return ("carriage-return", message, tuple(affected.first)) if affected.count else None


def _dominant(scripts: NDArray[np.int64]) -> int | None:
    """The script that most letters are in, if there is one and there are letters enough to tell."""
    letters = int(scripts[1:].sum())
    best = int(np.argmax(scripts[1:])) + 1
    return best if letters >= SCRIPT_LETTERS and scripts[best] >= SCRIPT_DOMINANT * letters else None


def _script_problem(counts: _ColumnCounts, expected: int | None) -> str:
    letters = int(counts.scripts[1:].sum())
    if expected is None or letters < SCRIPT_LETTERS or counts.scripts[expected] >= SCRIPT_WRONG * letters:
        return ""
    best = int(np.argmax(counts.scripts[1:])) + 1
    share = 100 * int(counts.scripts[expected]) / letters
    return (
        f"is written mostly in {SCRIPTS[best]} letters, but the references in {SCRIPTS[expected]} "
        f"(only {share:.0f} % of its letters): is it the right language?"
    )
