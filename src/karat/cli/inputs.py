"""The options that commands share: where the texts are, what to measure with, and where the result goes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from karat.cli.command import WRITTEN
from karat.cli.parameters import INPUT, METRIC, OUTPUT, SYSTEM, THREADS, only_one, single_specs
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.report.forms import FORMS
from karat.results.base import DIGITS
from karat.service.annotating import AnnotatedTexts
from karat.service.choices import want_only_sources
from karat.service.inputs import CorpusFile, Files, Input, PublishedTestSet, refuse_metric_name
from karat.service.scoring import DEFAULT_METRICS
from karat.service.vocabulary.texts import system_arguments

if TYPE_CHECKING:
    from karat.service.vocabulary.texts import Pairs, Targeted

OUTPUT_HELP = "Write to a file; it appears when it is complete."

Command = Callable[..., Any]
T = TypeVar("T")


@dataclass(frozen=True)
class InputOptions:
    """What the command line says about texts and metrics."""

    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    references: tuple[str, ...]
    corpus: str | None
    test_set: str | None
    language_pair: str | None
    input_format: str | None
    named_columns: tuple[str, ...]
    column_lists: tuple[str, ...]
    source: str | None = None
    documents: str | None = None
    threads: int | None = None
    metrics: tuple[str, ...] = ()
    post_edits: Targeted = "never"
    annotations: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, named after the options or by -i, in the order in which they were written."""
        given = (*self.arguments, *self.outputs)
        if not (self.arguments and self.outputs):
            return given
        written = click.get_current_context().meta.get(WRITTEN, ())
        places = {system: i for i, text in reversed([*enumerate(written)]) for system in given if text.endswith(system)}
        return tuple(sorted(given, key=lambda system: places.get(system, len(written))))

    @property
    def has_texts(self) -> bool:
        """Whether anything is named that systems could be scored against."""
        return bool(self.references or self.corpus or self.test_set)

    @property
    def told(self) -> tuple[str, ...]:
        """The options given that tell what the texts are, and what to measure with."""
        known = {
            "-r": self.references,
            "-s": self.source,
            "-m": self.metrics,
            "--corpus": self.corpus,
            "-t": self.test_set,
            "-l": self.language_pair,
            "--documents": self.documents,
            "--input-format": self.input_format,
            "--column": self.named_columns,
            "--columns": self.column_lists,
            "--post-edits": self.post_edits != "never",
            "--annotations": self.annotations,
        }
        return tuple(option for option, value in known.items() if value)

    def wanted_metrics(self) -> tuple[str, ...]:
        """The specs of the metrics and suites asked for, or of the usual metrics."""
        return self.metrics or DEFAULT_METRICS

    @property
    def columns(self) -> Pairs:
        """What columns of tables are, and their names."""
        return column_pairs((*self.named_columns, *(pair for text in self.column_lists for pair in text.split(","))))

    def texts(self, *, source_is_enough: bool = False, references_are_enough: bool = False) -> Input:
        """Where the texts are; contradictions are refused, and a lack of references, unless a source is enough, or of
        systems, unless references are."""
        if self.corpus is not None:
            if self.references or self.source or self.documents or self.test_set:
                raise InputError("--corpus holds everything: leave out -r, -s, -t and --documents")
            return self.annotated(
                CorpusFile(self.corpus, self.input_format, self.language_pair, self.systems, self.columns)
            )
        if not self.systems and not references_are_enough:
            raise InputError("no system output was given: name one or more files after the options, or - for stdin")
        return self.texts_of(system_arguments(self.systems), source_is_enough=source_is_enough)

    def texts_of(self, named: tuple[tuple[str, str], ...], *, source_is_enough: bool = False) -> Input:
        """The same, of systems in files of their own whose names are known."""
        if self.test_set is not None:
            if self.references or self.source:
                raise InputError("-t brings its own source and references: leave out -r and -s")
            if self.language_pair is None:
                raise InputError("-t needs the language pair too: -l en-de, for instance")
            return self.annotated(PublishedTestSet(self.test_set, self.language_pair, named))
        source_is_enough = source_is_enough or want_only_sources(self.wanted_metrics())
        if not self.references and not (source_is_enough and self.source):
            more = ", or the source with -s FILE" if source_is_enough else ""
            remedy = f"add -r FILE (repeat it for several references){more}"
            raise InputError(f"no reference was given: {remedy}{self._hint()}")
        for _, path in named:
            if not os.path.exists(path):  # noqa: PTH110 - Path raises for a long name
                refuse_metric_name(path, f"there is no file {path}")
        files = Files(
            self.references,
            named,
            self.source,
            self.documents,
            self.input_format,
            self.language_pair,
            self.columns,
        )
        return self.annotated(files)

    def annotated(self, texts: Input) -> Input:
        """The texts with the files of annotations, if there are any."""
        return AnnotatedTexts(texts, named_files("--annotations", self.annotations)) if self.annotations else texts

    def _hint(self) -> str:
        """What is told to somebody who writes `REFERENCE -i SYSTEM`."""
        if not (self.arguments and self.outputs):
            return ""
        return f"; {self.arguments[0]} counts as the output of a system, since only -r names references"


