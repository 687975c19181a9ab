"""MEANT: who did what to whom, as frames that were given tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from karat.metrics.annotated.frames import FrameMetric, WordFrame, Words
from karat.metrics.base import register

if TYPE_CHECKING:
    from karat.text.annotation import Annotation, Layer


@register
@dataclass(frozen=True, kw_only=True)
class Meant(FrameMetric):
    r"""F of predicates and the fillers of their roles, by frames that a labeller or people gave.

    Formula
    -------
    $$P = \frac{\sum_i m_i \, q_i(h)}{\sum_i m_i}, \qquad
    q_i(h) = \frac{w_{pred} \, s_{i,pred} + \sum_j w_j \, s_{i,j}}{w_{pred} + \sum_j w_j \, |h_{i,j}|}, \qquad
    \mathrm{MEANT} = 100 \cdot \frac{2PR}{P + R}$$

    Frames are matched one to one so that their predicates are as alike as possible together, and within two frames
    fillers of one role in the same way. $s$ is how alike two phrases are, the F of the words that they share; $m_i$ is
    how many words frame $i$ of the hypothesis has in predicate and roles, and $q_i = 0$ for a frame without a match.
    $R$ is the same for the frames of the reference. Where neither side has a frame, how alike the whole texts are
    counts; where one has, the score is 0. Of several references the best counts. The corpus score is the mean of the
    segments.

    Frames come with the texts (``--annotations``), for no labeller of roles can be installed. On frames that people
    made it is HMEANT but for one thing: in HMEANT people also say which fillers agree, here the words that they share
    do. ``weights`` names what predicates and roles weigh, such as ``weights="predicate=2 ARG0=1.5 other=0.5"``; all
    weigh the same if nothing is said. The papers tune weights of twelve kinds of roles on judgements of adequacy, or
    take how frequent these are; their numbers were not at hand. The papers also measure words by vectors out of large
    texts: here words are equal or not.

    Use when
    --------
    Frames by people or a good labeller are there, and it matters who did what to whom.

    Do not use when
    ---------------
    There are no frames, or those of both sides have roles of different inventories.

    Known failure
    -------------
    Another word for a predicate matches nothing, and the whole frame with it is lost.

    Example
    -------
    >>> from karat.text import TextColumn
    >>> from karat.text.annotation import Annotation, Annotations, Frame, Span
    >>> def column(words, roles):
    ...     frame = Frame(Span("chase", 1, 2), roles)
    ...     parsed = Annotation(tokens=tuple(words.split()), frames=(frame,))
    ...     return TextColumn.of([words]).annotated(Annotations.of([parsed]))
    >>> right = column("dogs chased cats", (Span("ARG0", 0, 1), Span("ARG1", 2, 3)))
    >>> wrong = column("cats chased dogs", (Span("ARG0", 0, 1), Span("ARG1", 2, 3)))
    >>> prepared = Meant().prepare(right)
    >>> round(prepared.rows(right).score, 2), round(prepared.rows(wrong).score, 2)
    (100.0, 33.33)
    """

    name: ClassVar[str] = "meant"
    family: ClassVar[str] = "meaning"
    citation: ClassVar[str] = "lo-etal-2012-fully"

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Frames."""
        return ("frames",)

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "MEANT"

    def frames(self, annotation: Annotation, words: Words) -> tuple[WordFrame, ...]:
        """The frames that were given."""
        return tuple(
            WordFrame(
                words[frame.predicate.start : frame.predicate.end],
                tuple((role.label, words[role.start : role.end]) for role in frame.roles),
            )
            for frame in annotation.frames or ()
        )
