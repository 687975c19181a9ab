"""What people said, out of files: which of it belongs to which test set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic
from karat.errors import InputError
from karat.service.aligning import few
from karat.service.parts import all_on_one, refuse_unnamed, spelled_out

if TYPE_CHECKING:
    from karat.corpus.given_scores import GivenScores
    from karat.service.parts import Part
    from karat.service.requests import GoldRequest


def judgements_of(
    wanted: GoldRequest | None, parts: Sequence[Part], language_pair: str | None
) -> tuple[list[tuple[GivenScores, ...]], list[Diagnostic]]:
    """The judgements of each test set, and what is to be said about how their files were read."""
    if wanted is None:
        return [() for _ in parts], []
    from karat.service.given_scores import read_given_scores

    judgements: list[GivenScores] = []
    said: list[Diagnostic] = []
    for path in wanted.paths:
        scores, warnings = read_given_scores(
            path,
            criteria=wanted.criteria,
            column=wanted.column,
            language_pair=language_pair or _only_pair(parts),
            as_gold=True,
        )
        said += warnings
        if wanted.every or wanted.criteria:
            judgements += scores
        else:
            chosen, others = _one_criterion(path, scores)
            judgements += chosen
            said += others
    if not judgements:
        raise InputError(
            "there are no judgements: give a directory of mt-metrics-eval, --ratings FILE or --judgements FILE"
        )
    return _divided(judgements, parts), said


def _only_pair(parts: Sequence[Part]) -> str | None:
    """The language pair of the texts, if all are of one."""
    pairs = {None if part.testset is None else part.testset.language_pair for part in parts}
    return pairs.pop() if len(pairs) == 1 else None


def _one_criterion(path: str, scores: Sequence[GivenScores]) -> tuple[list[GivenScores], list[Diagnostic]]:
    """The judgements of one criterion, that of the whole or adequacy where there are several, else the first.

    With them comes a warning of the others.
    """
    from karat.corpus.ratings import protocol_names

    names = list(dict.fromkeys(each.name for each in scores))
    usual = [name for name in names if name in (*protocol_names(), "adequacy")]
    chosen = [*usual, *names][0]
    others = [name for name in names if name != chosen]
    remedy = "choose with --criterion" if all(each.metric is None for each in scores) else "keep one in the file"
    message = f"{path} has judgements of {few(others)}, too, which are left out; {chosen} is the gold: {remedy}"
    warned = [Diagnostic("other-criteria", message)] if others else []
    return [each for each in scores if each.name == chosen], warned


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
