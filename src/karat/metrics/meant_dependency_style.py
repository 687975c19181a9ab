"""MEANT-dependency-style: MEANT over frames made of verbs and what depends on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.annotated.frames import FrameMetric, WordFrame, Words
from karat.metrics.annotated.yields import subtrees
from karat.metrics.base import register

if TYPE_CHECKING:
    from karat.text.annotation import Annotation, Layer

ROLES = {
    **dict.fromkeys(("nsubj", "csubj"), "subject"),
    **dict.fromkeys(("nsubjpass", "csubjpass", "nsubj:pass", "csubj:pass"), "object"),
    **dict.fromkeys(("obj", "dobj", "ccomp", "xcomp", "attr", "oprd"), "object"),
    **dict.fromkeys(("iobj", "dative"), "recipient"),
    **dict.fromkeys(("agent", "obl:agent"), "subject"),
    **dict.fromkeys(("obl", "prep", "advmod", "advcl", "npadvmod", "obl:tmod", "obl:npmod"), "adjunct"),
    "neg": "negation",
}
"""What a dependent of a verb stands for, by its relation in Universal Dependencies or in spaCy's English models."""


@register
@dataclass(frozen=True, kw_only=True)
class MeantDependencyStyle(FrameMetric):
    r"""MEANT where verbs and what depends on them stand in for predicates and roles.

    Formula
    -------
    $$F(t) = \{ (v, \{ (\rho(d), \mathrm{below}(d)) : d \in \mathrm{dependents}(v) \}) : v \in \mathrm{verbs}(t) \}
    \quad \text{as the frames of MEANT}$$

    Every word tagged as a verb is a predicate. Its dependents that are subjects, objects (those of passives too),
    recipients, negations, or adjuncts fill these five roles with all words below them; agents of passives are subjects.
    Other dependents fill none. Fillers are compared, and roles matched and weighed, as `meant` does:
    ``weights="subject=2 adjunct=0.5"``.

    No paper has this: it is a way to have something like MEANT where there is a parser and no labeller of roles, and is
    named apart, so that nobody takes its numbers for those of MEANT.

    On the first 500 segments of MLQE-PE's Estonian-English set (one system, two references, direct assessments), with
    spaCy's small English model, its correlation with people over segments (Pearson) is 0.36, where HWCM has 0.50, BLEU
    0.52 and chrF 0.57.

    Use when
    --------
    It matters who did what to whom, and only a parser is at hand.

    Do not use when
    ---------------
    Frames were given: then `meant` uses them.

    Known failure
    -------------
    Predicates that are nouns or adjectives have no frames, and a passive without its agent is another frame.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotation, Annotations
    >>> def column(words):
    ...     parsed = Annotation(
    ...         tokens=tuple(words.split()),
    ...         pos=("NOUN", "VERB", "NOUN"),
    ...         heads=(1, -1, 1),
    ...         relations=("nsubj", "root", "obj"),
    ...     )
    ...     return TextColumn.of([words]).annotated(Annotations.of([parsed]))
    >>> prepared = MeantDependencyStyle().prepare(column("dogs chased cats"))
    >>> round(prepared.rows(column("cats chased dogs")).score, 2)
    33.33
    """

    name: ClassVar[str] = "meant-dependency-style"
    family: ClassVar[str] = "meaning"
    citation: ClassVar[str] = "lo-etal-2012-fully"

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Universal tags, and dependencies."""
        return ("pos", "dependencies")

    def frames(self, annotation: Annotation, words: Words) -> tuple[WordFrame, ...]:
        """A frame for each verb."""
        heads, relations = annotation.heads or (), annotation.relations or ()
        below = subtrees(heads)
        verbs = [place for place, tag in enumerate(annotation.pos or ()) if tag == "VERB"]
        frames = []
        for verb in verbs:
            dependents = (place for place, head in enumerate(heads) if head == verb and relations[place] in ROLES)
            roles = ((ROLES[relations[place]], tuple(words[i] for i in below[place])) for place in dependents)
            frames.append(WordFrame((words[verb],), tuple(roles)))
        return tuple(frames)
