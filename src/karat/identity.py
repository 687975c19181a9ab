"""Which measure numbers are of: its names, its direction and scale, and the signature that stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

from karat.quick_dataclasses import dataclass


class Fingerprinted(Protocol):
    """Knows how many references a segment has, and their hash."""

    @property
    def count_label(self) -> str:
        """The number of references per segment, or "var" where it differs."""
        ...

    @property
    def digest(self) -> str:
        """A short hash of all references."""
        ...

    @property
    def beside_digests(self) -> tuple[tuple[str, str], ...]:
        """What stands beside the references (their sources, annotations of both), and a short hash of each."""
        ...


@dataclass(frozen=True)
class ReferenceMark:
    """The number and the hash of references, and the hashes of what stands beside them, once they are known."""

    count_label: str
    digest: str
    beside_digests: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Signature:
    """What a reader needs to reproduce a number, and to tell whether two numbers are comparable.

    `beside` names what stands beside the references and counts, too, such as their sources. `details` follow the number
    and the hashes of these, in the order in which they are printed. References are hashed when somebody first asks, for
    that can take as long as scoring against them.

    >>> signature = Signature("bleu", ReferenceMark("1", "5f0a91c3"), (("karat", "0.1.0"),))
    >>> str(signature), signature.get("hash"), signature.get("context")
    ('bleu|refs:1|hash:5f0a91c3|karat:0.1.0', '5f0a91c3', None)
    """

    spec: str
    references: Fingerprinted | None = None
    details: tuple[tuple[str, str], ...] = ()
    beside: tuple[str, ...] = ()

    @cached_property
    def fields(self) -> Mapping[str, str]:
        """Everything after the spec, by name, in the order in which it is printed."""
        known = self.references
        counted = {} if known is None else {"refs": known.count_label, "hash": known.digest}
        beside = () if known is None or not self.beside else known.beside_digests
        counted |= {name: digest for name, digest in beside if name in self.beside}
        return MappingProxyType({**counted, **dict(self.details)})

    def get(self, name: str) -> str | None:
        """One of the fields, such as the hash of the references; None where there is none of that name."""
        return self.fields.get(name)

    def with_details(self, **changed: str) -> Signature:
        """The same with some details replaced, or added at the end."""
        return replace(self, details=tuple({**dict(self.details), **changed}.items()))

    def __str__(self) -> str:
        return "|".join((self.spec, *(f"{name}:{value}" for name, value in self.fields.items())))

    def __repr__(self) -> str:
        return f"Signature({str(self)!r})"

    def __reduce__(self) -> tuple[type[Signature], tuple[Any, ...]]:
        """What is kept in a file is the hash of the references, not their text."""
        known = self.references
        mark = None if known is None else ReferenceMark(known.count_label, known.digest, known.beside_digests)
        return Signature, (self.spec, mark, self.details, self.beside)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


@dataclass(frozen=True, kw_only=True, repr=False)
class Identity:
    """A measure: a metric with its parameters on some references, people's ratings, or scores out of a file.

    `metric` is the plain name, `spec` has the parameters, `display_name` is what papers write. `scale` has the least
    and the greatest score possible, where these are known.
    """

    metric: str
    spec: str
    display_name: str
    signature: Signature
    higher_is_better: bool = True
    scale: tuple[float, float] | None = None
    sacrebleu_signature: str | None = None
    other_names: tuple[str, ...] = ()

    @classmethod
    def of_scores(cls, name: str, *, higher_is_better: bool = True, digest: str | None = None) -> Identity:
        """The identity of scores that came from elsewhere; `digest` is a hash of them."""
        details = () if digest is None else (("scores", digest),)
        return cls(
            metric=name,
            spec=name,
            display_name=name,
            signature=Signature(name, details=details),
            higher_is_better=higher_is_better,
        )

    def __repr__(self) -> str:
        return f"Identity({self.display_name} {self.arrow}, {str(self.signature)!r})"

    @property
    def arrow(self) -> str:
        """Which way is better."""
        return "↑" if self.higher_is_better else "↓"

    @property
    def sign(self) -> float:
        """The factor that makes higher scores better."""
        return 1.0 if self.higher_is_better else -1.0

    def names(self) -> dict[str, Any]:
        """The names under which entries of the JSON form tell what they are about."""
        return {"metric": self.metric, "name": self.display_name, "spec": self.spec}


def distinct_names(identities: Sequence[Identity]) -> list[str]:
    """What measures are called side by side: as papers write them, or by their specs where that would not differ."""
    shown = [identity.display_name for identity in identities]
    return [identity.spec if shown.count(name) > 1 else name for identity, name in zip(identities, shown, strict=True)]
