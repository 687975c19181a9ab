"""Very large corpora, some segments at a time: aligned plain text files are read in lockstep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from karat.corpus.columns import PartialColumn
from karat.corpus.files import FilePath, InputFile, refuse_second_stdin
from karat.corpus.linefile import LineFile, refuse_different_lengths
from karat.corpus.model import Corpus
from karat.corpus.naming import listed, reference_names, refuse_repeated_systems
from karat.corpus.readers.base import reader_for
from karat.corpus.readers.text import TextReader
from karat.errors import InputError
from karat.text import TextColumn

BLOCK_SEGMENTS = 20_000


def is_streamable(path: FilePath, format: str | None = None) -> bool:  # noqa: A002
    """Whether a file can be read in blocks: plain text, compressed or not."""
    return isinstance(reader_for(InputFile.of(path), format), TextReader)


def stream_blocks(
    references: FilePath | Sequence[FilePath],
    systems: Iterable[tuple[str, FilePath]],
    source: FilePath | None = None,
    block_segments: int = BLOCK_SEGMENTS,
) -> Iterator[Corpus]:
    """The corpus of aligned text files as a series of corpora; never more than one block is held.

    Files of different lengths are refused when the shortest one ends; the error has the same words as that of
    `load_corpus`.
    """
    if block_segments < 1:
        raise InputError(f"a block must have at least one segment, not {block_segments}")
    reference_files = [InputFile.of(path) for path in listed(references)]
    system_files = [(name, InputFile.of(path)) for name, path in systems]
    refuse_repeated_systems(system_files)
    files = [*reference_files, *(file for _, file in system_files)]
    files += [] if source is None else [InputFile.of(source)]
    if not files:
        raise InputError("there are no files to read")
    refuse_second_stdin(files)
    names = reference_names(reference_files)
    first_segment = 1
    line_files = [LineFile(file) for file in files]
    for columns in _lockstep(line_files, block_segments):
        yield Corpus(
            references={name: PartialColumn(column) for name, column in zip(names, columns, strict=False)},
            systems={name: column for (name, _), column in zip(system_files, columns[len(names) :], strict=False)},
            source=None if source is None else columns[-1],
            first_segment=first_segment,
            share_read=next((share for file in line_files if (share := file.share_read) is not None), None),
        )
        first_segment += len(columns[0])


def _lockstep(files: list[LineFile], count: int) -> Iterator[list[TextColumn]]:
    """The next lines of all files, until all end together."""
    while True:
        columns = [file.take(count) for file in files]
        if len({len(column) for column in columns}) > 1:
            refuse_different_lengths([(file.file.name, file.lines_read + file.count_rest()) for file in files])
        if not len(columns[0]):
            break
        yield columns
    if files[0].lines_read == 0:
        raise InputError(f"{files[0].file.name} is empty: it has no segment")
