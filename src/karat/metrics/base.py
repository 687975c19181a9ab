"""What a metric is: rows that add up, and a formula; everything else follows."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from karat.arguments import check_threads
from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.metrics.framework.identification import identity
from karat.metrics.framework.values import check_value, kinds
from karat.metrics.framework.wanted import lack_of_layers, refuse_lack
from karat.rows import Rows
from karat.text import TextColumn, as_column, default_tokenizer, has_spaces, needs_spaces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.identity import Identity, Signature
    from karat.metrics.framework.context import Context
    from karat.metrics.framework.crossing import CrossedStrings
    from karat.metrics.framework.values import Range
    from karat.rows import Values
    from karat.text.annotation import Layer

RowFunction = Callable[[TextColumn], "Values"]
"""The rows of some hypotheses against references that were prepared before."""

USUAL_TOKENIZER = "13a"
"""What most metrics use where no language asks for another."""

M = TypeVar("M", bound="type[Metric]")

registry: dict[str, type[Metric]] = {}
"""The metrics registered so far, by name."""


def register(metric: M) -> M:
    """Class decorator: make a metric known under its name."""
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        raise SpecError(f"{metric!r} is not a metric: derive its class from karat.Metric")
    taken = {*registry, *(alias for known in registry.values() for alias in known.aliases)}
    for name in (metric.name, *metric.aliases):
        if name in taken:
            raise SpecError(f"there are two metrics named {name!r}")
    registry[metric.name] = metric
    return metric


def parameter(
    default: Any,
    help: str,  # noqa: A002
    *,
    choices: tuple[str, ...] | None = None,
    within: Range | None = None,
) -> Any:
    """A dataclass field of a metric that says what it is for and which values it takes; a number needs a range."""
    return dataclasses.field(default=default, metadata={"help": help, "choices": choices, "within": within})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """A measure of translation quality; its parameters are its fields.

    A metric is a frozen dataclass with keyword-only fields made by `parameter`. It says how to get the rows of
    hypotheses (`row_function`) and how a summed row becomes a score (`aggregate`, elementwise over leading axes).
    """

    name: ClassVar[str]
    family: ClassVar[str]
    citation: ClassVar[str]
    aliases: ClassVar[dict[str, dict[str, Any]]] = {}
    higher_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    perfect_is_best: ClassVar[bool] = True
    wants: ClassVar[frozenset[str]] = frozenset({"references"})
    """What it measures with: references, sources, or both; or references of a special kind, which are in no suite."""
    cutting: ClassVar[frozenset[str]] = frozenset({"tokenize"})
    """The parameters that say how text becomes words."""

    def __new__(cls, **given: Any) -> Self:
        """A metric that remembers which of its parameters were written out."""
        metric = super().__new__(cls)
        object.__setattr__(metric, "_given", frozenset(given))
        return metric

    @property
    def given(self) -> frozenset[str]:
        """The parameters that were written out, be it with their defaults; no part of the metric's value."""
        return frozenset(self.__dict__["_given"])

    def __post_init__(self) -> None:
        fields = {field.name: field for field in dataclasses.fields(self)}
        for name, kind in kinds(type(self)).items():
            check_value(self.name, fields[name], kind, getattr(self, name))
        self.check()

    def check(self) -> None:  # noqa: B027 - most metrics have nothing to refuse
        """Refuse parameters that make no sense, alone or together."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the numbers in a row."""

    @abstractmethod
    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once; the result turns hypotheses into rows."""

    @property
    def context_key(self) -> str | None:
        """What is learnt from a whole set of references before any segment is scored, and how; mostly nothing."""
        return None

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What it must know of the words of hypotheses and references; mostly nothing."""
        return ()

    @property
    def given_layers(self) -> tuple[Layer, ...]:
        """Of these the layers that must come with the texts, because nothing makes them."""
        return ()

    def with_given_annotations(self) -> Metric:
        """The metric for texts that came with annotations, unless it was written what is to make them."""
        return self

    @property
    def signed_beside(self) -> tuple[str, ...]:
        """What counts besides hypotheses and references, so that its hash belongs into the signature."""
        return (*(["source"] if "sources" in self.wants else []), *(["annotations"] if self.given_layers else []))

    def fit(self, references: References, threads: int | None = None) -> Context | None:  # noqa: ARG002
        """What these references teach about the whole set; None where segments are scored by themselves."""
        return None

    def row_function_given(
        self,
        context: Context,  # noqa: ARG002
        references: References,  # noqa: ARG002
        threads: int | None,  # noqa: ARG002
    ) -> RowFunction:
        """Prepare references that are part of the set which the context was learnt from."""
        raise InputError(f"{self.name} scores every segment by itself: it takes no context")

    def crossing(
        self,
        strings: TextColumn,  # noqa: ARG002
        groups: NDArray[np.int64],  # noqa: ARG002
        threads: int | None,  # noqa: ARG002
    ) -> CrossedStrings | None:
        """Strings made ready to be measured all with all within their groups; None where pairs go one by one."""
        return None

    @abstractmethod
    def aggregate(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of summed rows, elementwise over leading axes."""

    def details(self, sums: NDArray[np.float64]) -> dict[str, Any]:  # noqa: ARG002
        """Numbers worth showing beside the score of one summed row."""
        return {}

    def changed(self, **changes: Any) -> Self:
        """The metric with other values of some parameters, which do not count as written out."""
        other = dataclasses.replace(self, **changes)
        object.__setattr__(other, "_given", self.given)
        return other

    def for_language(self, language: str) -> Metric:
        """The metric as text in a language calls for it; what was written out stays as it is.

        A metric that uses stems or word lists has a parameter `language`, None until the language is known.
        """
        fitting = self if getattr(self, "language", "") is not None else self.changed(language=language)
        tokenizer = default_tokenizer(language)
        return fitting.read_by(tokenizer) if has_spaces(language) else fitting.without_spaces(tokenizer)

    def read_by(self, tokenizer: str) -> Metric:
        """The metric with a tokenizer, unless another was written out or it cuts text by rules of its own.

        What stands between spaces by default is cut only for languages that have none, or whose words are compounds.
        """
        usual = next((field.default for field in dataclasses.fields(self) if field.name == "tokenize"), None)
        replaced = (USUAL_TOKENIZER,) if tokenizer == USUAL_TOKENIZER else (USUAL_TOKENIZER, "none")
        return self.changed(tokenize=tokenizer) if usual in replaced and "tokenize" not in self.given else self

    def without_spaces(self, tokenizer: str) -> Metric:
        """The metric for text without spaces between words, which a tokenizer must find."""
        return self.changed(tokenize=tokenizer) if hasattr(self, "tokenize") and "tokenize" not in self.given else self

    def reads(self, language: str) -> bool:  # noqa: ARG002 - rules of a metric's own may know some languages
        """Whether it can tell the parts that it counts in text of a language without spaces between words."""
        return not needs_spaces(getattr(self, "tokenize", "char"))

    @property
    def for_segments(self) -> Metric:
        """The metric that gives single segments their scores; itself, unless its formula is one for whole corpora."""
        return self

    @property
    def display_name(self) -> str:
        """The name as papers write it, such as chrF2++."""
        return self.name

    def sacrebleu_signature(self, references: str) -> str | None:  # noqa: ARG002
        """The signature that sacreBLEU prints for the same score, where there is one."""
        return None

    @property
    def other_names(self) -> tuple[str, ...]:
        """The aliases that mean this very metric."""
        return tuple(alias for alias, metric in _metrics_of_aliases(type(self)) if metric == self)

    @property
    def resources(self) -> dict[str, str]:
        """Versions of what the score depends on besides the code: Unicode tables, dictionaries, models."""
        return {}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What it does without because it is not installed, each with its install line; mostly nothing."""
        return ()

    @cached_property
    def spec(self) -> str:
        """The text that `karat.metric` turns back into this metric."""
        given = [
            f"{field.name}={format_value(getattr(self, field.name))}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({','.join(given)})" if given else self.name

    def prepare(
        self,
        references: References | Iterable[str] | Iterable[Iterable[str]] | None,
        threads: int | None = None,
        *,
        sources: TextColumn | Iterable[str] | None = None,
        context: Context | None = None,
    ) -> Prepared:
        """Prepare references, sources, or both to score many systems against.

        A metric that weighs by what a whole set of references holds learns that from these, unless they are only a
        part of the set: then `context` is what `fit` learnt from all of it.
        """
        return Prepared(self, References.with_sources(references, sources), threads, context)


@cache
def _metrics_of_aliases(metric: type[Metric]) -> tuple[tuple[str, Metric], ...]:
    """The aliases of a metric, with what each means."""
    return tuple((alias, metric(**values)) for alias, values in metric.aliases.items())


class Prepared:
    """A metric and references made ready for it; immutable, and usable from several threads at once."""

    def __init__(
        self, metric: Metric, references: References, threads: int | None = None, context: Context | None = None
    ) -> None:
        if len(references) == 0:
            raise InputError("there is nothing to score: no segment was given")
        check_threads(threads)
        refuse_lack(metric, references)
        if context is not None:
            context.refuse_other(metric)
        self.metric = metric
        self.references = references
        self.context = metric.fit(references, threads) if context is None else context
        self._row_function = (
            metric.row_function(references, threads)
            if self.context is None
            else metric.row_function_given(self.context, references, threads)
        )

    @cached_property
    def identity(self) -> Identity:
        """Who the metric is on these references: names, direction, scale and signature."""
        return identity(self.metric, self.references, self.context)

    @property
    def signature(self) -> Signature:
        """What a reader must know to reproduce the number, and to tell whether two are comparable."""
        return self.identity.signature

    def values(self, hypotheses: TextColumn | Iterable[str]) -> Values:
        """The numbers of one system, one row per segment."""
        column = as_column(hypotheses)
        if len(column) != len(self.references):
            raise InputError(
                f"{len(column)} hypotheses, but references for {len(self.references)} segments: "
                "each segment needs exactly one hypothesis"
            )
        if lack := lack_of_layers(self.metric, [("the hypotheses", column)]):
            raise InputError(f"{self.metric.name}: {lack}")
        return self._row_function(column)

    def rows(self, hypotheses: TextColumn | Iterable[str]) -> Rows:
        """The rows of one system."""
        return Rows(
            values=self.values(hypotheses),
            columns=self.metric.columns,
            aggregate=self.metric.aggregate,
            identity=self.identity,
        )


def format_value(value: Any) -> str:
    """A parameter value as a spec writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ",".join(format_value(item) for item in value) + "]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    if text and not any(c in text for c in "(),=[]\"' "):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
