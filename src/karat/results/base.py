"""What every result of a use case can do: one JSON form, records for data frames, tables for people."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from io import StringIO
from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.forms import show_tables
from karat.report.plain import glimpse, to_text
from karat.report.table import to_html as table_html

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from karat.corpus import Diagnostic
    from karat.report.page.front import Front
    from karat.report.page.parts import Made, Page, Section, SegmentsPart
    from karat.report.table import Table

SCHEMA = 2
"""The version of the JSON form: raised when a field is renamed or dropped, not when one is added."""

DIGITS = 2
NESTING = (dict, list, tuple)
"""What holds other values in a JSON form."""


def envelope(body: Mapping[str, Any], warnings: Sequence[Diagnostic]) -> dict[str, Any]:
    """The JSON document of any command: the version of its form, what was found, and what must be said about it."""
    return {"schema": SCHEMA, **body, "warnings": [warning_json(warning) for warning in warnings]}


def warning_json(warning: Diagnostic) -> dict[str, Any]:
    """A warning with its code, and where it applies as far as that is known."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(warning).items()}


@dataclass(frozen=True, kw_only=True, repr=False)
class Result:
    """A result of a use case, with all that a reader must be warned of.

    It is a short table at the prompt and whole in `print`; a subclass leaves `repr` out of its dataclass.
    """

    warnings: tuple[Diagnostic, ...] = ()

    records_of: ClassVar[str]
    """The list of the JSON form that data frames are made of."""
    fields: ClassVar[tuple[str, ...]] = ()
    """The names of its fields where it may be empty."""
    page_title: ClassVar[str] = "Result"
    """What a page about it is called."""

    @abstractmethod
    def body(self) -> dict[str, Any]:
        """What was found, as lists of records by name; numbers at full precision."""

    @abstractmethod
    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """What was found, as people read it."""

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return envelope(self.body(), self.warnings)

    def records(self) -> list[dict[str, Any]]:
        """The main list of the JSON form as flat records: for CSV and data frames."""
        return [flat(entry) for entry in self.body()[self.records_of]]

    def to_polars(self) -> pl.DataFrame:
        """The records as a polars data frame."""
        import polars as pl

        return pl.DataFrame(self.records(), infer_schema_length=None)

    def to_pandas(self) -> pd.DataFrame:
        """The records as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame(self.records())

    def paper_tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """The tables for a paper: those that people read, unless a result has a shorter one."""
        return self.tables(digits)

    def to_latex(self, digits: int = DIGITS) -> str:
        """The tables for a paper, in LaTeX."""
        out = StringIO()
        show_tables(self.paper_tables(digits), "latex", out)
        return out.getvalue()

    def front(self, digits: int = DIGITS) -> Front | None:  # noqa: ARG002
        """The first screen of a page about it, where there is a verdict."""
        return None

    def sections(self, digits: int = DIGITS) -> tuple[Section, ...]:
        """The parts of a page about it: its tables, unless a result has more to show."""
        from karat.report.page.parts import sections_of

        tables = self.tables(digits)
        records = [self.records()] if len(tables) == 1 else []
        return sections_of(type(self).__name__.removesuffix("Result").lower(), self.page_title, tables, records)

    def segments_part(self) -> SegmentsPart | None:
        """The segments, for results that have them."""
        return None

    def signatures(self) -> tuple[str, ...]:
        """The signatures of all measures in it."""
        return tuple(dict.fromkeys(_signatures(self.body())))

    def page(self, made: Made | None = None, digits: int = DIGITS) -> Page:
        """All of it as a page."""
        from karat.report.page.parts import Made, Page

        known = replace(
            made or Made(),
            signatures=self.signatures(),
            warnings=tuple(dict.fromkeys(warning.message for warning in self.warnings)),
        )
        return Page(self.page_title, known, self.front(digits), self.sections(digits), self.segments_part())

    def to_html(self, made: Made | None = None, digits: int = DIGITS) -> str:
        """One page of HTML that needs nothing else."""
        from karat.report.page.shell import render

        return render(self.page(made, digits))

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{glimpse(self.tables())}"

    def __str__(self) -> str:
        return "\n\n".join(to_text(table) for table in self.tables())

    def html_tables(self) -> tuple[str, ...]:
        """The tables that people read, each as HTML with every text escaped."""
        return tuple(table_html(table) for table in self.tables())

    def _repr_html_(self) -> str:
        return "\n".join(self.html_tables())


def _signatures(value: Any) -> Iterator[str]:
    """The signatures in a JSON form, wherever they stand."""
    if isinstance(value, Mapping):
        if isinstance(value.get("signature"), str):
            yield value["signature"]
        inner: Iterable[Any] = value.values()
    else:
        inner = value
    for part in inner:
        if isinstance(part, NESTING):
            yield from _signatures(part)


def flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A record without nesting: bounds in fields of their own, texts joined; objects and other lists are left out."""
    record: dict[str, Any] = {}
    for key, value in entry.items():
        if key == "interval" or key.endswith("_interval"):
            record[f"{key}_low"], record[f"{key}_high"] = (None, None) if value is None else value
        elif isinstance(value, list | tuple):
            if all(isinstance(item, str) for item in value):
                record[key] = "; ".join(value)
        elif not isinstance(value, Mapping):
            record[key] = value
    return record
