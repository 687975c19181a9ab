"""Overlap: elements of one kind that hypothesis and reference share, such as chunks, relations or roles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.errors import SpecError
from karat.metrics.annotated.metric import AnnotatedMetric
from karat.metrics.annotated.pairs import rows_beside_best
from karat.metrics.annotated.yields import subtrees
from karat.metrics.base import parameter, register

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.text import TextColumn
    from karat.text.annotation import Annotation, Layer, Span

Element = tuple[str, tuple[str, ...]]
"""The type of an element, and its words."""

EVERY_TYPE = "*"


@register
@dataclass(frozen=True, kw_only=True)
class Overlap(AnnotatedMetric):
    r"""How much the linguistic elements of hypothesis and reference overlap: words by tag, chunks, relations, roles.

    Formula
    -------
    $$O = 100 \cdot \frac{\sum_s \sum_{e} \min\bigl(c_{h_s}(e), c_{r_s}(e)\bigr)}
    {\sum_s \sum_{e} \max\bigl(c_{h_s}(e), c_{r_s}(e)\bigr)}$$

    $c(e)$ counts how often an element stands in a text. An element is a word together with the type of what it stands
    in (``match=O``): the word *cat* in an NP. With ``match=M`` it is all that stands there: the NP *the cat*. Types are

    | `of` | type | the words |
    | :--- | :--- | :--- |
    | `lemma` | none | the lemma |
    | `pos`, `tag` | the universal tag, or the annotator's own | the word |
    | `chunk`, `constituent`, `entity` | its label | those of the chunk, constituent or name |
    | `dependency` | the relation to the head | the word and all that depends on it; with ``match=M`` word and head |
    | `role` | the role | those that fill the role |

    ``type`` names one of them, ``*`` all: elements of different types are different ones. Where only one side has
    elements the score is 0, where neither has any, it is 100. Of several references the one with the best score of the
    segment counts. The bags {a: 2, b: 1} and {a: 1, c: 1} have 1 of 4 in common, 25.

    With its parameters this is the family of Asiya: SP-Op (``of=tag``), SP-Oc (``of=chunk``), CP-Oc
    (``of=constituent``), DP-Or (``of=dependency``), NE-Oe and NE-Me (``of=entity``), SR-Or and SR-Mr (``of=role``).
    Asiya takes the mean of segment scores for the score of a system, where we add up; its parsers are not ours.
    ``of=chunk,type=NP`` and ``type=VP`` look at noun or verb phrases alone, as Echizen-ya and Araki (2010) do; the
    chunks of spaCy are noun phrases and no others, so that of these ``type=VP`` finds none on either side.

    Use when
    --------
    Systems of different kinds are compared, and their words differ more than their structure (Giménez and Màrquez,
    2007), or you want to know where a difference lies: in names, in roles, in verbs.

    Do not use when
    ---------------
    Nothing annotates the language well: wrong tags lower the score of the better system, too. Nor beside numbers made
    by another backend, another version of its model, or other rules for tokens.

    Known failure
    -------------
    Words still count: a synonym in the right chunk is as wrong as a blunder. Parsers stumble over bad output, and may
    find in it what they expect.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotations, bracketed
    >>> def texts(*trees):
    ...     known = Annotations.of(bracketed(tree) for tree in trees)
    ...     return TextColumn.of(" ".join(one.tokens) for one in known).annotated(known)
    >>> references = texts("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
    >>> hypotheses = texts("(S (NP (DT a) (NN cat)) (VP (VBD sat)))")
    >>> [Overlap(of="constituent", match=match).prepare(references).rows(hypotheses).score for match in ("O", "M")]
    [50.0, 20.0]
    """

    name: ClassVar[str] = "overlap"
    family: ClassVar[str] = "linguistic"
    citation: ClassVar[str] = "gimenez-marquez-2007-linguistic"

    of: str = parameter(
        "pos",
        "what the elements are",
        choices=("lemma", "pos", "tag", "chunk", "constituent", "dependency", "entity", "role"),
    )
    type: str = parameter(EVERY_TYPE, "the type that counts, such as NP; * for all")
    match: str = parameter("O", "O counts words by what they stand in, M all that stands there", choices=("O", "M"))
    lowercase: bool = parameter(False, "ignore case")

    def check(self) -> None:
        """Refuse parameters that have no effect, or leave nothing to count."""
        super().check()
        if self.of == "lemma" and self.type != EVERY_TYPE:
            raise SpecError(f"overlap(of=lemma,type={self.type}): lemmas have no types: leave it out")
        if self.of in ("lemma", "pos", "tag") and self.match == "M":
            raise SpecError(f"overlap(of={self.of},match=M): each is one word, so match=M has no effect: leave it out")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The one that holds the elements."""
        return (_KINDS[self.of].layer,)

    @property
    def columns(self) -> tuple[str, ...]:
        """Elements that both have, and all there are."""
        return ("shared", "all")

    @property
    def display_name(self) -> str:
        """The measure, its elements and their type, as in O(chunk: NP)."""
        return f"{self.match}({self.of}{'' if self.type == EVERY_TYPE else f': {self.type}'})"

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        """Count the elements of the references once."""
        return rows_beside_best(self, references, self._bags, _shared_and_all)

    def aggregate(self, sums: Floats) -> Floats:
        """The share in percent."""
        shared, everything = sums[..., 0], sums[..., 1]
        return 100 * np.divide(shared, everything, out=np.ones_like(everything), where=everything > 0)

    def _bags(self, column: TextColumn) -> list[Counter[Element]]:
        return [self._bag(annotation) for annotation in self.annotations(column)]

    def _bag(self, annotation: Annotation) -> Counter[Element]:
        elements = _KINDS[self.of].find(annotation, self.match == "M")
        wanted = (element for element in elements if self.type in (EVERY_TYPE, element[0]))
        if self.lowercase:
            return Counter((kind, tuple(word.lower() for word in words)) for kind, words in wanted)
        return Counter(wanted)


def _shared_and_all(hypothesis: Counter[Element], reference: Counter[Element]) -> tuple[int, int]:
    """The sums of minima and of maxima."""
    shared = (hypothesis & reference).total()
    return shared, hypothesis.total() + reference.total() - shared


@dataclass(frozen=True)
class _Kind:
    """A kind of elements: the layer that holds them, and how they are found, whole or word by word."""

    layer: Layer
    find: Callable[[Annotation, bool], Iterable[Element]]


def _lemmas(annotation: Annotation, whole: bool) -> Iterator[Element]:  # noqa: ARG001 - each is one word
    return (("", (lemma,)) for lemma in annotation.lemmas or ())


def _tagged(name: str) -> Callable[[Annotation, bool], Iterator[Element]]:
    def find(annotation: Annotation, whole: bool) -> Iterator[Element]:  # noqa: ARG001 - each is one word
        return ((tag, (word,)) for tag, word in zip(getattr(annotation, name), annotation.tokens, strict=True))

    return find


def _spanned(spans: Callable[[Annotation], Iterable[Span]]) -> Callable[[Annotation, bool], Iterator[Element]]:
    def find(annotation: Annotation, whole: bool) -> Iterator[Element]:
        for label, start, end in spans(annotation):
            yield from _elements(label, annotation.tokens[start:end], whole)

    return find


def _related(annotation: Annotation, whole: bool) -> Iterator[Element]:
    """Words by the relations that they, or words above them, have to a head; or words with their heads."""
    tokens, heads = annotation.tokens, annotation.heads or ()
    below = None if whole else subtrees(heads)
    for position, relation in enumerate(annotation.relations or ()):
        if below is not None:
            yield from _elements(relation, tuple(tokens[place] for place in below[position]), whole)
        else:
            yield relation, (tokens[position], tokens[heads[position]] if heads[position] >= 0 else "")


def _elements(label: str, words: tuple[str, ...], whole: bool) -> Iterator[Element]:
    return iter([(label, words)]) if whole else ((label, (word,)) for word in words)


_KINDS = {
    "lemma": _Kind("lemmas", _lemmas),
    "pos": _Kind("pos", _tagged("pos")),
    "tag": _Kind("tags", _tagged("tags")),
    "chunk": _Kind("chunks", _spanned(lambda text: text.chunks or ())),
    "constituent": _Kind("constituents", _spanned(lambda text: text.constituents or ())),
    "dependency": _Kind("dependencies", _related),
    "entity": _Kind("entities", _spanned(lambda text: text.entities or ())),
    "role": _Kind("frames", _spanned(lambda text: (role for frame in text.frames or () for role in frame.roles))),
}
