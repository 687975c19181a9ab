"""What people said, out of files: which of it belongs to which test set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.errors import InputError
from karat.service.given_scores import read_given_scores
from karat.service.parts import all_on_one, refuse_unnamed, spelled_out

if TYPE_CHECKING:
    from karat.corpus import Diagnostic
    from karat.corpus.given_scores import GivenScores
    from karat.service.parts import Part
    from karat.service.requests import GoldRequest


def judgements_of(
    wanted: GoldRequest | None, parts: Sequence[Part]
) -> tuple[list[tuple[GivenScores, ...]], list[Diagnostic]]:
    """The judgements of each test set, and what is to be said about how their files were read."""
    if wanted is None:
        return [() for _ in parts], []
    judgements: list[GivenScores] = []
    said: list[Diagnostic] = []
    for path in wanted.paths:
        scores, warnings = read_given_scores(path, criteria=wanted.criteria, column=wanted.column)
        judgements += scores if wanted.every or wanted.criteria else _one_criterion(scores)
        said += warnings
    if not judgements:
        raise InputError(
            "there are no judgements: give a directory of mt-metrics-eval, --ratings FILE or --judgements FILE"
        )
    return _divided(judgements, parts), said


def _one_criterion(scores: Sequence[GivenScores]) -> list[GivenScores]:
    """The judgements of one criterion: that of the whole or adequacy where there are several, else the first."""
    names = list(dict.fromkeys(each.name for each in scores))
    if len(names) > 1:
        from karat.corpus.ratings import protocol_names

        names = [*(name for name in names if name in (*protocol_names(), "adequacy")), *names]
    return [each for each in scores if each.name == names[0]]


def _divided(judgements: Sequence[GivenScores], parts: Sequence[Part]) -> list[tuple[GivenScores, ...]]:
    """The judgements on each test set; all of them where there is one, unless they name others."""
    judgements = spelled_out(judgements, [part.testset for part in parts if part.testset is not None])
    if all_on_one(judgements, [part.name for part in parts]):
        return [tuple(judgements)]
    refuse_unnamed((scores.testset for scores in judgements), "judgements")
    return [_on(part.name, judgements) for part in parts]


def _on(testset: str | None, judgements: Sequence[GivenScores]) -> tuple[GivenScores, ...]:
    """The judgements on one test set, of which there must be some."""
    chosen = tuple(scores for scores in judgements if scores.testset == testset)
    if not chosen:
        there = ", ".join(dict.fromkeys(scores.testset or "" for scores in judgements))
        if testset is None:
            raise InputError(f"there are judgements on {there}, and one test set without a name: keep those on one")
        raise InputError(f"there are judgements on {there}, and none on {testset}: choose others with --testset")
    return chosen
