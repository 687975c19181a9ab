"""Where the texts come from: aligned files, one corpus file, a manifest, or a published test set."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from karat.corpus import Diagnostic, is_streamable, split_language_pair, stream_blocks
from karat.corpus.files import InputFile
from karat.errors import InputError, MissingExtraError, did_you_mean
from karat.metrics.framework.wanted import lack_in
from karat.quick_dataclasses import dataclass
from karat.registry import metric_names
from karat.rows import SUM_BLOCK
from karat.text import default_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from karat.corpus import Corpus, References
    from karat.corpus.column_names import Pairs
    from karat.corpus.given_scores import MtmeScores
    from karat.corpus.manifest import ManifestEntry
    from karat.corpus.streams.testset import TableStream
    from karat.metrics.base import Metric

BLOCK_SEGMENTS = 5 * SUM_BLOCK
"""Segments per block of a stream: whole blocks of summation, so that a stream and a table give the same bits."""

ALL_PAIRS = "all"
"""In place of a language pair: every one there is, or every one that is not named."""


@dataclass(frozen=True)
class TestSet:
    """One set of segments to score systems on; its blocks are read when they are asked for."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    name: str | None
    tokenizer: str | None
    blocks: Callable[[], Iterable[Corpus]]
    language: str | None = None
    references: Callable[[], Iterable[References]] | None = None
    """Of a stream, what reads the references alone, block by block; None where all comes in one block."""
    language_pair: str | None = None
    given: Callable[[], MtmeScores] | None = None
    """What reads the scores and judgements that come with the test set."""
    annotated: bool = False
    """Whether annotations come with the texts, so that none are to be made."""
    lack: Callable[[Metric], str | None] | None = None
    """What tells what a metric wants that the texts lack, where these have been looked at."""

    def adapted(self, metric: Metric) -> Metric:
        """The metric as the target language calls for it; what was written in its spec stays as it is."""
        fitting = metric if self.language is None else metric.for_language(self.language)
        if self.annotated:
            fitting = fitting.with_given_annotations()
        return fitting if self.tokenizer is None else fitting.read_by(self.tokenizer)

    def looked_at(self) -> TestSet:
        """The same, with what its first block lacks known; its blocks can then be read once."""
        blocks = iter(self.blocks())
        first = next(blocks)
        return dataclasses.replace(self, lack=partial(lack_in_corpus, first), blocks=lambda: chain([first], blocks))


def lack_in_corpus(corpus: Corpus, metric: Metric) -> str | None:
    """What a metric wants that a corpus lacks."""
    if metric.wants - {"sources"} and not corpus.references:
        return "references are wanted, and were not given"
    return lack_in(metric, corpus.references_for(wants=metric.wants), corpus.systems)


def unnamed_language(metrics: Iterable[Metric]) -> list[Diagnostic]:
    """A warning where metrics need to know the language, and nobody has named it."""
    names = [metric.name for metric in metrics if getattr(metric, "language", "") is None]
    if not names:
        return []
    message = (
        f"{', '.join(names)}: no language was named, so stems and word lists are the English ones; "
        "name the languages with -l XX-YY, or in the metric with language=XX"
    )
    return [Diagnostic("language", message)]


ALONE = "give its files, or a manifest of it alone"


def refuse_several(names: Sequence[str | None], remedy: str = ALONE) -> None:
    """Refuse several test sets where one is looked at."""
    if len(names) != 1:
        there = ", ".join(name or "" for name in names)
        raise InputError(f"there are {len(names)} test sets ({there}): this takes one at a time; {remedy}")


def only_block(testsets: Sequence[TestSet]) -> tuple[TestSet, Corpus]:
    """The one test set there is, and all of its texts."""
    refuse_several([testset.name for testset in testsets])
    (corpus,) = testsets[0].blocks()
    return testsets[0], corpus


class Input(Protocol):
    """Anything that gives test sets."""

    def testsets(self, *, whole: bool, twice: bool = False) -> list[TestSet]:
        """The test sets; `whole` asks for each as one block, with its documents.

        `twice` says that references will be read before the blocks are: a stream that cannot be read again, such as
        standard input, then comes as one block, too.
        """
        ...


def one_testset(
    language_pair: str | None,
    blocks: Callable[[], Iterable[Corpus]],
    references: Callable[[], Iterable[References]] | None = None,
) -> list[TestSet]:
    """A test set without a name, with the tokenizer that its target language calls for."""
    if not language_pair:
        return [TestSet(None, None, blocks, references=references)]
    target = split_language_pair(language_pair)[1]
    return [TestSet(None, default_tokenizer(target), blocks, target, references, language_pair)]


