"""Whether systems whose rows stand apart are measured on the same segments, against the same references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from karat.errors import InputError

if TYPE_CHECKING:
    from karat.corpus.model import Corpus

_BYTES = 8
WHOLE = 1 << (8 * _BYTES)
"""Hashes are added up to within this."""


class MeasuredTexts:
    """A hash of a system's segments and their references that is the same in whatever order and parts they come."""

    def __init__(self, value: int = 0) -> None:
        self.value = value

    def update(self, corpus: Corpus) -> None:
        """Take in more segments; post-edits are a system's own, so that nothing can be said of these."""
        if corpus.references and not corpus.targeted:
            self.add(sum(_hashes(corpus)))

    def add(self, value: int) -> None:
        """Take in segments whose hash is known."""
        self.value = (self.value + value) % WHOLE


def refuse_other_references(measured: Mapping[str, int]) -> None:
    """Refuse systems whose scores could not stand beside each other."""
    names = list(measured)
    for name in names[1:]:
        if measured[name] != measured[names[0]]:
            raise InputError(
                f"systems {names[0]} and {name} have other segments, or other references of the same segments: "
                "rows of the same segment must agree; score the systems apart if they belong to different test sets"
            )


def _hashes(corpus: Corpus) -> Sequence[int]:
    """The hash of each segment: of its labels, and of its references."""
    references = corpus.references_for()
    native = references.column.native
    arena, offsets = native.arena(), np.frombuffer(native.offsets(), dtype=np.int64)
    lengths = np.diff(offsets)
    bounds = references.offsets.tolist()
    labels = zip(corpus.documents or repeat(None), corpus.ids or repeat(None), range(len(corpus)), strict=False)
    values = []
    for document, segment, i in labels:
        start, stop = bounds[i], bounds[i + 1]
        hasher = blake2b(repr((document, segment)).encode(errors="backslashreplace"), digest_size=_BYTES)
        hasher.update(lengths[start:stop].tobytes())
        hasher.update(arena[offsets[start] : offsets[stop]])
        values.append(int.from_bytes(hasher.digest(), "little"))
    return values