@dataclass(frozen=True)
class OutputOptions:
    """What the command line says about the result."""

    form: str
    digits: int
    output: str | None
    html: str | None
    quiet: bool


def input_options(command: Command) -> Command:
    """Give a command the options of `InputOptions`, as its argument `given`."""
    before, after = _text_options()
    metrics = click.option(
        "-m", "--metric", "metrics", type=METRIC, callback=single_specs, multiple=True, metavar="SPEC", help=METRIC_HELP
    )
    post_edits = click.option(
        "--post-edits",
        type=click.Choice(["never", "instead", "beside"]),
        default="never",
        show_default=True,
        help="Use a system's own post-edits, instead of the references or beside them.",
    )
    annotations = click.option("--annotations", type=SYSTEM, multiple=True, metavar="NAME=FILE", help=ANNOTATIONS_HELP)
    return packed(command, "given", InputOptions, *before, metrics, *after, post_edits, annotations, _threads_option())


def text_options(command: Command) -> Command:
    """The same for a command that looks at the texts and scores nothing."""
    before, after = _text_options()
    return packed(command, "given", InputOptions, *before, *after, _threads_option())


def reference_options(command: Command) -> Command:
    """The same for a command that needs references only, and to which neither source nor documents matter."""
    before, after = _text_options(source=False, documents=False)
    return packed(command, "given", InputOptions, *before, *after, _threads_option())


def source_options(command: Command) -> Command:
    """The same for a command that only copies the texts."""
    before, after = _text_options()
    return packed(command, "given", InputOptions, *before, *after)


def _threads_option() -> Callable[[Command], Command]:
    return click.option("-j", "--threads", type=THREADS, help=THREADS_HELP)


def _text_options(
    *, source: bool = True, documents: bool = True
) -> tuple[Sequence[Callable[[Command], Command]], Sequence[Callable[[Command], Command]]]:
    """Where the texts are, and what they are."""
    files = (
        click.argument("arguments", type=SYSTEM, nargs=-1, metavar="[NAME=]SYSTEM..."),
        click.option("-i", "--input", "outputs", type=SYSTEM, multiple=True, metavar="[NAME=]SYSTEM", help=INPUT_HELP),
        click.option(
            "-r", "--reference", "references", type=INPUT, multiple=True, metavar="FILE", help=REFERENCES_HELP
        ),
        *((click.option("-s", "--source", type=INPUT, metavar="FILE", help=SOURCE_HELP),) if source else ()),
    )
    described = (
        click.option("--corpus", type=INPUT, multiple=True, callback=only_one, metavar="PATH", help=CORPUS_HELP),
        click.option("-t", "--test-set", metavar="NAME", help=TEST_SET_HELP),
        click.option("-l", "--language-pair", metavar="XX-YY", help=LANGUAGES_HELP),
        *((click.option("--documents", type=INPUT, metavar="FILE", help=DOCUMENTS_HELP),) if documents else ()),
        click.option("--input-format", metavar="NAME", help=FORMAT_HELP),
        click.option("--column", "named_columns", multiple=True, metavar="WHAT=NAME", help=COLUMN_HELP),
        click.option("--columns", "column_lists", multiple=True, metavar="WHAT=NAME,...", help=COLUMNS_HELP),
    )
    return files, described