@dataclass(frozen=True)
class Files:
    """Aligned files: references, systems, perhaps a source and documents."""

    references: tuple[str, ...]
    systems: tuple[tuple[str, str], ...]
    source: str | None = None
    documents: str | None = None
    format: str | None = None
    language_pair: str | None = None
    columns: Pairs = ()

    def testsets(self, *, whole: bool, twice: bool = False) -> list[TestSet]:
        """The one test set; streamed where the format allows it and no document labels are wanted."""
        paths = [*self.references, *(path for _, path in self.systems), *([self.source] if self.source else [])]
        streaming = not whole and self.documents is None and all(is_streamable(path, self.format) for path in paths)
        if not streaming or (twice and not all(InputFile.of(path).is_lasting for path in self.references)):
            return one_testset(self.language_pair, self._load)
        return one_testset(self.language_pair, self._stream, self._stream_references)

    def _stream_references(self) -> Iterable[References]:
        blocks = stream_blocks(self.references, (), block_segments=BLOCK_SEGMENTS)
        return (block.references_for() for block in blocks)

    def _stream(self) -> Iterable[Corpus]:
        return stream_blocks(self.references, self.systems, source=self.source, block_segments=BLOCK_SEGMENTS)

    def _load(self) -> Iterable[Corpus]:
        from karat.corpus import load_corpus

        yield load_corpus(
            references=self.references,
            systems=self.systems,
            source=self.source,
            documents=self.documents,
            format=self.format,
            language_pair=self.language_pair,
            columns=self.columns,
        )


@dataclass(frozen=True)
class CorpusFile:
    """One file or directory that holds everything, or a manifest of several."""

    path: str
    format: str | None = None
    language_pair: str | None = None
    systems: tuple[str, ...] = ()
    columns: Pairs = ()

    def testsets(self, *, whole: bool, twice: bool = False) -> list[TestSet]:  # noqa: ARG002 - can be read again
        """The test sets of a manifest, or the one of a corpus file or of several; tables are streamed."""
        from karat.corpus import read_corpus, read_manifest

        if self.path.endswith(".toml"):
            return [
                TestSet(
                    label(entry),
                    tokenizer_of(entry),
                    partial(self._selected, entry.load),
                    entry.target_language,
                    language_pair=entry.language_pair,
                )
                for entry in read_manifest(self.path)
            ]
        if self._is_tables:
            read_all = partial(self._selected, self._joined)
            return self._streamed() if not whole else one_testset(self.language_pair, read_all)
        if not whole and self._is_long:
            return self._streamed()
        read = partial(
            read_corpus, self.path, format=self.format, language_pair=self.language_pair, columns=self.columns
        )
        return one_testset(self.language_pair, partial(self._selected, read))

    @property
    def _is_tables(self) -> bool:
        """Whether these are tables that are never read whole at once: many files, or one of an object store."""
        from karat.corpus.streams.files import is_pattern
        from karat.corpus.streams.testset import is_streamed

        file = InputFile.of(self.path)
        return is_pattern(self.path) or (file.is_remote and is_streamed(file, self.format))

    @property
    def _is_long(self) -> bool:
        """Whether this is a table of more rows than a block has."""
        from karat.corpus.streams.testset import is_streamed

        file = InputFile.of(self.path)
        if not is_streamed(file, self.format):
            return False
        return self._tables().outgrows_a_block()

    def _tables(self) -> TableStream:
        from karat.corpus.streams.files import files_of
        from karat.corpus.streams.testset import TableStream

        return TableStream(files_of(self.path), self.format, self.columns)

    def _joined(self) -> Corpus:
        return self._tables().whole()

    def _streamed(self) -> list[TestSet]:
        def blocks() -> Iterable[Corpus]:
            return self._with_systems(self._tables().blocks())

        def references() -> Iterable[References]:
            return (block.references_for() for block in self._tables().references())

        return one_testset(self.language_pair, blocks, references)

    def _with_systems(self, blocks: Iterable[Corpus]) -> Iterator[Corpus]:
        """The blocks with the systems asked for; each has all of them, or is of one system."""
        seen: set[str] = set()
        for block in blocks:
            seen.update(block.systems)
            if not self.systems:
                yield block
            elif named := [name for name in self.systems if name in block.systems]:
                yield block.select(systems=named)
        for name in self.systems:
            if name not in seen:
                refuse_metric_name(name, f"the corpus has no system {name!r}")
                raise InputError(
                    f"the corpus has no system {name!r}.{_about_patterns(name) or did_you_mean(name, seen)}"
                )

    def _selected(self, load: Callable[[], Corpus]) -> Iterable[Corpus]:
        corpus = load()
        for name in self.systems:
            if name not in corpus.systems:
                refuse_metric_name(name, f"the corpus has no system {name!r}")
                if hint := _about_patterns(name):
                    raise InputError(f"the corpus has no system {name!r}.{hint}")
        yield corpus.select(systems=self.systems) if self.systems else corpus


