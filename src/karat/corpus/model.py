"""The corpus: what is judged (systems), what it is measured against (references), and where it comes from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from karat.arguments import check_name, labels, pairs, shown
from karat.corpus.columns import PartialColumn
from karat.corpus.lines import interleaved, slice_of
from karat.corpus.references import References
from karat.errors import InputError, did_you_mean
from karat.quick_dataclasses import dataclass
from karat.text import TextColumn, as_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.annotating import Given, Role

Targeted = Literal["never", "instead", "beside"]
"""What to do with references that belong to one system: leave them out, use only them, or add them."""

REFERENCES, SOURCES = ("references",), "sources"
"""What metrics may want of a corpus."""

SOURCE = "source"

Texts = TextColumn | Iterable[str]
PartialTexts = PartialColumn | TextColumn | Iterable[str | None]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Corpus:
    """Aligned columns of text, one row per segment; immutable.

    `references` are for every system; `targeted` are references of one system alone, such as its post-edits. Either may
    lack some segments. `first_segment` numbers the rows of a corpus that is a block of a longer one, and
    `share_read` tells which part of that ends with it, where its length is known.

    >>> corpus = Corpus.of(systems={"a": ["ein Haus"]}, references={"refA": ["das Haus"]}, language_pair="en-de")
    >>> corpus
    Corpus(1 segment, 1 reference, 1 system, en-de)
    >>> corpus.references_for("a").column.to_list()
    ['das Haus']
    """

    systems: Mapping[str, TextColumn]
    references: Mapping[str, PartialColumn]
    source: TextColumn | None = None
    targeted: Mapping[str, PartialColumn] = field(default_factory=dict)
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    source_language: str | None = None
    target_language: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    first_segment: int = 1
    share_read: float | None = None
    _references: dict[tuple[str | None, Targeted, bool], References] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for name in ("systems", "references", "targeted", "metadata"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        _check_names(self)
        _check_lengths(self)
        _check_coverage(self)
        if self.ids is not None and self.ids == self._numbers():
            object.__setattr__(self, "ids", None)

    @classmethod
    def of(
        cls,
        *,
        systems: Mapping[str, Texts] | Iterable[tuple[str, Texts]],
        references: Mapping[str, PartialTexts] | Sequence[str],
        source: Texts | None = None,
        targeted: Mapping[str, PartialTexts] | None = None,
        documents: Iterable[str] | None = None,
        domains: Iterable[str] | None = None,
        ids: Iterable[str] | None = None,
        language_pair: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Corpus:
        """A corpus of whatever holds strings; a plain list of references is one reference per segment."""
        known = (None, None) if language_pair is None else split_language_pair(language_pair)
        named = references if isinstance(references, Mapping) else {"ref": references}
        return cls(
            systems={name: as_column(texts) for name, texts in _unique(systems).items()},
            references={name: PartialColumn.of(texts) for name, texts in named.items()},
            source=None if source is None else as_column(source),
            targeted={name: PartialColumn.of(texts) for name, texts in pairs(targeted or {}, "targeted references")},
            documents=None if documents is None else labels(documents, "documents"),
            domains=None if domains is None else labels(domains, "domains"),
            ids=None if ids is None else labels(ids, "segment ids"),
            source_language=known[0],
            target_language=known[1],
            metadata=metadata or {},
        )

    def __len__(self) -> int:
        return next(count for _, count in _counts(self))

    def __repr__(self) -> str:
        counts = ((len(self), "segment"), (len(self.references), "reference"), (len(self.systems), "system"))
        parts = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts]
        return f"Corpus({', '.join([*parts, *filter(None, [self.language_pair])])})"

    @property
    def language_pair(self) -> str | None:
        """Source and target language, such as en-de, where both are known."""
        both = self.source_language and self.target_language
        return f"{self.source_language}-{self.target_language}" if both else None

    @property
    def segment_ids(self) -> tuple[str, ...]:
        """The names of the segments: their own, or their numbers."""
        return self.ids if self.ids is not None else self._numbers()

    def _numbers(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.first_segment, self.first_segment + len(self))))

    def references_for(
        self,
        system: str | None = None,
        *,
        targeted: Targeted = "never",
        wants: Collection[str] = REFERENCES,
    ) -> References:
        """The references of every segment for a system; made once, so that their tokens are made once.

        With ``targeted="instead"`` these are the system's own references (post-edits) alone, with ``"beside"`` its own
        in addition to the general ones. Sources stand beside them where they are wanted, and there may be no reference
        where nothing else is.
        """
        if system is not None:
            self._check_known("system", [system], self.systems)
        own = system if targeted != "never" else None
        with_source = SOURCES in wants and self.source is not None
        key = (own, targeted, with_source)
        if key not in self._references:
            self._references[key] = self._references_beside_source(own, targeted, wants)
        return self._references[key]

    def _references_beside_source(self, system: str | None, targeted: Targeted, wants: Collection[str]) -> References:
        if SOURCES in wants and self.source is not None:
            others = set(wants) - {SOURCES}
            has_any = self.references or self.targeted
            known = self.references_for(system, targeted=targeted) if others or has_any else References.none(len(self))
            return known.beside(self.source)
        return self._merged(self._reference_columns(system, targeted), system)

    def _reference_columns(self, system: str | None, targeted: Targeted) -> list[PartialColumn]:
        general = [] if targeted == "instead" else list(self.references.values())
        if targeted == "never":
            return general
        if system is None:
            raise InputError(f"references_for(targeted={targeted!r}) needs the name of a system")
        own = self.targeted.get(system)
        if own is None and targeted == "instead":
            raise InputError(f"the corpus has no targeted references (post-edits) of {system}")
        return general if own is None else [*general, own]

    def _merged(self, columns: list[PartialColumn], system: str | None) -> References:
        if not columns:
            raise InputError(f"the corpus has no references{self._unread()}: this needs at least one per segment")
        if len(columns) == 1 and columns[0].present is None:
            return References(columns[0].text, np.arange(len(self) + 1, dtype=np.int64))
        counts = _reference_counts(columns, len(self))
        self._refuse_uncovered(counts, "" if system is None else f" for {system}")
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        if all(column.present is None for column in columns):
            return References(interleaved([column.text for column in columns]), offsets)
        present = np.stack([column.is_present for column in columns], axis=1).ravel()
        every = interleaved([column.text for column in columns])
        return References(every.take(np.flatnonzero(present).tolist()), offsets)

    def require_systems(self, purpose: str) -> None:
        """Refuse to go on without the output of any system, and say which was left out as it was not whole."""
        if not self.systems:
            partial = self.metadata.get("partial_systems", ())
            left_out = f" (not every segment has one of {', '.join(partial)})" if partial else ""
            raise InputError(
                f"the texts have no system's output{left_out}, so there is nothing to {purpose}: add a system"
            )

    def _unread(self) -> str:
        columns = self.metadata.get("ignored_columns", ())
        return f" (the columns {', '.join(columns)} are not known)" if columns else ""

    def _refuse_uncovered(self, counts: NDArray[np.int64], whose: str = "") -> None:
        without = np.flatnonzero(counts == 0)
        if not len(without):
            return
        more = f", nor have {len(without) - 1} others" if len(without) > 1 else ""
        raise InputError(
            f"segment {self.first_segment + int(without[0])} has no reference at all{whose}{more}: "
            "give it one, or leave the segment out"
        )

    def select(self, *, systems: Iterable[str] | None = None, references: Iterable[str] | None = None) -> Corpus:
        """The same segments with some of the systems or references, in the order given."""
        system_names = list(self.systems) if systems is None else list(systems)
        reference_names = list(self.references) if references is None else list(references)
        self._check_known("system", system_names, self.systems)
        self._check_known("reference", reference_names, self.references)
        return replace(
            self,
            systems={name: self.systems[name] for name in system_names},
            references={name: self.references[name] for name in reference_names},
            targeted={name: column for name, column in self.targeted.items() if name in system_names},
        )

    @staticmethod
    def _check_known(kind: str, names: Iterable[str], known: Collection[str]) -> None:
        for name in names:
            if name not in known:
                raise InputError(f"the corpus has no {kind} {name!r}.{did_you_mean(name, known)}")

    def annotated(self, annotations: Mapping[str, Given]) -> Corpus:
        """The same texts with what is known of their words: files of annotations, or annotations, by names of texts.

        A name is that of a system or a reference, "source", or "reference" where there is only one.
        """
        from karat.corpus.annotating import annotations_by_text

        known = annotations_by_text(self, annotations)

        def of(role: Role, columns: Mapping[str, Any]) -> dict[str, Any]:
            return {
                name: column.annotated(known[role, name]) if (role, name) in known else column
                for name, column in columns.items()
            }

        source = {} if self.source is None else of("source", {SOURCE: self.source})
        return replace(
            self,
            systems=of("system", self.systems),
            references=of("reference", self.references),
            source=source.get(SOURCE),
        )

    def slice(self, start: int, stop: int) -> Corpus:
        """The segments from start to before stop, counted from 0; they keep their numbers."""
        if not 0 <= start < stop <= len(self):
            raise InputError(f"segments {start} to {stop} do not lie in a corpus of {len(self)}")
        return replace(
            self,
            systems={name: slice_of(column, start, stop) for name, column in self.systems.items()},
            references={name: column.slice(start, stop) for name, column in self.references.items()},
            targeted={name: column.slice(start, stop) for name, column in self.targeted.items()},
            source=None if self.source is None else slice_of(self.source, start, stop),
            documents=None if self.documents is None else self.documents[start:stop],
            domains=None if self.domains is None else self.domains[start:stop],
            ids=None if self.ids is None else self.ids[start:stop],
            first_segment=self.first_segment + start,
        )

    def pieces(self, count: int) -> Iterator[Corpus]:
        """All segments, `count` at a time; a corpus that has no more is its own piece, with what it has cached."""
        if len(self) <= count:
            yield self
            return
        for start in range(0, len(self), count):
            yield self.slice(start, min(start + count, len(self)))

    @cached_property
    def content_hash(self) -> str:
        """A short hash of all texts and labels, whatever format they came in and in whatever order of columns."""
        hasher = hashlib.blake2b(digest_size=8)
        for label, digest in sorted(_digests(self)):
            hasher.update(len(label).to_bytes(8, "little") + label.encode() + digest)
        return hasher.hexdigest()


_CODE = r"[a-z]{2,3}(?:-(?:[A-Z]{2}|[A-Z][a-z]{3}|[0-9]{3}))*"
_CODES_WITH_REGIONS = re.compile(f"({_CODE})-({_CODE})")


def split_language_pair(pair: str) -> tuple[str, str]:
    """The two languages of a pair such as en-de, en_US-pt_BR or en-US-pt-BR.

    >>> split_language_pair("en-de"), split_language_pair("en-US-zh-Hans-CN")
    (('en', 'de'), ('en-US', 'zh-Hans-CN'))
    """
    if isinstance(pair, str) and (match := _CODES_WITH_REGIONS.fullmatch(pair)):
        return match[1], match[2]
    source, hyphen, target = pair.partition("-") if isinstance(pair, str) else ("", "", "")
    if not hyphen or not source or not target or "-" in target:
        raise InputError(f"{shown(pair)} is not a language pair: write source-target, such as en-de or en_US-pt_BR")
    return source, target


def _unique(systems: Mapping[str, Texts] | Iterable[tuple[str, Texts]]) -> dict[str, Texts]:
    named: dict[str, Texts] = {}
    for name, texts in pairs(systems, "systems"):
        check_name("system", name)
        if name in named:
            raise InputError(f"two systems are named {name!r}: give each its own name")
        named[name] = texts
    return named


def _check_names(corpus: Corpus) -> None:
    """Names stand in tables and files of one line per row, so they must be one visible piece of text."""
    for kind, names in (("system", corpus.systems), ("reference", corpus.references)):
        for name in names:
            check_name(kind, name)
            if name != name.strip() or not name.isprintable():
                raise InputError(f"{name!r} cannot name a {kind}: use visible text without spaces around it")
    for name in corpus.targeted:
        if name not in corpus.systems:
            raise InputError(
                f"there are targeted references of {name!r}, but no such system.{did_you_mean(name, corpus.systems)}"
            )


def _counts(corpus: Corpus) -> Iterable[tuple[str, int]]:
    """Every column that is there, by the name that errors use, and its number of segments."""
    yield from ((f"reference {name}", len(column)) for name, column in corpus.references.items())
    yield from ((f"system {name}", len(column)) for name, column in corpus.systems.items())
    yield from ((f"targeted reference of {name}", len(column)) for name, column in corpus.targeted.items())
    others = {
        "source": corpus.source,
        "documents": corpus.documents,
        "domains": corpus.domains,
        "segment ids": corpus.ids,
    }
    yield from ((name, len(column)) for name, column in others.items() if column is not None)


def _check_lengths(corpus: Corpus) -> None:
    counts = list(_counts(corpus))
    if not counts:
        raise InputError("the corpus is empty: it has neither references nor systems nor a source")
    first_name, first = counts[0]
    for name, count in counts[1:]:
        if count != first:
            raise InputError(
                f"{first_name} has {first} segments, but {name} has {count}: every column needs one entry per segment"
            )
    if first == 0:
        raise InputError("the corpus is empty: it has no segment")


def _check_coverage(corpus: Corpus) -> None:
    """Every segment needs a reference: a general one, or else a targeted one for each system."""
    columns = list(corpus.references.values())
    if not columns or any(column.present is None for column in columns):
        return
    counts = _reference_counts(columns, len(corpus))
    if corpus.targeted and set(corpus.targeted) == set(corpus.systems):
        own = [_reference_counts([column], len(corpus)) for column in corpus.targeted.values()]
        counts = counts + np.minimum.reduce(own)
    corpus._refuse_uncovered(counts)


def _reference_counts(columns: Sequence[PartialColumn], segments: int) -> NDArray[np.int64]:
    counts = np.zeros(segments, dtype=np.int64)
    for column in columns:
        counts += 1 if column.present is None else column.present
    return counts


def _digests(corpus: Corpus) -> Iterable[tuple[str, bytes]]:
    yield from ((f"reference:{name}", column.digest()) for name, column in corpus.references.items())
    yield from ((f"system:{name}", column.digest()) for name, column in corpus.systems.items())
    yield from ((f"targeted:{name}", column.digest()) for name, column in corpus.targeted.items())
    if corpus.source is not None:
        yield "source", corpus.source.digest()
    labels = {"documents": corpus.documents, "domains": corpus.domains, "ids": corpus.ids}
    for name, column in labels.items():
        if column is not None:
            yield name, TextColumn.of(list(column)).digest()