def output_options(
    command: Command, digits: int = DIGITS, forms: tuple[str, ...] = FORMS, output_help: str = OUTPUT_HELP
) -> Command:
    """Give a command the options of `OutputOptions`, as its argument `wanted`; `digits` are shown by default.

    Of the `forms`, the first one is that of a command which is asked for none.
    """
    return packed(
        command,
        "wanted",
        OutputOptions,
        click.option("-f", "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True),
        click.option("--json", "form", flag_value="json", help="The same as --format json."),
        click.option(
            "-w",
            "--width",
            "digits",
            type=click.IntRange(0, 17),
            default=digits,
            show_default=True,
            help="Digits shown.",
        ),
        click.option("-o", "--output", type=OUTPUT, multiple=True, callback=only_one, metavar="FILE", help=output_help),
        click.option("--html", type=OUTPUT, metavar="FILE", help=HTML_HELP),
        click.option("-q", "--quiet", is_flag=True, help="No warnings."),
    )


def packed(command: Command, name: str, cls: type[T], *options: Callable[[Command], Command]) -> Command:
    """A command with more options, which reach it as one object of the class under a name."""
    fields = tuple(cls.__dataclass_fields__)  # type: ignore[attr-defined]

    @wraps(command)
    def with_options(**arguments: Any) -> Any:
        mine = {field: arguments.pop(field) for field in fields if field in arguments}
        return command(**{name: cls(**mine)}, **arguments)

    wrapped: Command = with_options
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def named_files(option: str, texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Names and files, each given as NAME=FILE."""
    return tuple(_pair(option, text, "NAME=FILE, with the name of a system or reference") for text in texts)


def column_pairs(texts: tuple[str, ...]) -> Pairs:
    """What columns are and their names, each given as WHAT=NAME."""
    return tuple(_pair("--column", text, "WHAT=NAME, such as source=Quelle") for text in texts)


def _pair(option: str, text: str, form: str) -> tuple[str, str]:
    """What stands before and behind the first equals sign."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise InputError(f"{option} {text}: write {form}")
    return name, value


def run_arguments(arguments: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The names of systems and the files of their runs: `name=run1.txt,run2.txt`, or one file.

    A path that exists as it stands is one path, commas or not.
    """
    return tuple(
        (name, _runs(path, argument))
        for (name, path), argument in zip(system_arguments(arguments), arguments, strict=True)
    )


def _runs(path: str, argument: str) -> tuple[str, ...]:
    if "," not in path or os.path.exists(path):  # noqa: PTH110 - Path raises for a long name
        return (path,)
    paths = tuple(path.split(","))
    if not all(paths):
        raise InputError(f"{argument}: a run has no file; write NAME=RUN1,RUN2 without spaces or empty names")
    if path == argument:
        raise InputError(f"{argument}: several runs need a name for their system: NAME={argument}")
    return paths


HTML_HELP = "Write one page of HTML, too, that needs nothing else."
INPUT_HELP = "The output of a system, as if it stood after the options."
REFERENCES_HELP = "References; repeat for several."
SOURCE_HELP = "The source text: lets karat warn about untranslated output."
METRIC_HELP = "A metric, such as 'chrf(word_order=2)', or a suite: suite:classic, suite:linguistic, suite:all."
CORPUS_HELP = (
    "One input for all: JSONL, TSV, Parquet, XML, a directory, a manifest, or a pattern such as 'parts/*.parquet'."
)
TEST_SET_HELP = "A published test set of the sacrebleu package, such as wmt22."
LANGUAGES_HELP = "The language pair; it decides the tokenizer of BLEU."
DOCUMENTS_HELP = "Which document each segment belongs to, one label per line."
FORMAT_HELP = "The format of the input, where the file name does not tell."
COLUMN_HELP = "What a column of a table is: source=Quelle, score=COMET; repeat for several."
COLUMNS_HELP = "The same for several at once: source=src,reference=ref,hypothesis=mt."
ANNOTATIONS_HELP = (
    "What is known of a text's words: CoNLL-U, .trees or JSONL, for a system, a reference, 'reference' or 'source'."
)
RATING_COLUMN_HELP = "What a column of a table of ratings is: value=Note, rater=Wer; repeat for several."
THREADS_HELP = "Threads; as many as there are cores by default."