def _about_patterns(name: str) -> str:
    """A hint for somebody whose shell made a list of files out of a pattern."""
    there = InputFile.of(name).is_lasting
    return (
        " It is a file: for many files at once, put the pattern in quotes, --corpus 'parts/*.parquet'" if there else ""
    )


def refuse_metric_name(name: str, problem: str) -> None:
    """Tell somebody who writes `-m bleu chrf` how several metrics are named."""
    if name.partition("(")[0] in metric_names():
        raise InputError(f"{problem}, but there is such a metric: write -m before each metric, -m {name}")


def tokenizer_of(entry: ManifestEntry) -> str | None:
    """The tokenizer that a manifest names for a test set, or that its target language calls for."""
    return entry.tokenizer or (default_tokenizer(entry.target_language) if entry.target_language else None)


def label(entry: ManifestEntry) -> str:
    """The heading of a test set in a table: its name and languages."""
    return f"{entry.name} {entry.language_pair}" if entry.language_pair else entry.name


@dataclass(frozen=True)
class ScoreDirectory:
    """A directory of mt-metrics-eval with what people and metrics said: a test set for each language pair.

    `gold` names the judgements, MQM or the first there are if it is not given. `standard_references` name the one
    reference by which a language pair is scored, "all" that of every pair which is not named: other references are then
    outputs of people, and scores against them are left out.
    """

    path: str
    language_pairs: tuple[str, ...] = ()
    gold: str | None = None
    standard_references: Mapping[str, str] = field(default_factory=dict)

    def testsets(self, *, whole: bool, twice: bool = False) -> list[TestSet]:  # noqa: ARG002 - always read whole
        """The language pairs asked for."""
        pairs = self._pairs()
        for named in self.standard_references:
            if named not in (*pairs, ALL_PAIRS):
                raise InputError(f"there is a standard reference of {named}, and only {', '.join(pairs)} is looked at")
        return [self._testset(pair) for pair in pairs]

    def _pairs(self) -> Sequence[str]:
        from karat.corpus.given_scores import language_pairs

        there = language_pairs(self.path)
        if self.language_pairs == (ALL_PAIRS,):
            return there
        if not self.language_pairs and len(there) > 1:
            raise InputError(
                f"{self.path} has {', '.join(there)}: choose one with --language-pair, or all of them with all"
            )
        for pair in self.language_pairs:
            if pair not in there:
                raise InputError(f"{self.path} has no judgements of {pair}; there is: {', '.join(there)}")
        return tuple(dict.fromkeys(self.language_pairs)) or there

    def _testset(self, pair: str) -> TestSet:
        from karat.corpus.given_scores import read_mtme_directory

        (texts,) = CorpusFile(self.path, language_pair=pair).testsets(whole=True)
        standard = self.standard_references.get(pair, self.standard_references.get(ALL_PAIRS))
        given = partial(read_mtme_directory, self.path, pair, self.gold, standard)
        blocks = texts.blocks if standard is None else partial(_against, texts.blocks, standard)
        return dataclasses.replace(texts, name=pair, given=given, blocks=blocks)


def _against(blocks: Callable[[], Iterable[Corpus]], standard: str) -> Iterable[Corpus]:
    """The texts with one reference; the others are outputs of people that may be scored like any system."""
    for corpus in blocks():
        others = {name: column.text for name, column in corpus.references.items() if name != standard}
        against = corpus.select(references=[standard])
        yield dataclasses.replace(against, systems={**corpus.systems, **others})


@dataclass(frozen=True)
class PublishedTestSet:
    """A test set that the sacrebleu package knows, such as wmt22 en-de."""

    name: str
    language_pair: str
    systems: tuple[tuple[str, str], ...]

    def testsets(self, *, whole: bool, twice: bool = False) -> list[TestSet]:
        """The one test set, with the source and references that sacreBLEU fetched."""
        try:
            from sacrebleu.utils import get_available_testsets, get_reference_files, get_source_file
        except ImportError as error:
            raise MissingExtraError(f"the test set {self.name}", "testsets") from error
        if self.name not in get_available_testsets():
            raise InputError(f"sacreBLEU has no test set {self.name!r}; list them with: sacrebleu --list")
        try:
            source = get_source_file(self.name, self.language_pair)
            references = tuple(get_reference_files(self.name, self.language_pair))
        except Exception as error:
            raise InputError(f"sacreBLEU could not provide {self.name} {self.language_pair}: {error}") from error
        files = Files(references, self.systems, source=source, language_pair=self.language_pair)
        return files.testsets(whole=whole, twice=twice)
