"""What every result of a use case can do: one JSON form, records for data frames, tables for people."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any, ClassVar

from karat.report.forms import show_tables
from karat.report.plain import glimpse, to_text
from karat.report.table import to_html

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from karat.corpus import Diagnostic
    from karat.report.table import Table

SCHEMA = 2
"""The version of the JSON form: raised when a field is renamed or dropped, not when one is added."""

DIGITS = 2


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

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{glimpse(self.tables())}"

    def __str__(self) -> str:
        return "\n\n".join(to_text(table) for table in self.tables())

    def _repr_html_(self) -> str:
        return "\n".join(to_html(table) for table in self.tables())


def flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A record without nesting: bounds in fields of their own, texts joined; objects and other lists are left out."""
    record: dict[str, Any] = {}
    for key, value in entry.items():
        if key == "interval":
            record["interval_low"], record["interval_high"] = (None, None) if value is None else value
        elif isinstance(value, list | tuple):
            if all(isinstance(item, str) for item in value):
                record[key] = "; ".join(value)
        elif not isinstance(value, Mapping):
            record[key] = value
    return record
