"""What every finding under a measure says about that measure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karat.identity import Identity, Signature


class Measured:
    """Something found under a measure, whose identity it has."""

    identity: Identity

    @property
    def metric(self) -> str:
        """The spec of the measure."""
        return self.identity.spec

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is a better one."""
        return self.identity.higher_is_better

    @property
    def signature(self) -> Signature:
        """What a reader needs to reproduce the scores."""
        return self.identity.signature

    def fields(self, names: Iterable[str]) -> dict[str, Any]:
        """Some attributes by name, as the JSON form has them."""
        return {name: str(value) if name == "signature" else value for name, value in self._values(names)}

    def _values(self, names: Iterable[str]) -> Iterable[tuple[str, Any]]:
        return ((name, getattr(self, name)) for name in names)
