"""The protocols karat knows: scales, comparisons, errors marked, and what people could do with a translation."""

from __future__ import annotations

from karat.corpus.ratings.protocols import comparisons, errors, scales, tasks
from karat.corpus.ratings.protocols.base import Protocol, Scale, registered
from karat.errors import SpecError, did_you_mean

__all__ = ["Protocol", "Scale", "comparisons", "errors", "protocol", "protocol_names", "scales", "tasks"]


def protocol_names() -> tuple[str, ...]:
    """Their names, in alphabetical order."""
    return tuple(sorted({registered_protocol.name for registered_protocol in registered().values()}))


def protocol(name: str) -> Protocol:
    """The protocol of that name.

    >>> protocol("adequacy-fluency").scale("fluency").labels[0]
    (5, 'Flawless English')
    """
    if name not in registered():
        raise SpecError(f"there is no protocol {name!r}.{did_you_mean(name, protocol_names())}")
    return registered()[name]
