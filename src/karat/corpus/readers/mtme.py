"""A test set in the layout of mt-metrics-eval.

::

    sources/en-de.txt                     one segment per line
    references/en-de.refA.txt             a reference by name
    documents/en-de.docs                  domain<TAB>document per line
    system-outputs/en-de/Online-A.txt     a system by name

An output that bears the name of a reference and has the same text is that reference, so it is not listed as a system.
Scores of metrics and people are not read.
"""

from __future__ import annotations

from pathlib import Path

from karat.corpus.columns import PartialColumn
from karat.corpus.contents import Contents
from karat.corpus.files import InputFile
from karat.corpus.labels import read_labels
from karat.corpus.linefile import LineFile, refuse_different_lengths
from karat.corpus.model import split_language_pair
from karat.corpus.readers.base import Reader, register
from karat.errors import InputError, did_you_mean
from karat.text import TextColumn


@register
class MtmeReader(Reader):
    """Reads an mt-metrics-eval directory."""

    name = "mtme"
    description = "directory in the layout of mt-metrics-eval"
    directory = True

    @classmethod
    def recognises(cls, file: InputFile) -> bool:
        """A directory with sources and references or outputs."""
        parts = ("references", "system-outputs")
        return file.is_directory and (file.path / "sources").is_dir() and any((file.path / p).is_dir() for p in parts)

    def read(self, file: InputFile, language_pair: str | None = None) -> Contents:
        """Everything but the scores."""
        directory, pair = file.path, _pair(file, language_pair)
        source = directory / "sources" / f"{pair}.txt"
        references = _named(directory / "references", f"{pair}.*.txt", f"{pair}.")
        systems = _named(directory / "system-outputs" / pair, "*.txt", "")
        columns = {path: LineFile(InputFile(str(path))).rest() for path in [source, *references, *systems]}
        refuse_different_lengths([(str(path), len(column)) for path, column in columns.items()])
        labels = directory / "documents" / f"{pair}.docs"
        documents, domains = read_labels(InputFile(str(labels))) if labels.exists() else (None, None)
        if documents is not None:
            refuse_different_lengths([(str(source), len(columns[source])), (str(labels), len(documents))])
        source_language, target_language = split_language_pair(pair)
        return Contents(
            file=file,
            source=PartialColumn(columns[source]),
            references={name: PartialColumn(columns[path]) for path, name in references.items()},
            systems=_without_references(file, references, systems, columns),
            documents=documents,
            domains=domains,
            source_language=source_language,
            target_language=target_language,
            metadata={"test_set": directory.resolve().name},
        )


def _pair(file: InputFile, wanted: str | None) -> str:
    pairs = sorted(path.stem for path in (file.path / "sources").glob("*.txt"))
    if not pairs:
        raise InputError(f"{file.name} is empty: there is no sources/LANGUAGE-PAIR.txt")
    if wanted is not None and wanted not in pairs:
        raise InputError(f"{file.name} has no language pair {wanted}.{did_you_mean(wanted, pairs)}")
    if wanted is None and len(pairs) > 1:
        raise InputError(f"{file.name} has the language pairs {', '.join(pairs)}: name the one that is meant")
    return wanted or pairs[0]


def _named(directory: Path, pattern: str, prefix: str) -> dict[Path, str]:
    """Files and the names of what they hold."""
    return {path: path.stem[len(prefix) :] for path in sorted(directory.glob(pattern))}


def _without_references(
    file: InputFile, references: dict[Path, str], systems: dict[Path, str], columns: dict[Path, TextColumn]
) -> dict[str, PartialColumn]:
    by_name = {name: columns[path] for path, name in references.items()}
    kept = {}
    for path, name in systems.items():
        reference = by_name.get(name)
        if reference is None:
            kept[name] = PartialColumn(columns[path])
        elif reference.digest() != columns[path].digest():
            raise InputError(f"{file.name}: the output {name} bears the name of a reference, but differs from it")
    return kept
