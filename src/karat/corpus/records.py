"""Records with named fields (rows of tables, JSON objects) as columns of a corpus.

A field's name says what it is; capital letters do not matter except in the NAME of a reference or system.

=====================================================  ==========================================================
``source``, ``src``                                    the source
``reference``, ``ref``                                 the only reference
``reference:NAME``, ``reference_NAME``, ``ref_NAME``   the reference NAME
``refA``, ``refB``, ``ref1`` ...                       a reference of that name
``references``                                         nested: a list, or an object from name to text
``system:NAME``                                        the hypotheses of the system NAME
``systems``                                            nested: an object from name to text
``hypothesis``, ``hyp``, ``mt``                        the hypotheses of the only system, named after the file
``system`` and ``hypothesis``                          long form: one record per system and segment; needs ``segment``
``post_edit:NAME``, ``post_edits``                     targeted references: the system's output, corrected
``document``, ``doc``; ``domain``; ``segment``, ``id`` labels
``language_pair``, ``lp``                              the same in every record, such as en-de
=====================================================  ==========================================================

Other fields are left out of the corpus and listed in its metadata under ``ignored_columns``, unless their names are
close to one of these: a misspelt ``refrence`` is refused. Two fields for the same thing are refused as well.

A missing reference is null in JSON and Parquet, and an empty cell in tables, which cannot tell it from an empty text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from typing import Any

from karat.corpus.column_names import NO_NAMES, ColumnNames
from karat.corpus.columns import PartialColumn
from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.model import split_language_pair
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

Record = Mapping[str, Any]

_PLAIN = {
    "source": "source",
    "src": "source",
    "document": "document",
    "doc": "document",
    "domain": "domain",
    "segment": "segment",
    "id": "segment",
    "hypothesis": "hypothesis",
    "hyp": "hypothesis",
    "mt": "hypothesis",
    "system": "system",
    "language_pair": "language_pair",
    "lp": "language_pair",
    "references": "references",
    "systems": "systems",
    "post_edits": "post_edits",
}
_NAMED = (
    (re.compile(r"(?:reference|ref)[:_](.+)", re.IGNORECASE), "reference"),
    (re.compile(r"(?:[Rr]eference|[Rr]ef|REF)"), "reference"),
    (re.compile(r"((?:reference|ref)-?[A-Z0-9][\w-]*)"), "reference"),
    (re.compile(r"system:(.+)", re.IGNORECASE), "system:"),
    (re.compile(r"post_edit:(.+)", re.IGNORECASE), "post_edit"),
)
SCORE_ROLES = ("score", "metric", "higher_is_better")
"""What only tables of scores have."""
EXPECTED = (
    "source, reference (or reference:NAME, refA, ...), system:NAME (or hypothesis, alone or with system and segment), "
    "post_edit:NAME, document, domain, segment"
)


@dataclass(frozen=True)
class Layout:
    """Which field of a record is what."""

    single: dict[str, str] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    post_edits: dict[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether each record has the output of one of several systems."""
        return "system" in self.single


def layout_of(names: Sequence[str], where: str, columns: ColumnNames = NO_NAMES) -> Layout:
    """What each field is, by its name or as the user says; refuses names that are ambiguous or nearly right."""
    layout = Layout()
    ignored = []
    for name, called in zip(names, columns.roles(names, where), strict=True):
        role, detail = _role(called)
        groups = {"reference": layout.references, "system:": layout.systems, "post_edit": layout.post_edits}
        group, key = (groups[role], detail) if role in groups else (layout.single, role)
        if not role:
            _refuse_near_miss(name, where)
            ignored.append(name)
        elif key in group:
            what = f"{role.rstrip(':')} {detail}".strip()
            raise InputError(
                f"{where}: {group[key]!r} and {name!r} are the same thing (the {what}): "
                f"keep one. The columns are {_listed(names)}"
            )
        else:
            group[key] = name
    layout = Layout(layout.single, layout.references, layout.systems, layout.post_edits, tuple(ignored))
    _refuse_ambiguous(layout, names, where)
    return layout


def text_columns(columns: ColumnNames) -> ColumnNames:
    """Those of the named columns that a table of texts can have; a role that nothing has is refused."""
    for role in columns.by_role:
        if not _role(role)[0] and role not in SCORE_ROLES:
            raise InputError(f"--column {role}=...: {role!r} is not known; there is: {EXPECTED}; of scores, also score")
    return columns.only([role for role in columns.by_role if role not in SCORE_ROLES])


def _role(name: str) -> tuple[str, str]:
    """What a field is, and of which name; an empty role if that is not known."""
    plain = _PLAIN.get(name.strip().lower())
    if plain:
        return plain, ""
    for pattern, role in _NAMED:
        if match := pattern.fullmatch(name.strip()):
            return role, (match[1] if match.groups() else "ref")
    return "", ""


