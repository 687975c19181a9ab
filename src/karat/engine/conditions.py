"""Which rows are written: those whose scores pass, such as `chrf>40`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.registry import metric

if TYPE_CHECKING:
    from polars import Expr

_SIGNS: dict[str, Callable[[Expr, float], Expr]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}
_CONDITION = re.compile(r"(.+?)\s*(>=|<=|==|!=|>|<)\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*")


@dataclass(frozen=True)
class Condition:
    """A score of a segment beside a number."""

    spec: str
    sign: str
    bound: float

    @classmethod
    def of(cls, text: str, specs: Sequence[str]) -> Condition:
        """The condition that a text means; it is about one of the metrics.

        >>> str(Condition.of("chrf > 40", ["chrf", "bleu"]))
        'chrf>40'
        """
        match = _CONDITION.fullmatch(text.strip())
        if not match:
            raise InputError(f"--where {text}: write METRIC>NUMBER, such as 'chrf>40'; also >=, <, <=, == and !=")
        spec = metric(match[1]).spec
        if spec not in specs:
            raise InputError(f"--where {text}: {spec} is not among the metrics: {', '.join(specs)}")
        try:
            return cls(spec, match[2], float(match[3]))
        except ValueError as error:
            raise InputError(f"--where {text}: {match[3]} is not a number") from error

    def __str__(self) -> str:
        short = f"{self.bound:g}"
        bound = short if float(short) == self.bound else repr(self.bound)
        return f"{self.spec}{self.sign}{bound}"

    def passed(self) -> Expr:
        """The same, of a table with a column for the metric."""
        import polars

        return _SIGNS[self.sign](polars.col(self.spec), self.bound)
