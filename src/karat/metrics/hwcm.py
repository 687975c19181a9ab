"""HWCM: chains of heads and dependents of the hypothesis that the reference has, by length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.errors import SpecError
from karat.metrics.annotated.substructures import Bag, SubstructureMetric
from karat.metrics.base import parameter, register

if TYPE_CHECKING:
    from karat.text.annotation import Annotation, Layer

LINKS: dict[str, tuple[Layer, ...]] = {
    "words": (),
    "lemmas": ("lemmas",),
    "pos": ("pos",),
    "tags": ("tags",),
    "relations": (),
}
"""What chains may be made of, and what must be known for it besides the heads."""


@register
@dataclass(frozen=True, kw_only=True)
class Hwcm(SubstructureMetric):
    r"""Share of the chains from heads to dependents in the hypothesis that the reference has too, over their lengths.

    Formula
    -------
    $$\mathrm{HWCM} = \frac{100}{D} \sum_{n=1}^{D} \frac{\sum_{g \in G_n(h)} \min(c_h(g), c_r(g))}
    {\sum_{g \in G_n(h)} c_h(g)}$$

    $G_n$ are the chains of $n$ words of which each depends on the one before it. ``of=pos``, ``tags`` or ``relations``
    makes chains of these instead (the DP-HWCM of Asiya over words, categories and relations). A length that neither
    side has is left out; where none is left, the score is 100. $D = 4$; ``min_order=2,max_order=2`` is length 2 alone.
    Of several references, each chain counts as often as in the one that has it most. ``form=f`` is the harmonic mean of
    this and the recall, both averaged over lengths first, as Moses has it; there the reference with the best score
    counts. Corpus scores are made of summed counts.

    On the sentences of our test, Moses' HwcmScorer prints 0.691534, and ``form=f`` gives the same.

    Use when
    --------
    It matters which words belong together, wherever they stand in the sentence.

    Do not use when
    ---------------
    There is no parser for the language, or the two sides were parsed by different ones.

    Known failure
    -------------
    A wrong head near the root breaks all chains below it, so that one error of the parser costs as much as several of
    the translation.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotation, Annotations
    >>> def column(words, heads):
    ...     parsed = Annotation(tokens=tuple(words.split()), heads=heads, relations=("dep",) * len(heads))
    ...     return TextColumn.of([words]).annotated(Annotations.of([parsed]))
    >>> prepared = Hwcm(max_order=2).prepare(column("the cat sat", (1, 2, -1)))
    >>> rows = prepared.rows(column("a cat sat", (1, 2, -1)))
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[2, 3, 3, 1, 2, 2]], 58.33)
    """

    name: ClassVar[str] = "hwcm"
    citation: ClassVar[str] = "liu-gildea-2005-syntactic"

    of: str = parameter("words", "what chains are made of", choices=tuple(LINKS))
    lowercase: bool = parameter(False, "ignore case, where chains are of words")

    def check(self) -> None:
        """Refuse a parameter that has no effect."""
        super().check()
        if self.lowercase and self.of != "words":
            raise SpecError(f"hwcm(lowercase=true) has no effect with of={self.of}: leave it out")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Heads, and what chains are made of."""
        return (*LINKS[self.of], "dependencies")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "HWCM"

    def bags(self, annotation: Annotation) -> list[Bag]:
        """The chains of each length."""
        links, heads = self._links(annotation), annotation.heads or ()
        chains: list[tuple[str, ...] | None] = [(link,) for link in links]
        bags: list[Bag] = [Counter(chains)]
        for _ in range(self.max_order - 1):
            # A chain of a word goes on with that of its head.
            chains = [_before(chains, head, link) for head, link in zip(heads, links, strict=True)]
            bags.append(Counter(chain for chain in chains if chain is not None))
        return bags[self.min_order - 1 :]

    def _links(self, annotation: Annotation) -> Sequence[str]:
        if self.of == "words":
            return [token.lower() for token in annotation.tokens] if self.lowercase else annotation.tokens
        links: Sequence[str] | None = getattr(annotation, self.of)
        return links or ()


def _before(chains: Sequence[tuple[str, ...] | None], head: int, link: str) -> tuple[str, ...] | None:
    """The chain that ends in a word: that of its head, and the word; None where it is not so long."""
    above = chains[head] if head >= 0 else None
    return None if above is None else (*above, link)
