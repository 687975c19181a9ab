"""What the user says the columns of a table are, where their own names do not tell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from karat.errors import InputError
from karat.quick_dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]
"""What each column is, and its name in the file: (("source", "Quelle"), ...)."""


@dataclass(frozen=True)
class ColumnNames:
    """Names of columns in a file, by what they are."""

    by_role: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False
    """Whether one table must have all of them."""

    @classmethod
    def of(cls, pairs: Pairs, *, whole: bool = False) -> ColumnNames:
        """The names that were given; no role and no column has two."""
        by_role = dict(pairs)
        if len(by_role) < len(pairs) or len(set(by_role.values())) < len(pairs):
            raise InputError("--column names a column twice, or two columns for the same thing: keep one of them")
        return cls(by_role, whole)

    def only(self, roles: Collection[str]) -> ColumnNames:
        """Those for some roles."""
        return ColumnNames({role: name for role, name in self.by_role.items() if role in roles}, self.whole)

    def roles(self, names: Sequence[str], where: str) -> list[str]:
        """What each column is: as the user says, else as it is called itself; a table has one of the columns named."""
        by_name = {name: role for role, name in self.by_role.items()}
        absent = [name for name in by_name if name not in names]
        if absent and (self.whole or len(absent) == len(by_name)):
            shown = ", ".join(names[:20])
            raise InputError(f"{where}: there is no column {' or '.join(map(repr, absent))}, only {shown}")
        return [by_name.get(name, name) for name in names]


NO_NAMES = ColumnNames()
