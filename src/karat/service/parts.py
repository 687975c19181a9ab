"""Which test sets there are, by texts or by files of scores, and which scores belong to each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.corpus import system_arguments
from karat.corpus.column_names import ColumnNames
from karat.errors import InputError, did_you_mean
from karat.quick_dataclasses import dataclass
from karat.service.choices import choices
from karat.text import default_tokenizer

if TYPE_CHECKING:
    from karat.corpus import Diagnostic
    from karat.corpus.given_scores import GivenScores
    from karat.metrics.base import Metric
    from karat.service.inputs import Input, TestSet
    from karat.service.requests import EvidenceRequest


SCORE_COLUMNS = ("score", "system", "segment", "document", "metric", "higher_is_better")
"""What --column can name in files of scores."""


@dataclass(frozen=True)
class Part:
    """A test set, by its texts where there are any, and the scores that files have on it."""

    testset: TestSet | None
    outside: tuple[GivenScores, ...]
    name: str | None


@contextmanager
def on_testset(name: str | None, *, one_of_several: bool) -> Iterator[None]:
    """Errors of what is done here name the test set, where it is one of several."""
    try:
        yield
    except InputError as error:
        if name is None or not one_of_several:
            raise
        raise InputError(f"test set {name}: {error}") from error


def parts_of(request: EvidenceRequest) -> tuple[list[Part], list[Diagnostic]]:
    """The test sets asked for, and what is to be said about how their files of scores were read."""
    outside, said = _outside(request)
    return _divided(request, outside), said


def _outside(request: EvidenceRequest) -> tuple[list[GivenScores], list[Diagnostic]]:
    """The scores of all files, and what is to be said about how they were read."""
    outside: list[GivenScores] = []
    said: list[Diagnostic] = []
    for path in request.scores:
        scores, warnings = _scores_in(path, request)
        for given in scores:
            _join(outside, given)
        said += warnings
    return outside, said


def _scores_in(argument: str, request: EvidenceRequest) -> tuple[tuple[GivenScores, ...], tuple[Diagnostic, ...]]:
    """The scores of a file that may be given as SYSTEM=FILE."""
    ((name, path),) = system_arguments([argument])
    from karat.service.given_scores import read_given_scores

    return read_given_scores(
        path,
        criteria=request.criteria,
        only=request.only,
        columns=ColumnNames.of(request.columns).only(SCORE_COLUMNS),
        system=None if path == argument else name,
        language_pair=request.language_pair,
    )


def _divided(request: EvidenceRequest, outside: Sequence[GivenScores]) -> list[Part]:
    """The test sets asked for, each with its own share of the scores that came from elsewhere."""
    named = tuple(dict.fromkeys(scores.testset for scores in outside))
    if request.texts is None:
        return _parts_of_scores(request, outside, named)
    testsets = _chosen(request, request.texts)
    if not request.streaming:
        testsets = [_with_language(testset, one_of_several=len(testsets) > 1) for testset in testsets]
    outside = spelled_out(outside, testsets)
    if all_on_one(outside, [testset.name for testset in testsets]):
        return [Part(testsets[0], tuple(outside), testsets[0].name)]
    refuse_unnamed(named, "scores")
    return [Part(testset, _on(testset.name, outside), testset.name) for testset in testsets]


def _parts_of_scores(
    request: EvidenceRequest, outside: Sequence[GivenScores], named: tuple[str | None, ...]
) -> list[Part]:
    if request.testsets and not any(named):
        raise InputError(_one_testset_only(request))
    for name in request.testsets:
        if name not in named:
            raise InputError(f"there is no test set {name!r}.{did_you_mean(name, filter(None, named))}")
    if len(named) <= 1:
        return [Part(None, tuple(outside), None)]
    refuse_unnamed(named, "scores")
    return [Part(None, _on(name, outside), name) for name in request.testsets or named]


def all_on_one(scores: Iterable[GivenScores], testsets: Sequence[str | None]) -> bool:
    """Whether there is but one test set, and no score is on another."""
    named = {each.testset for each in scores}
    return len(testsets) == 1 and (named <= {None} or named == {*testsets} or (testsets[0] is None and len(named) == 1))


def refuse_unnamed(named: Iterable[str | None], what: str) -> None:
    """Refuse scores or judgements that do not say which of several test sets they are on."""
    if None in named:
        raise InputError(
            f"{what} cannot be told to belong to one of several test sets: name it in a column testset, or choose one "
            "with --testset"
        )


def spelled_out(scores: Iterable[GivenScores], testsets: Sequence[TestSet]) -> list[GivenScores]:
    """The scores under the full names of their test sets, where they have those that a manifest gives."""
    known = _by_name(testsets)
    return [
        replace(each, testset=known[each.testset].name) if each.testset is not None and each.testset in known else each
        for each in scores
    ]


def _on(testset: str | None, outside: Sequence[GivenScores]) -> tuple[GivenScores, ...]:
    """The scores on one test set, which every file must have."""
    for file in dict.fromkeys(scores.file for scores in outside):
        if all(scores.testset != testset for scores in outside if scores.file == file):
            raise InputError(f"{file} has no scores on the test set {testset}: leave one of them out")
    return tuple(scores for scores in outside if scores.testset == testset)


def _chosen(request: EvidenceRequest, texts: Input) -> list[TestSet]:
    """The test sets asked for."""
    testsets = texts.testsets(whole=not request.streaming, twice=request.streaming and _learns(request.metrics))
    if request.testsets and not any(testset.name for testset in testsets):
        raise InputError(_one_testset_only(request))
    named = _by_name(testsets)
    for name in request.testsets:
        if name not in named:
            raise InputError(f"there is no test set {name!r}.{did_you_mean(name, named)}")
    return [named[name] for name in request.testsets] or testsets


def _by_name(testsets: Sequence[TestSet]) -> dict[str, TestSet]:
    """The test sets by their names, and by those without languages that one of them alone has."""
    named = {testset.name or "": testset for testset in testsets}
    for testset in testsets:
        # The label has the languages behind the name that the manifest gives.
        short = (testset.name or "").removesuffix(f" {testset.language_pair}")
        if sum((other.name or "").removesuffix(f" {other.language_pair}") == short for other in testsets) == 1:
            named.setdefault(short, testset)
    return named


def _one_testset_only(request: EvidenceRequest) -> str:
    return f"--testset {request.testsets[0]}: the input has one test set only; leave --testset out"


def _with_language(testset: TestSet, *, one_of_several: bool) -> TestSet:
    """The test set with the target language that its own corpus names, where nobody has named another."""
    if testset.language is not None or testset.given is not None:
        return testset
    with on_testset(testset.name, one_of_several=one_of_several):
        corpora = list(testset.blocks())
    language = corpora[0].target_language
    if language is None:
        return replace(testset, blocks=lambda: corpora)
    tokenizer = testset.tokenizer or default_tokenizer(language)
    return replace(testset, blocks=lambda: corpora, language=language, tokenizer=tokenizer)


def _learns(metrics: Sequence[str | Metric]) -> bool:
    return any(choice.metric.context_key is not None for choice in choices(metrics))


def _join(outside: list[GivenScores], more: GivenScores) -> None:
    """Add scores; files with the same measure of other systems are one."""
    for position, scores in enumerate(outside):
        if (joined := scores.joined(more)) is not None:
            outside[position] = joined
            return
    outside.append(more)
