"""Evidence: the rows of all systems under all measures, over the same segments; what every command works on."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from karat.corpus.diagnostics import Diagnostic
from karat.corpus.given_scores import LEVELS, Level, UnitKey
from karat.errors import InputError, did_you_mean
from karat.identity import Signature
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Corpus
    from karat.identity import Identity
    from karat.rows import Rows

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

Unit = Literal["segment", "document"]
UNITS: tuple[Unit, ...] = get_args(Unit)

__all__ = ["LEVELS", "UNITS", "Evidence", "Level", "Measure", "Segments", "Unit", "UnitKey", "Units"]

Details = Callable[["Floats"], Mapping[str, Any]]

HUMAN = re.compile(r"(ref|human)[-_. ]?[a-z0-9]?(\.\d+)?", re.IGNORECASE)


def is_human(name: str, named: Collection[str] = ()) -> bool:
    """Whether an output is a person's: named so, or called as they are in shared tasks.

    >>> [is_human(name) for name in ("refA", "Human-A.0", "reference-free")]
    [True, True, False]
    """
    return name in named or HUMAN.fullmatch(name) is not None


@dataclass(frozen=True)
class Segments:
    """The segments that all rows are about, in order; `documents` and `domains` label each of them.

    `partly_labelled` tells that documents are known of some segments only, so that there are none in `documents`.
    """

    ids: tuple[str, ...]
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    partly_labelled: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    def labels(self, level: Level) -> tuple[str, ...] | None:
        """What each segment belongs to at a level; None where nothing tells."""
        return {"document": self.documents, "domain": self.domains, "system": ("",) * len(self)}.get(level)

    def units(self, level: Level) -> tuple[str, ...]:
        """The names of the units of a level, in order of first appearance; the whole test set has the empty name."""
        if level == "segment":
            return self.ids
        return ("",) if level == "system" else tuple(dict.fromkeys(self.labels(level) or ()))

    def keys(self, *, by_document: bool) -> list[UnitKey]:
        """The names that segments are found by, with their documents or without."""
        documents: Sequence[str | None] = self.documents if by_document and self.documents else (None,) * len(self)
        return list(zip(documents, self.ids, strict=True))

    def taken(self, kept: Mask) -> Segments:
        """Some of the segments."""

        def chosen(labels: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if labels is None else tuple(label for label, keep in zip(labels, kept, strict=True) if keep)

        return replace(self, ids=chosen(self.ids) or (), documents=chosen(self.documents), domains=chosen(self.domains))


@dataclass(frozen=True, eq=False)
class Measure:
    """One way to score systems: a metric, a file of scores, or people; the rows of each system over the segments.

    `given` has what a file says about whole systems, documents or domains, which need not follow from its segments.
    `for_segments` are the same rows under the formula for single segments, where that is another one (sentence BLEU).
    """

    identity: Identity
    rows: Mapping[str, Rows]
    given: Mapping[Level, Mapping[str, Rows]] = field(default_factory=dict)
    for_segments: Mapping[str, Rows] | None = None
    details: Details | None = None

    @property
    def name(self) -> str:
        """What the measure is called where several stand side by side: its spec."""
        return self.identity.spec

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that the measure says anything about."""
        return tuple(dict.fromkeys([*self.rows, *(name for level in self.given.values() for name in level)]))

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels that it has scores of its own at."""
        return tuple(level for level in LEVELS if (self.rows if level == "segment" else self.given.get(level)))

    @property
    def segment_identity(self) -> Identity:
        """Who scores single segments."""
        return next(iter(self.for_segments.values())).identity if self.for_segments else self.identity

    def segment_rows(self) -> Mapping[str, Rows]:
        """The rows under the formula for single segments."""
        return self.rows if self.for_segments is None else self.for_segments

    def comparable(self) -> dict[str, Rows]:
        """The rows of all systems under one identity, also where each has references of its own: its post-edits."""
        return {name: of_system.identified(self.identity) for name, of_system in self.rows.items()}

    def renamed(self, names: Mapping[str, str]) -> Measure:
        """The measure with other names for some systems."""
        if not names:
            return self

        def named(rows: Mapping[str, Rows]) -> dict[str, Rows]:
            return {names.get(name, name): of_system for name, of_system in rows.items()}

        return self._with(named, self.given)

    def for_systems(self, names: Iterable[str]) -> Measure:
        """The measure of some systems, in the order given; those that it does not know stay unknown."""
        kept = list(names)

        def chosen(rows: Mapping[str, Rows]) -> dict[str, Rows]:
            return {name: rows[name] for name in kept if name in rows}

        return self._with(chosen, {level: chosen(rows) for level, rows in self.given.items()})

    def taken(self, kept: Mask) -> Measure:
        """The measure on some of the segments; what was given for more than these is dropped."""

        def chosen(rows: Mapping[str, Rows]) -> dict[str, Rows]:
            return {name: of_system.taken(kept) for name, of_system in rows.items()}

        return self._with(chosen, {})

    def _with(
        self, change: Callable[[Mapping[str, Rows]], dict[str, Rows]], given: Mapping[Level, Mapping[str, Rows]]
    ) -> Measure:
        single = None if self.for_segments is None else change(self.for_segments)
        return replace(self, rows=change(self.rows), given=given, for_segments=single)

    @cached_property
    def scored(self) -> frozenset[str]:
        """The systems that it has any score of."""
        tables = (self.rows, *self.given.values())
        return frozenset(name for rows in tables for name, of_system in rows.items() if of_system.known.any())

    def known(self, systems: Sequence[str]) -> Mask:
        """Which segments all these systems have a score of."""
        masks = [self.rows[name].known for name in systems if self.rows[name].counted is not None]
        return np.logical_and.reduce(masks) if masks else np.ones(len(self.rows[systems[0]]), dtype=bool)


@dataclass(frozen=True)
class Units:
    """What is drawn at random, how many there are, out of how many segments, and why it is this."""

    unit: Unit
    count: int
    segments: int
    reason: str

    @property
    def segments_each(self) -> float:
        """How many segments a unit has on average."""
        return self.segments / self.count


@dataclass(frozen=True, eq=False)
class Evidence:
    """All measures of all systems on one test set, and what a reader must be told about them.

    A stream keeps no rows but those of the whole test set, and no names of segments: `streamed` says so.
    `corpus` are the texts, the source among them, where there are any and they were read at once. `golds` are what the
    measures are judged by, where that is the question, and `humans` are the systems that are people's translations;
    the `standard_reference` is the one of these that metrics are scored against, and so no system to be judged.
    `adapted` has the spec of every metric as it was asked for, and as the test set's language called for it.
    `grouped_segments` tells of how many segments the rows are where each is that of a document; 0 where not.
    `pooled_testsets` is the number of test sets that this is the evidence of together; 0 where it is that of one.
    """

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    segments: Segments
    segment_count: int
    testset: str | None = None
    language_pair: str | None = None
    corpus: Corpus | None = None
    golds: tuple[Measure, ...] = ()
    humans: tuple[str, ...] = ()
    standard_reference: str | None = None
    streamed: bool = False
    adapted: tuple[tuple[str, str], ...] = ()
    grouped_segments: int = 0
    pooled_testsets: int = 0
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def specs(self) -> tuple[str, ...]:
        """The measures by their specs."""
        return tuple(measure.name for measure in self.measures)

    @property
    def gold(self) -> Measure:
        """The human judgements that measures are judged by."""
        if len(self.golds) != 1:
            names = ", ".join(measure.name for measure in self.golds) or "nothing"
            raise InputError(f"there are judgements of {names}: metrics are judged by one criterion at a time")
        return self.golds[0]

    def measure(self, spec: str) -> Measure:
        """The measure of that spec."""
        for measure in self.measures:
            if measure.name == spec:
                return measure
        raise InputError(f"there is no measure {spec!r}.{did_you_mean(spec, self.specs)}")


ALL_TESTSETS = "all test sets"


def common_systems(gathered: Sequence[Evidence]) -> tuple[str, ...]:
    """The systems that are on all test sets."""
    return tuple(name for name in gathered[0].systems if all(name in evidence.systems for evidence in gathered))


def pooled(gathered: Sequence[Evidence]) -> Evidence:
    """The evidence of several test sets as that of one, whose scores are the means of theirs.

    Rows have the columns of every test set, zeros but for their own, so that sums of rows are sums of each test set.
    """
    systems = common_systems(gathered)
    adapted = [dict(evidence.adapted) for evidence in gathered]
    asked = [spec for spec in adapted[0] if all(spec in known for known in adapted)]
    measures = []
    for spec in asked:
        parts = [evidence.measure(known[spec]) for evidence, known in zip(gathered, adapted, strict=True)]
        identity = _pooled_identity(spec, [part.identity for part in parts])
        rows = {name: _pooled_rows([part.rows[name] for part in parts], identity) for name in systems}
        measures.append(Measure(identity, rows))
    return Evidence(
        measures=tuple(measures),
        systems=systems,
        segments=_pooled_segments(gathered),
        segment_count=sum(evidence.segment_count for evidence in gathered),
        testset=ALL_TESTSETS,
        adapted=tuple((spec, spec) for spec in asked),
        pooled_testsets=len(gathered),
        warnings=tuple(_absent_somewhere(gathered, systems)),
    )


def _absent_somewhere(gathered: Sequence[Evidence], systems: Sequence[str]) -> Iterator[Diagnostic]:
    """A warning of systems that are not on all test sets, and so not in what is said of all together."""
    everywhere = set(systems)
    absent = list(dict.fromkeys(name for each in gathered for name in each.systems if name not in everywhere))
    if absent:
        yield Diagnostic("not-everywhere", f"not on all test sets, so left out of all together: {', '.join(absent)}")


def _pooled_identity(spec: str, identities: Sequence[Identity]) -> Identity:
    """The same metric on several test sets; its signature has a hash of all of theirs."""
    joined = "\n".join(str(identity.signature) for identity in identities)
    digest = sha256(joined.encode()).hexdigest()[:8]
    first = identities[0]
    version = first.signature.get("karat")
    details = {"testsets": str(len(identities)), "hash": digest, **({} if version is None else {"karat": version})}
    signature = Signature(spec, details=tuple(details.items()))
    return replace(first, spec=spec, signature=signature, sacrebleu_signature=None)


def _pooled_rows(parts: Sequence[Rows], identity: Identity) -> Rows:
    ends = np.cumsum([0, *(len(part.columns) for part in parts)])
    spans = [slice(start, end) for start, end in pairwise(ends.tolist())]
    values = np.zeros((sum(len(part) for part in parts), int(ends[-1])))
    row = 0
    for part, span in zip(parts, spans, strict=True):
        values[row : row + len(part), span] = part.values
        row += len(part)

    def mean_over_testsets(sums: Floats) -> Floats:
        scores = np.array([part.aggregate(sums[..., span]) for part, span in zip(parts, spans, strict=True)])
        # A segment is of one test set, and what is left without it may hold nothing of another.
        there = np.array([sums[..., span].any(axis=-1) for span in spans])
        counts = there.sum(axis=0)
        total = np.where(there, scores, 0.0).sum(axis=0)
        return np.asarray(np.divide(total, counts, out=np.zeros_like(total), where=counts > 0))

    return replace(
        parts[0],
        values=values,
        columns=tuple(f"{column}.{number}" for number, part in enumerate(parts, 1) for column in part.columns),
        aggregate=mean_over_testsets,
        identity=identity,
        units=None,
        counted=_counted(parts, ends),
        strata=np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
    )


def _counted(parts: Sequence[Rows], starts: NDArray[np.intp]) -> tuple[int, ...] | None:
    """The columns that count scores, of all test sets; None where scores are of texts, and none is missing."""
    columns: list[int] = []
    for part, start in zip(parts, starts.tolist(), strict=False):
        if part.counted is None:
            return None
        columns += (start + column for column in part.counted)
    return tuple(columns)


def _pooled_segments(gathered: Sequence[Evidence]) -> Segments:
    """The segments of all test sets, named with theirs; documents only where all tell theirs."""

    def named(labels: Callable[[Segments], tuple[str, ...] | None]) -> tuple[str, ...] | None:
        parts = [labels(evidence.segments) for evidence in gathered]
        if any(part is None for part in parts):
            return None
        return tuple(
            f"{evidence.testset}/{label}"
            for evidence, part in zip(gathered, parts, strict=True)
            for label in part or ()
        )

    documents = named(lambda segments: segments.documents)
    known = [evidence.segments.documents is not None for evidence in gathered]
    partly = documents is None and any(known)
    return Segments(named(lambda segments: segments.ids) or (), documents, partly_labelled=partly)
