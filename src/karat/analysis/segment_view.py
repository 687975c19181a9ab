"""Everything that is known about each segment, for those who read them one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from karat import kernels
from karat.analysis.word_cuts import cut, cut_mark
from karat.metrics.bleu import Bleu
from karat.metrics.chrf import Chrf
from karat.metrics.ter import Ter
from karat.metrics.words.edits import ErrorRate
from karat.registry import metric
from karat.rows import SCORE_COLUMNS, mean_score
from karat.text import tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus import Corpus
    from karat.evidence import Evidence, Measure
    from karat.identity import Identity
    from karat.rows import Rows, Values
    from karat.text import TextColumn

    Floats = NDArray[np.float64]

T = TypeVar("T")
Texts = tuple[str | None, ...]
"""One text for each segment, None where there is none."""

FormulaKind = Literal["bleu", "chrf", "rate", "mean"]


@dataclass(frozen=True)
class Formula:
    """How a summed row becomes a score, told by name and parameters: a page can follow that."""

    kind: FormulaKind
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class MeasuredSegments:
    """The scores of all segments under one measure, NaN where one is missing; rows and formula where they add up.

    `segment_spec` is the metric that single segments are scored by, where that is another one (sentence BLEU).
    """

    identity: Identity
    scores: Mapping[str, Floats]
    formula: Formula | None = None
    columns: tuple[str, ...] = ()
    rows: Mapping[str, Values] = field(default_factory=dict)
    segment_spec: str | None = None

    def taken(self, kept: NDArray[np.intp]) -> MeasuredSegments:
        """The measure on some segments."""
        scores = {name: values[kept] for name, values in self.scores.items()}
        return replace(self, scores=scores, rows={name: values[kept] for name, values in self.rows.items()})


@dataclass(frozen=True)
class Facet:
    """One way to sort segments into groups: each value, and the positions of the segments that have it.

    `key` is what the facet is called in an address, such as bucket; several facets may share it. `quotes` tells that
    values are pieces of the texts.
    """

    key: str
    title: str
    groups: Mapping[str, tuple[int, ...]]
    quotes: bool = False

    @classmethod
    def of_labels(cls, key: str, title: str, labels: Sequence[str]) -> Facet:
        """A facet in which every segment has one value.

        >>> Facet.of_labels("document", "Document", ["a", "b", "a"]).groups
        {'a': (0, 2), 'b': (1,)}
        """
        groups: dict[str, list[int]] = {}
        for position, label in enumerate(labels):
            groups.setdefault(label, []).append(position)
        return cls(key, title, {label: tuple(members) for label, members in groups.items()})


@dataclass(frozen=True)
class Remark:
    """What an analysis has to say about one segment, or about what one system made of it."""

    segment: int
    system: str | None
    label: str
    text: str = ""


@dataclass(frozen=True)
class MarkedError:
    """An error that a person marked: from one code point to before another, of the translation or of the source."""

    start: int | None
    end: int | None
    side: str
    category: str | None = None
    severity: str | None = None


@dataclass(frozen=True)
class Judged:
    """What one person said about one system's output."""

    segment: int
    system: str
    rater: str
    criterion: str
    value: float | None
    label: str | None = None
    comment: str | None = None
    errors: tuple[MarkedError, ...] = ()


