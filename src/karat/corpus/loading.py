"""Corpora from files: one column per file, or everything in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from karat.arguments import pairs
from karat.corpus.column_names import ColumnNames, Pairs
from karat.corpus.columns import PartialColumn
from karat.corpus.contents import Contents
from karat.corpus.files import FilePath, InputFile, refuse_second_stdin
from karat.corpus.labels import read_labels
from karat.corpus.linefile import refuse_different_lengths
from karat.corpus.model import Corpus, split_language_pair
from karat.corpus.naming import listed, reference_names, refuse_repeated_systems
from karat.corpus.readers.base import reader_for
from karat.corpus.readers.text import TextReader
from karat.corpus.records import EXPECTED, text_columns
from karat.errors import InputError


def read_corpus(
    path: FilePath,
    format: str | None = None,  # noqa: A002
    language_pair: str | None = None,
    columns: Pairs = (),
) -> Corpus:
    """The corpus in one file or directory: JSONL, TSV, CSV, Parquet, WMT XML, mt-metrics-eval, ...

    `columns` say what those of a table are where their names do not: (("source", "Quelle"), ...).
    """
    file = InputFile.of(path)
    reader = reader_for(file, format, text_columns(ColumnNames.of(columns, whole=True)))
    if isinstance(reader, TextReader):
        raise InputError(
            f"{file.name} is read as plain text, which is one column only: give it as a reference or system, or name "
            "the format of the whole corpus (jsonl, tsv, csv, parquet, wmt, ...)"
        )
    contents = reader.read(file, language_pair)
    ignored = contents.metadata.get("ignored_columns", ())
    if len(contents) and not contents.systems and ignored:
        raise InputError(
            f"{file.name} has no system: the columns {', '.join(ignored)} are not known; expected are {EXPECTED}"
        )
    return contents.corpus()


def load_corpus(
    references: FilePath | Sequence[FilePath],
    systems: Mapping[str, FilePath] | Iterable[tuple[str, FilePath]],
    source: FilePath | None = None,
    documents: FilePath | None = None,
    format: str | None = None,  # noqa: A002
    *,
    targeted: Mapping[str, FilePath] | Iterable[tuple[str, FilePath]] = (),
    language_pair: str | None = None,
    columns: Pairs = (),
) -> Corpus:
    """A corpus of separate, aligned files; each may have its own format unless one is named for all.

    `documents` is a text file with a document per line, or domain, tab and document. `targeted` names the references of
    single systems, such as their post-edits.
    """
    reference_files = [InputFile.of(path) for path in listed(references)]
    system_files = [(name, InputFile.of(path)) for name, path in pairs(systems, "systems")]
    targeted_files = [(name, InputFile.of(path)) for name, path in pairs(targeted, "targeted references")]
    refuse_repeated_systems(system_files)
    refuse_repeated_systems(targeted_files)
    others = [InputFile.of(path) for path in (source, documents) if path is not None]
    others += [file for _, file in targeted_files]
    refuse_second_stdin([*reference_files, *(file for _, file in system_files), *others])
    loader = _Loader(format, language_pair, text_columns(ColumnNames.of(columns)))
    loader.add_references(reference_files)
    for name, file in system_files:
        loader.add_system(name, file)
    for name, file in targeted_files:
        loader.add_targeted(name, file)
    if source is not None:
        loader.add_source(InputFile.of(source))
    return loader.corpus(None if documents is None else InputFile.of(documents))


class _Loader:
    """Collects columns from files, reading each file once."""

    def __init__(self, format: str | None, language_pair: str | None, columns: ColumnNames) -> None:  # noqa: A002
        self._format = format
        self._columns = columns
        self._language_pair = language_pair
        self._read: dict[InputFile, Contents] = {}
        self._references: dict[str, PartialColumn] = {}
        self._systems: dict[str, PartialColumn] = {}
        self._targeted: dict[str, PartialColumn] = {}
        self._source: PartialColumn | None = None
        self._owners: list[tuple[str, Contents, PartialColumn]] = []

    def _contents(self, file: InputFile) -> Contents:
        if file not in self._read:
            contents = reader_for(file, self._format, self._columns).read(file, self._language_pair)
            first = next((other for other in self._read.values() if other.keys is not None), None)
            if first is not None:
                contents = contents.in_order_of(first)
            self._refuse_other_ids(contents)
            self._read[file] = contents
        return self._read[file]

    def _refuse_other_ids(self, contents: Contents) -> None:
        """Files that are joined by order must not contradict it by the ids they give."""
        others = (other for other in self._read.values() if other.ids is not None and other.keys is None)
        first = next(others, None)
        if first is None or first.ids is None or contents.ids is None or contents.keys is not None:
            return
        for number, (segment_id, first_id) in enumerate(zip(contents.ids, first.ids, strict=False), 1):
            if segment_id != first_id:
                raise InputError(
                    f"segment {number} is {segment_id!r} in {contents.file.name}, "
                    f"but {first_id!r} in {first.file.name}: bring them into the same order"
                )

    def add_references(self, files: Sequence[InputFile]) -> None:
        """The references of some files; a file may hold several."""
        for name, file in zip(reference_names(files), files, strict=True):
            contents = self._contents(file)
            references = contents.references or ({name: contents.text} if contents.text is not None else {})
            if not references:
                raise InputError(f"{file.name} has no references{_what_there_is(contents)}")
            for its_name, column in _renamed(references, self._references, name).items():
                self._references[its_name] = column
                self._owners.append(("", contents, column))

    def add_system(self, name: str, file: InputFile) -> None:
        """One system of a file."""
        contents = self._contents(file)
        if name in contents.systems:
            column = contents.systems[name]
        elif contents.text is not None:
            column = contents.text
        elif len(contents.systems) == 1:
            (column,) = contents.systems.values()
        elif contents.systems:
            known = ", ".join(contents.systems)
            raise InputError(f"{file.name} has the systems {known}: choose one by its name, as in NAME={file.name}")
        else:
            raise InputError(f"{file.name} has no system's output{_what_there_is(contents)}")
        self._systems[name] = column
        self._owners.append((f"system {name}", contents, column))
        if name in contents.targeted:
            self._targeted[name] = contents.targeted[name]

    def add_targeted(self, name: str, file: InputFile) -> None:
        """References of one system alone."""
        contents = self._contents(file)
        references = list(contents.references.values()) or ([contents.text] if contents.text is not None else [])
        if len(references) != 1:
            count = f"{len(references)} references" if references else f"no references{_what_there_is(contents)}"
            raise InputError(f"{file.name} has {count}, but one is wanted for {name}")
        self._targeted[name] = references[0]
        self._owners.append(("", contents, references[0]))

    def add_source(self, file: InputFile) -> None:
        """The source of a file."""
        contents = self._contents(file)
        self._source = contents.source if contents.source is not None else contents.text
        if self._source is None:
            raise InputError(f"{file.name} has no source{_what_there_is(contents)}")
        self._owners.append(("the source", contents, self._source))

    def corpus(self, documents: InputFile | None) -> Corpus:
        """The corpus of all columns, each as long as the others."""
        labels, domains, ids = self._labels(documents)
        counts = [(contents.file.name, len(column)) for _, contents, column in self._owners]
        if documents is not None and labels is not None:
            counts.append((documents.name, len(labels)))
        units = {contents.unit for _, contents, _ in self._owners}
        refuse_different_lengths(counts, "line" if units == {"line"} else "segment")
        if counts and counts[0][1] == 0:
            raise InputError(f"{counts[0][0]} is empty: it has no segment")
        complete = {id(column): contents.complete(column, what) for what, contents, column in self._owners if what}
        source_language, target_language = self._languages()
        return Corpus(
            systems={name: complete[id(column)] for name, column in self._systems.items()},
            references=self._references,
            targeted=self._targeted,
            source=None if self._source is None else complete[id(self._source)],
            documents=labels,
            domains=domains,
            ids=ids,
            source_language=source_language,
            target_language=target_language,
            metadata=self._metadata(),
        )

    def _metadata(self) -> dict[str, tuple[str, ...]]:
        """Columns that were left out, of all files."""
        read = self._read.values()
        ignored = dict.fromkeys(name for contents in read for name in contents.metadata.get("ignored_columns", ()))
        return {"ignored_columns": tuple(ignored)} if ignored else {}

    def _labels(
        self, documents: InputFile | None
    ) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None, tuple[str, ...] | None]:
        ids = next((contents.ids for contents in self._read.values() if contents.ids is not None), None)
        if documents is not None:
            return *read_labels(documents), ids
        labelled = (contents for contents in self._read.values() if contents.documents is not None)
        first = next(labelled, None)
        return (None, None, ids) if first is None else (first.documents, first.domains, ids)

    def _languages(self) -> tuple[str | None, str | None]:
        if self._language_pair:
            return split_language_pair(self._language_pair)
        read = self._read.values()
        return (
            next((contents.source_language for contents in read if contents.source_language), None),
            next((contents.target_language for contents in read if contents.target_language), None),
        )


def _renamed(
    references: Mapping[str, PartialColumn], taken: Mapping[str, PartialColumn], file_name: str
) -> dict[str, PartialColumn]:
    """References of a file that bear a name already taken get the file's name as well."""
    return dict(_unused(references, taken, file_name))


def _unused(
    references: Mapping[str, PartialColumn], taken: Mapping[str, PartialColumn], file_name: str
) -> Iterator[tuple[str, PartialColumn]]:
    for name, column in references.items():
        longer = f"{file_name}.{name}"
        if name in taken and longer in taken:
            raise InputError(f"two references are named {longer!r}")
        yield (longer if name in taken else name), column


def _what_there_is(contents: Contents) -> str:
    parts = {
        "a source": contents.source is not None,
        "references": bool(contents.references),
        "systems": bool(contents.systems),
        "a text": contents.text is not None,
    }
    present = " and ".join(part for part, is_there in parts.items() if is_there)
    return f", only {present}" if present else ": it is empty"