def _refuse_near_miss(name: str, where: str) -> None:
    near = get_close_matches(name.strip().lower(), [*_PLAIN, "reference", "ref", "post_edit"], n=1, cutoff=0.85)
    if near and len(name.strip()) > 3:
        raise InputError(f"{where}: the column {name!r} is not known. Did you mean {near[0]}? Else rename it")


def _refuse_ambiguous(layout: Layout, names: Sequence[str], where: str) -> None:
    single, problem = layout.single, ""
    texts = {"source", "references", "systems", "hypothesis", "post_edits"} & set(single)
    if not texts and not layout.references and not layout.systems:
        problem = "none of the columns is known"
    elif layout.is_long and "hypothesis" not in single:
        problem = "there is a column system, but no column hypothesis with its output"
    elif layout.is_long and "segment" not in single:
        problem = "there is one line per system and segment, but no column segment to join them by"
    elif "hypothesis" in single and (layout.systems or "systems" in single):
        problem = f"is the column {single['hypothesis']} another system? Name it system:NAME"
    elif layout.references and "references" in single:
        problem = f"there are references in {single['references']} and in {_listed(list(layout.references.values()))}"
    elif layout.systems and "systems" in single:
        problem = f"there are systems in {single['systems']} and in {_listed(list(layout.systems.values()))}"
    if problem:
        raise InputError(f"{where}: {problem}. The columns are {_listed(names)}; expected are {EXPECTED}")


def _listed(names: Sequence[str]) -> str:
    shown = [name if len(name) <= 30 else name[:27] + "..." for name in names[:20]]
    return ", ".join(shown) + (f" and {len(names) - 20} more" if len(names) > 20 else "")


@dataclass
class _Segment:
    """What the records of one segment say, and where the first of them stands."""

    where: str
    source: str | None
    references: dict[str, str | None]
    post_edits: dict[str, str | None]
    labels: dict[str, str | None]
    systems: dict[str, str | None]

    def merge(self, other: _Segment) -> None:
        """Add another record of the same segment, which must agree with this one."""
        for part in ("source", "references", "labels"):
            if getattr(self, part) != getattr(other, part):
                raise InputError(
                    f"{other.where}: segment {self.labels['segment']} has another {part.rstrip('s')} "
                    f"than in {self.where}: records of the same segment must agree"
                )
        for name, text in other.systems.items():
            if name in self.systems:
                raise InputError(f"{other.where}: segment {self.labels['segment']} of system {name} is there twice")
            self.systems[name] = text
        self.post_edits.update(other.post_edits)