@dataclass(frozen=True)
class WordClasses:
    """What kinds of errors the words of an output are: one letter for each word."""

    segment: int
    system: str
    codes: str


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentView:
    """Texts, scores, labels and judgements of all segments, in order; texts have the `mark` where words are cut.

    `numbers` are the places of the segments in the test set, from 1; `left_out` more were there.
    `closest` has, for each system, which of the references (from 0) takes the fewest words inserted and deleted; it is
    empty where there is at most one. The letters of `word_classes` have `class_names`; those of words that are right
    come first.
    """

    numbers: tuple[int, ...]
    ids: tuple[str, ...]
    systems: tuple[str, ...]
    measures: tuple[MeasuredSegments, ...] = ()
    source: Texts | None = None
    references: Mapping[str, Texts] = field(default_factory=dict)
    outputs: Mapping[str, Texts] = field(default_factory=dict)
    post_edits: Mapping[str, Texts] = field(default_factory=dict)
    closest: Mapping[str, NDArray[np.intp]] = field(default_factory=dict)
    mark: str = "\x1f"
    source_language: str | None = None
    target_language: str | None = None
    facets: tuple[Facet, ...] = ()
    remarks: tuple[Remark, ...] = ()
    judgements: tuple[Judged, ...] = ()
    word_classes: tuple[WordClasses, ...] = ()
    class_names: Mapping[str, str] = field(default_factory=dict)
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def has_texts(self) -> bool:
        """Whether there is anything to read besides numbers."""
        return self.source is not None or bool(self.references or self.outputs)

    def without_texts(self) -> SegmentView:
        """The view with nothing that quotes a text."""
        judgements = tuple(replace(judgement, comment=None, errors=()) for judgement in self.judgements)
        return replace(
            self,
            source=None,
            references={},
            outputs={},
            post_edits={},
            closest={},
            facets=tuple(facet for facet in self.facets if not facet.quotes),
            remarks=tuple(replace(remark, text="") for remark in self.remarks),
            judgements=judgements,
        )

    def taken(self, positions: Iterable[int]) -> SegmentView:
        """Some of the segments, in their order in the test set; they keep their numbers."""
        kept = sorted(set(positions))
        new = {position: place for place, position in enumerate(kept)}
        places = np.array(kept, dtype=np.intp)

        def texts(columns: Mapping[str, Texts]) -> dict[str, Texts]:
            return {name: _chosen(column, kept) for name, column in columns.items()}

        return replace(
            self,
            numbers=_chosen(self.numbers, kept),
            ids=_chosen(self.ids, kept),
            measures=tuple(measure.taken(places) for measure in self.measures),
            source=None if self.source is None else _chosen(self.source, kept),
            references=texts(self.references),
            outputs=texts(self.outputs),
            post_edits=texts(self.post_edits),
            closest={name: chosen[places] for name, chosen in self.closest.items()},
            facets=tuple(_facet_taken(facet, new) for facet in self.facets),
            remarks=_moved(self.remarks, new),
            judgements=_moved(self.judgements, new),
            word_classes=_moved(self.word_classes, new),
            left_out=self.left_out + len(self) - len(kept),
        )


def _chosen(values: Sequence[T], kept: Sequence[int]) -> tuple[T, ...]:
    return tuple(values[position] for position in kept)


def _facet_taken(facet: Facet, new: Mapping[int, int]) -> Facet:
    groups = {
        value: tuple(new[segment] for segment in members if segment in new) for value, members in facet.groups.items()
    }
    return replace(facet, groups={value: members for value, members in groups.items() if members})


About = TypeVar("About", Remark, Judged, WordClasses)


def _moved(those: tuple[About, ...], new: Mapping[int, int]) -> tuple[About, ...]:
    return tuple(replace(part, segment=new[part.segment]) for part in those if part.segment in new)


def segment_view(evidence: Evidence, *, tokenize: str = "13a", facets: Iterable[Facet] = ()) -> SegmentView:
    """The view of all segments of one test set, with documents, domains and other labels as facets."""
    segments = evidence.segments
    labels = (("document", "Document", segments.documents), ("domain", "Domain", segments.domains))
    known = [Facet.of_labels(key, title, names) for key, title, names in labels if names is not None]
    view = SegmentView(
        numbers=tuple(range(1, len(segments) + 1)),
        ids=segments.ids,
        systems=evidence.systems,
        measures=tuple(_measured(measure) for measure in (*evidence.measures, *evidence.golds) if measure.rows),
        facets=(*known, *facets),
    )
    return view if evidence.corpus is None else _with_texts(view, evidence.corpus, tokenize)


