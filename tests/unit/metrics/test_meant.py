"""MEANT: its parts by hand, on frames written for these tests, for no labeller of roles can be installed."""

from __future__ import annotations

import pytest

from karat.corpus.references import References
from karat.errors import InputError, SpecError
from karat.metrics.meant import Meant
from karat.metrics.meant_dependency_style import MeantDependencyStyle
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations, Frame, Span


def framed(text: str, *frames: str) -> Annotation:
    """A text with frames such as "chased: ARG0=the dogs ARG1=cats", whose words are found in it."""
    tokens = tuple(text.split())
    return Annotation(tokens=tokens, frames=tuple(_frame(tokens, frame) for frame in frames))


def _frame(tokens: tuple[str, ...], frame: str) -> Frame:
    predicate, _, rest = frame.partition(":")
    roles: list[tuple[str, list[str]]] = []
    for word in rest.split():
        label, equals, first = word.partition("=")
        if equals:
            roles.append((label, [first]))
        else:
            roles[-1][1].append(word)
    return Frame(_span(tokens, "pred", predicate.split()), tuple(_span(tokens, *role) for role in roles))


def _span(tokens: tuple[str, ...], label: str, words: list[str]) -> Span:
    start = next(place for place in range(len(tokens)) if list(tokens[place : place + len(words)]) == words)
    return Span(label, start, start + len(words))


def column(*annotations: Annotation) -> TextColumn:
    texts = TextColumn.of([" ".join(annotation.tokens) for annotation in annotations])
    return texts.annotated(Annotations.of(annotations))


def score(hypothesis: Annotation, *references: Annotation, weights: str = "") -> float:
    offsets = References.of([["x"] * len(references)]).offsets
    prepared = Meant(weights=weights).prepare(References(column(*references), offsets))
    return prepared.rows(column(hypothesis)).score


RIGHT = framed("the dogs chased two cats today", "chased: ARG0=the dogs ARG1=two cats ARGM-TMP=today")


def test_an_exact_copy_has_everything() -> None:
    assert score(RIGHT, RIGHT) == 100


@pytest.mark.parametrize(
    ("weights", "q_hypothesis", "q_reference"),
    [
        # Predicate 1, ARG0 1, ARG1 2/3 (one of two words and one of one), no ARGM on the hypothesis' side.
        ("", (1 + 1 + 2 / 3) / 3, (1 + 1 + 2 / 3) / 4),
        ("predicate=2 ARG1=3 other=0.5", (2 + 0.5 + 3 * 2 / 3) / 5.5, (2 + 0.5 + 3 * 2 / 3) / 6),
        ("ARG1=0", (1 + 1) / 2, (1 + 1) / 3),
    ],
)
def test_roles_weigh_as_they_are_told_to(weights: str, q_hypothesis: float, q_reference: float) -> None:
    hypothesis = framed("The dogs chased cats", "chased: ARG0=The dogs ARG1=cats")
    expected = 2 * q_hypothesis * q_reference / (q_hypothesis + q_reference)
    assert score(hypothesis, RIGHT, weights=weights) == pytest.approx(100 * expected)


def test_frames_without_a_match_count_with_their_words() -> None:
    """Six of the hypothesis' nine words in frames are in the one that is matched, and all six of the reference's."""
    hypothesis = framed(
        "the dogs chased two cats today and birds sang songs",
        "chased: ARG0=the dogs ARG1=two cats ARGM-TMP=today",
        "sang: ARG0=birds ARG1=songs",
    )
    precision, recall = 6 / 9, 1
    assert score(hypothesis, RIGHT) == pytest.approx(100 * 2 * precision * recall / (precision + recall))


def test_frames_and_fillers_are_matched_so_that_all_fit_best() -> None:
    first = framed("he is old and she is ill", "is: ARG1=he ARG2=old")
    both = framed("he is old and she is ill", "is: ARG1=he ARG2=old", "is: ARG1=she ARG2=ill")
    swapped = framed("cats cats chased dogs", "chased: ARG1=dogs ARG1=cats cats")
    plain = framed("cats cats chased dogs", "chased: ARG1=cats cats ARG1=dogs")
    assert score(first, both) == pytest.approx(100 * 2 * 0.5 / 1.5)
    assert score(swapped, plain) == 100


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        (framed("a b c"), framed("a b d e"), 100 * 4 / 7),
        (framed("a b c"), RIGHT, 0),
        (framed(""), framed(""), 100),
        (
            framed(
                "",
            ),
            framed("a"),
            0,
        ),
        (framed("they hunted", "hunted: ARG0=they"), RIGHT, 0),
    ],
)
def test_texts_without_frames(hypothesis: Annotation, reference: Annotation, expected: float) -> None:
    assert score(hypothesis, reference) == pytest.approx(expected)


def test_the_best_reference_counts() -> None:
    assert score(RIGHT, framed("nothing"), RIGHT) == 100


@pytest.mark.parametrize("weights", ["ARG0", "ARG0=x", "=1", "ARG0=1 ARG0=2", "ARG0=-1", "ARG0=nan", "ARG0=inf"])
def test_weights_that_are_none_are_refused(weights: str) -> None:
    with pytest.raises(SpecError, match="cannot be read: write ROLE=NUMBER"):
        Meant(weights=weights)


def test_texts_without_frames_given_are_refused() -> None:
    with pytest.raises(InputError, match=r"meant: frames of the references are wanted"):
        Meant().prepare(["dogs chased cats"])


def sentence(text: str, pos: str, heads: tuple[int, ...], relations: str) -> TextColumn:
    tokens, tags = tuple(text.split()), tuple(pos.split())
    return column(Annotation(tokens=tokens, pos=tags, heads=heads, relations=tuple(relations.split())))


ACTIVE = sentence("the dogs chased two cats", "DET NOUN VERB NUM NOUN", (1, 2, -1, 4, 2), "det nsubj ROOT nummod dobj")
PASSIVE = sentence(
    "two cats were chased by the dogs",
    "NUM NOUN AUX VERB ADP DET NOUN",
    (1, 3, 3, -1, 6, 6, 3),
    "nummod nsubj:pass aux:pass root case det obl:agent",
)


def test_verbs_and_what_depends_on_them_are_frames() -> None:
    prepared = MeantDependencyStyle().prepare(ACTIVE)
    assert prepared.rows(ACTIVE).score == 100
    # The object is the same in the passive; its agent has "by" besides: 2 * 2 / (3 + 2).
    q = (1 + 1 + 4 / 5) / 3
    assert prepared.rows(PASSIVE).score == pytest.approx(100 * q)


def test_roles_of_the_approximation_have_weights() -> None:
    prepared = MeantDependencyStyle(weights="subject=0").prepare(ACTIVE)
    assert prepared.rows(PASSIVE).score == pytest.approx(100)
