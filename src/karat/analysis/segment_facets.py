"""What analyses and people say about segments, as a view of the segments has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.analysis.segment_view import Facet, Judged, MarkedError, Remark, WordClasses
from karat.analysis.word_errors import CLASSES, CODES

if TYPE_CHECKING:
    from karat.analysis.buckets import Buckets
    from karat.analysis.flaws.model import Flaw, FlawReport
    from karat.analysis.ngrams import Ngrams
    from karat.analysis.reading import ReadingList
    from karat.analysis.segment_view import SegmentView
    from karat.analysis.word_errors import WordErrors
    from karat.analysis.words import WordAnalysis
    from karat.corpus.ratings import Ratings
    from karat.evidence import Segments

CLASS_NAMES = dict(zip(CODES, CLASSES, strict=True))
RIGHT = CODES[CLASSES.index("right")]
READING = {
    "systems": "systems far apart",
    "metrics": "metrics disagree",
    "people": "metrics and people disagree",
    "influence": "decides who wins",
}
LABELLED = ("document", "domain")
"""What segments are sorted by without any analysis."""


def with_buckets(view: SegmentView, buckets: Buckets) -> SegmentView:
    """The view with a facet for each way to sort segments into buckets."""
    facets = (
        Facet("bucket", bucketing.by, {bucket.label: bucket.segments for bucket in bucketing.buckets})
        for bucketing in buckets.bucketings
        if bucketing.by not in LABELLED
    )
    return replace(view, facets=(*view.facets, *facets))


def with_words(view: SegmentView, words: WordAnalysis) -> SegmentView:
    """The view with the segments to look at for each kind of words."""
    groups = {
        f"{bucketing.by}: {bucket.label}": tuple(sorted(bucket.segments))
        for bucketing in words.bucketings
        for bucket in bucketing.buckets
        if bucket.segments
    }
    title = "Differ most on words" if len(view.systems) > 1 else "Worth reading for words"
    return _with_facet(view, Facet("words", title, groups))


def with_ngrams(view: SegmentView, ngrams: Ngrams) -> SegmentView:
    """The view with the n-grams that stand out, the most telling first."""
    groups: dict[str, set[int]] = {}
    for contrast in ngrams.contrasts:
        for contrasted in contrast.ngrams:
            groups.setdefault(" ".join(contrasted.ngram), set()).update(contrasted.segments)
    return _with_facet(view, Facet("ngram", "N-gram", _ordered(groups), quotes=True))


def with_flaws(view: SegmentView, report: FlawReport) -> SegmentView:
    """The view with what was found in outputs: by kind, by kind and system, and beside each output."""
    places = ((flaw.code, flaw.system, flaw.segment - 1) for flaw in report.flaws)
    facet = Facet("finding", "Finding", _by_system(places))
    remarks = (Remark(flaw.segment - 1, flaw.system, flaw.code, _pieces(flaw)) for flaw in report.flaws)
    return replace(_with_facet(view, facet), remarks=(*view.remarks, *remarks))


def _pieces(flaw: Flaw) -> str:
    """The pieces of text that a flaw is about."""
    named = (("lost", flaw.lost), ("added", flaw.added))
    return "; ".join(f"{what}: {', '.join(pieces)}" for what, pieces in named if pieces)


def with_word_errors(view: SegmentView, errors: WordErrors) -> SegmentView:
    """The view with the classes of wrong words: by class, by class and system, and on every word."""
    places = (
        (CLASS_NAMES[code], words.system, words.segment)
        for words in errors.words
        for code in dict.fromkeys(words.hypothesis_classes + words.reference_classes)
        if code != RIGHT
    )
    classes = tuple(WordClasses(words.segment, words.system, words.hypothesis_classes) for words in errors.words)
    facet = Facet("error", "Error class", _by_system(places))
    return replace(_with_facet(view, facet), word_classes=classes, class_names=CLASS_NAMES)


def with_reading(view: SegmentView, reading: ReadingList) -> SegmentView:
    """The view with the segments most worth reading, by reason."""
    groups: dict[str, set[int]] = {}
    for choice in reading.choices:
        groups.setdefault(READING.get(choice.reason, choice.reason), set()).add(choice.segment - 1)
    return _with_facet(view, Facet("reading", "Worth reading", _ordered(groups)))


def with_ratings(view: SegmentView, ratings: Ratings, segments: Segments) -> SegmentView:
    """The view with what people said about each output, control items left out; marks in another text have no place."""
    return replace(view, judgements=(*view.judgements, *_judgements(view, ratings, segments)))


def _judgements(view: SegmentView, ratings: Ratings, segments: Segments) -> Iterator[Judged]:
    places = _places(segments)
    names = (
        "rater",
        "system",
        "segment",
        "document",
        "criterion",
        "value",
        "label",
        "target",
        "spans",
        "comment",
        "control",
    )
    for row in ratings.frame.select(names).iter_rows(named=True):
        place = places.get((row["document"], row["segment"]), places.get((None, row["segment"])))
        if place is None or row["control"] is not None or row["system"] not in view.systems:
            continue
        output = (view.outputs.get(row["system"]) or {place: None})[place]
        shown = None if output is None else output.replace(view.mark, "")
        yield Judged(
            place,
            row["system"],
            row["rater"] or "",
            row["criterion"] or "",
            row["value"],
            row["label"],
            row["comment"],
            tuple(_marked(span, placed=row["target"] in (None, shown)) for span in row["spans"] or ()),
        )


def _marked(span: Mapping[str, object], *, placed: bool) -> MarkedError:
    """An error as a view has it; where it is counts only in the text that was judged."""
    error = MarkedError(**{name: span[name] for name in ("start", "end", "side", "category", "severity")})  # type: ignore[arg-type]
    return error if placed or error.side != "target" else replace(error, start=None, end=None)


def _places(segments: Segments) -> dict[tuple[str | None, str], int]:
    """Where segments are, by their names with documents, and without where no two share one."""
    places: dict[tuple[str | None, str], int] = {}
    if segments.documents is not None:
        places |= {
            (document, name): i for i, (document, name) in enumerate(zip(segments.documents, segments.ids, strict=True))
        }
    if len(set(segments.ids)) == len(segments.ids):
        places |= {(None, name): place for place, name in enumerate(segments.ids)}
    return places


def _by_system(places: Iterable[tuple[str, str, int]]) -> dict[str, tuple[int, ...]]:
    """Segments by a label, each followed by the same label of each system alone."""
    every: dict[str, set[int]] = {}
    own: dict[str, dict[str, set[int]]] = {}
    for label, system, segment in places:
        every.setdefault(label, set()).add(segment)
        own.setdefault(label, {}).setdefault(f"{label}: {system}", set()).add(segment)
    return _ordered(
        {name: members for label in every for name, members in ({label: every[label]} | own[label]).items()}
    )


def _ordered(groups: Mapping[str, set[int]]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(sorted(members)) for name, members in groups.items()}


def _with_facet(view: SegmentView, facet: Facet) -> SegmentView:
    return replace(view, facets=(*view.facets, facet)) if facet.groups else view