def _measured(measure: Measure) -> MeasuredSegments:
    """The scores of one measure, and its rows if a page can turn their sums into scores."""
    scores = {name: _scores(rows) for name, rows in measure.segment_rows().items()}
    formula = _formula(measure)
    some = next(iter(measure.rows.values()))
    single = measure.segment_identity.spec
    spec = None if single == measure.identity.spec else single
    if formula is None:
        return MeasuredSegments(measure.identity, scores, segment_spec=spec)
    # Scores that came from elsewhere are their own rows.
    rows = {} if formula.kind == "mean" else {name: rows.values for name, rows in measure.rows.items()}
    return MeasuredSegments(measure.identity, scores, formula, some.columns if rows else (), rows, spec)


def _scores(rows: Rows) -> Floats:
    return np.where(rows.known, rows.unit_scores(), np.nan)


def _formula(measure: Measure) -> Formula | None:
    rows = next(iter(measure.rows.values()))
    if rows.columns == SCORE_COLUMNS and rows.aggregate is mean_score:
        return Formula("mean")
    if measure.details is None and rows.counted is not None:
        return None
    return _formula_of_metric(measure.identity.spec)


def _formula_of_metric(spec: str) -> Formula | None:
    """The formula of a metric; those that others inherit with changes are left out."""
    known = metric(spec)
    if type(known) is Bleu:
        names = ("smooth", "max_order", "effective_order", "weights")
        value = known.smooth_value if known.smooth_value is not None else {"floor": 0.1, "add-k": 1.0}.get(known.smooth)
        return Formula("bleu", {**{name: getattr(known, name) for name in names}, "smooth_value": value})
    if type(known) is Chrf and known.average == "micro":
        return Formula("chrf", {"beta": known.beta, "eps_smoothing": known.eps_smoothing})
    if type(known) is Ter or type(known).aggregate is ErrorRate.aggregate:
        return Formula("rate")
    return None


def _with_texts(view: SegmentView, corpus: Corpus, tokenize: str) -> SegmentView:
    """The view with the texts of a corpus, words cut by a tokenizer."""
    cutter = tokenizer(tokenize)
    outputs = {name: corpus.systems[name] for name in view.systems if name in corpus.systems}
    partial = {**corpus.references, **corpus.targeted}
    columns = [*outputs.values(), *(column.text for column in partial.values())]
    columns += [] if corpus.source is None else [corpus.source]
    mark = cut_mark(text for column in columns for text in column.to_list())

    def marked(column: TextColumn, present: NDArray[np.bool_] | None = None) -> Texts:
        pairs = zip(column.to_list(), column.tokens(cutter).to_lists(), strict=True)
        texts = [cut(text, tokens, mark) for text, tokens in pairs]
        there = np.ones(len(texts), dtype=bool) if present is None else present
        return tuple(text if is_there else None for text, is_there in zip(texts, there.tolist(), strict=True))

    return replace(
        view,
        source=None if corpus.source is None else marked(corpus.source),
        references={name: marked(column.text, column.present) for name, column in corpus.references.items()},
        outputs={name: marked(column) for name, column in outputs.items()},
        post_edits={name: marked(column.text, column.present) for name, column in corpus.targeted.items()},
        closest=_closest(corpus, outputs, lambda column: column.tokens(cutter)),
        mark=mark,
        source_language=corpus.source_language,
        target_language=corpus.target_language,
    )


def _closest(
    corpus: Corpus, outputs: Mapping[str, TextColumn], tokens: Callable[[TextColumn], kernels.Tokens]
) -> dict[str, NDArray[np.intp]]:
    """For each system, which reference of a segment takes the fewest words inserted and deleted: its place."""
    if len(corpus.references) < 2:
        return {}
    present = np.array([_present(column.present, len(corpus)) for column in corpus.references.values()])
    references = corpus.references_for()
    prepared = kernels.prepare_words(tokens(references.column), references.offsets)
    closest = {}
    for name, column in outputs.items():
        hypothesis, reference, common = kernels.lcs_pairs(prepared, tokens(column)).T
        distances = np.full(present.shape, np.inf)
        # Pairs stand segment by segment, each with the references that it has.
        distances.T[present.T] = hypothesis + reference - 2 * common
        closest[name] = distances.argmin(axis=0)
    return closest


def _present(present: NDArray[np.bool_] | None, count: int) -> NDArray[np.bool_]:
    return np.ones(count, dtype=bool) if present is None else present