class RecordReader:
    """Turns records into the contents of a file."""

    def __init__(
        self,
        file: InputFile,
        *,
        empty_is_missing: bool = False,
        columns: ColumnNames = NO_NAMES,
        only_system: str | None = None,
    ) -> None:
        self._file = file
        self._only_system = file.stem if only_system is None else only_system
        self._columns_named = columns
        self._empty_is_missing = empty_is_missing
        self._layouts: dict[tuple[str, ...], Layout] = {}

    def contents(self, records: Iterable[tuple[str, Record]]) -> Contents:
        """The columns of all records; each comes with the place it stands at, for errors."""
        segments: list[_Segment] = []
        by_key: dict[tuple[str | None, str | None], _Segment] = {}
        for where, record in records:
            layout = self._layout(record, where)
            segment = self._segment(record, layout, where)
            key = (segment.labels["document"], segment.labels["segment"])
            if layout.is_long and key in by_key:
                by_key[key].merge(segment)
            elif key[1] is not None and key in by_key:
                raise InputError(
                    f"{where}: segment {key[1]} is there twice, the first time in {by_key[key].where}: give each its "
                    "own name, or say in a column document which one it is part of"
                )
            else:
                segments.append(segment)
                by_key[key] = segment
        return self._columns(segments)

    def _layout(self, record: Record, where: str) -> Layout:
        names = tuple(record)
        if names not in self._layouts:
            self._layouts[names] = layout_of(names, where, self._columns_named)
        return self._layouts[names]

    def _segment(self, record: Record, layout: Layout, where: str) -> _Segment:
        single = layout.single
        return _Segment(
            where=where,
            source=_text(record, single.get("source"), where),
            references={
                name: text if text or not self._empty_is_missing else None
                for name, text in _texts(record, layout.references, single.get("references"), where).items()
            },
            post_edits={
                name: text if text or not self._empty_is_missing else None
                for name, text in self._post_edits(record, layout, where).items()
            },
            labels={
                name: _label(record, single.get(name), where)
                for name in ("document", "domain", "segment", "language_pair")
            },
            systems=self._systems(record, layout, where),
        )

    def _system_name(self, record: Record, layout: Layout, where: str) -> str:
        if not layout.is_long:
            return self._only_system
        name = _label(record, layout.single["system"], where)
        if not name:
            raise InputError(f"{where}: the system has no name")
        return name

    def _systems(self, record: Record, layout: Layout, where: str) -> dict[str, str | None]:
        if "hypothesis" in layout.single:
            name = self._system_name(record, layout, where)
            return {name: _text(record, layout.single["hypothesis"], where)}
        if isinstance(record.get(layout.single.get("systems", "")), list):
            raise InputError(f"{where}: systems must be an object from name to text, not a list")
        return _texts(record, layout.systems, layout.single.get("systems"), where)

    def _post_edits(self, record: Record, layout: Layout, where: str) -> dict[str, str | None]:
        return _texts(record, layout.post_edits, layout.single.get("post_edits"), where)

    def _columns(self, segments: list[_Segment]) -> Contents:
        ignored = dict.fromkeys(name for layout in self._layouts.values() for name in layout.ignored)
        source_language, target_language = self._languages(segments)
        has_source = any(segment.source is not None for segment in segments)
        return Contents(
            file=self._file,
            source=self._column([segment.source for segment in segments], segments) if has_source else None,
            references=self._named([segment.references for segment in segments], segments),
            systems=self._complete_systems(segments),
            targeted=self._named([segment.post_edits for segment in segments], segments),
            documents=self._labels(segments, "document"),
            domains=self._labels(segments, "domain"),
            ids=self._labels(segments, "segment"),
            source_language=source_language,
            target_language=target_language,
            metadata={"ignored_columns": tuple(ignored)} if ignored else {},
        )

    def _complete_systems(self, segments: list[_Segment]) -> dict[str, PartialColumn]:
        """Here the place of a missing hypothesis is still known."""
        names = dict.fromkeys(name for segment in segments for name in segment.systems)
        for segment in segments:
            for name in names:
                if segment.systems.get(name) is None:
                    label = segment.labels["segment"]
                    of_segment = f" for segment {label}" if label else ""
                    raise InputError(
                        f"{segment.where}: system {name} has no hypothesis{of_segment}; "
                        "write an empty text if its output was empty"
                    )
        return self._named([segment.systems for segment in segments], segments)

    def _named(self, texts: list[dict[str, str | None]], segments: list[_Segment]) -> dict[str, PartialColumn]:
        names = dict.fromkeys(name for named in texts for name in named)
        return {name: self._column([named.get(name) for named in texts], segments) for name in names}

    def _column(self, texts: list[str | None], segments: list[_Segment]) -> PartialColumn:
        try:
            return PartialColumn.of(texts)
        except InputError:
            for text, segment in zip(texts, segments, strict=True):
                if text is not None and not _encodable(text):
                    raise InputError(f"{segment.where}: a lone surrogate (half of a character) is not text") from None
            raise

    def _labels(self, segments: list[_Segment], name: str) -> tuple[str, ...] | None:
        labels = [segment.labels[name] for segment in segments]
        if all(label is None for label in labels):
            return None
        for label, segment in zip(labels, segments, strict=True):
            if label is None:
                raise InputError(f"{segment.where}: there is no {name} here, but other segments have one")
            if not _encodable(label):
                raise InputError(f"{segment.where}: a lone surrogate (half of a character) is not text")
        return tuple(label for label in labels if label is not None)

    def _languages(self, segments: list[_Segment]) -> tuple[str | None, str | None]:
        pairs = dict.fromkeys(segment.labels["language_pair"] for segment in segments)
        pair = next(iter(pairs), None)
        if len(pairs) > 1:
            raise InputError(
                f"{self._file.name} has {len(pairs)} language pairs ({_listed([str(pair) for pair in pairs])}): "
                "split it into one file for each"
            )
        return split_language_pair(pair) if pair else (None, None)


def _encodable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


def _text(record: Record, name: str | None, where: str) -> str | None:
    value = None if name is None else record[name]
    if value is not None and not isinstance(value, str):
        raise InputError(f"{where}: {name} must be text, not {_kind(value)}")
    return value


def _label(record: Record, name: str | None, where: str) -> str | None:
    value = None if name is None else record[name]
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{where}: {name} must be text or a whole number, not {_kind(value)}")


def _texts(record: Record, flat: Mapping[str, str], nested: str | None, where: str) -> dict[str, str | None]:
    """Named texts: those of fields of their own, or those in one list or object."""
    if nested is None:
        return {name: _text(record, column, where) for name, column in flat.items()}
    value = record[nested]
    if value is None:
        return {}
    if isinstance(value, list):
        value = {f"ref{i}": text for i, text in enumerate(value, 1)}
    if not isinstance(value, dict):
        raise InputError(f"{where}: {nested} must be an object from name to text, not {_kind(value)}")
    return {name: _text(value, name, f"{where}, {nested}") for name in value}


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    return kinds.get(type(value), f"the number {value}" if isinstance(value, int | float) else type(value).__name__)
