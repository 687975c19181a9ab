"""Minimum Bayes risk: of several hypotheses of a segment, the one with the highest expected utility."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from karat.arguments import check_choice, check_threads
from karat.corpus import Diagnostic, References
from karat.corpus.blocks import stream_blocks
from karat.corpus.files import InputFile, refuse_second_stdin
from karat.corpus.nbest import NbestBlock, NbestFile, NbestList, nbest_lists
from karat.corpus.references import Fingerprint
from karat.decoding.decoder import STRATEGIES, Decoder, ListTask, Strategy, reranked
from karat.decoding.expectation import DifferentTexts, choose, model_weights
from karat.decoding.pruning import Pruning
from karat.engine.crossing import check_utility
from karat.errors import InputError, SpecError
from karat.metrics.framework.identification import identity
from karat.results.mbr import MbrResult, SegmentChoice
from karat.service.listening import SILENT, Listeners
from karat.service.utilities import fitting_metric, said_about, said_of_spaces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.identity import Identity
    from karat.metrics.base import Metric

DEFAULT_UTILITY = "chrf"
WeightsName = Literal["uniform", "model"]
WEIGHTS: tuple[WeightsName, ...] = ("uniform", "model")
_CALLED = {"exact": "exact", "aggregate": "aggregated", "prune": "pruned"}
"""What signatures call a strategy."""


class Lists(Protocol):
    """Anything that gives n-best lists, some segments at a time."""

    def blocks(self) -> Iterator[NbestBlock]:
        """The lists in order."""
        ...


@dataclass(frozen=True)
class GivenLists:
    """Lists that are in memory."""

    lists: tuple[NbestList, ...]

    def blocks(self) -> Iterator[NbestBlock]:
        """All of them."""
        yield NbestBlock(self.lists, None)


@dataclass(frozen=True, kw_only=True)
class MbrRequest:
    """What to choose among, and by which utility.

    Hypotheses are measured against `pseudo_references`, or each other where there are none, and their mean counts, with
    `weights` as the model's probabilities or all the same. Given `references` (files, or texts), they are reranked by
    their score against these.
    """

    hypotheses: Lists
    metric: str | Metric = DEFAULT_UTILITY
    strategy: Strategy = "exact"
    weights: WeightsName = "uniform"
    pseudo_references: Lists | None = None
    references: tuple[str, ...] | References = ()
    pruning: Pruning = field(default_factory=Pruning)
    language_pair: str | None = None
    language: str | None = None
    threads: int | None = None

    @property
    def reranks(self) -> bool:
        """Whether there are references to measure against."""
        return isinstance(self.references, References) or len(self.references) > 0

    def check(self) -> None:
        """Refuse what cannot be wanted together."""
        check_choice("strategy", self.strategy, STRATEGIES)
        check_choice("weights", self.weights, WEIGHTS)
        check_threads(self.threads)
        if self.reranks and self.pseudo_references is not None:
            raise InputError("references rerank, pseudo-references stand for them: give one or the other")
        if self.reranks and (self.strategy != "exact" or self.weights != "uniform"):
            raise InputError(
                "references have no weights and are not averaged or sampled: leave out strategy and weights"
            )
        if self.strategy == "prune" and self.weights == "model":
            raise InputError("pruning resamples pseudo-references that all count the same: leave out the weights")


def decode(request: MbrRequest, listeners: Listeners = SILENT) -> MbrResult:
    """Choose a hypothesis for every segment."""
    request.check()
    refuse_second_stdin(list(_files(request)))
    metric = fitting_metric(request.metric, request.language_pair, request.language)
    check_utility(metric)
    if request.strategy == "aggregate" and not _averages(metric):
        raise SpecError(
            f"the references of {metric.name} cannot be averaged: take bleu or chrf, or another strategy than aggregate"
        )
    work = _Decoding(request, metric)
    segments: list[SegmentChoice] = []
    for block in request.hypotheses.blocks():
        segments += work.choices(block.lists)
        if listeners.segments is not None:
            listeners.segments(len(block.lists), block.share_read)
    work.finish()
    return MbrResult(
        identity=work.identity(),
        strategy="rerank" if request.reranks else request.strategy,
        weights=None if request.reranks else request.weights,
        segments=tuple(segments),
        warnings=(*said_about(metric), *(work.said or ()), *_said_of_ties(segments, request, metric)),
    )


def _files(request: MbrRequest) -> Iterator[InputFile]:
    """The files that are read."""
    for lists in (request.hypotheses, request.pseudo_references):
        if isinstance(lists, NbestFile):
            yield from lists.files()
    if not isinstance(request.references, References):
        yield from map(InputFile.of, request.references)


def _averages(metric: Metric) -> bool:
    from karat.text import TextColumn

    crossed = metric.crossing(TextColumn.of([""]), np.array([0, 1], dtype=np.int64), 1)
    return crossed is not None and crossed.averages


class _Decoding:
    """What is known while segments are decided block by block."""

    def __init__(self, request: MbrRequest, metric: Metric) -> None:
        self._request = request
        self._metric = metric
        self._decoder = Decoder(
            metric=metric, strategy=request.strategy, pruning=request.pruning, threads=request.threads
        )
        self._fingerprint = Fingerprint()
        self._weighed = sha256()
        self._others = None if request.pseudo_references is None else _Aligned(request.pseudo_references)
        self._references = _ReferenceBlocks(request.references)
        self._number = 0
        self.said: tuple[Diagnostic, ...] | None = None

    def choices(self, lists: Sequence[NbestList]) -> list[SegmentChoice]:
        """The choice for each of the segments that follow."""
        different = [DifferentTexts.of(nbest.hypotheses) for nbest in lists]
        if self._request.reranks:
            references = self._references.take(lists)
            self._look_at(references)
            utilities = reranked(self._metric, different, references, self._request.threads)
        else:
            others = None if self._others is None else self._others.take(lists)
            self._look_at(References.of([list(nbest.hypotheses) for nbest in (lists if others is None else others)]))
            utilities = self._decoder.utilities(self._tasks(lists, different, others))
        higher = self._metric.higher_is_better
        return [
            _choice(nbest, texts, values, higher)
            for nbest, texts, values in zip(lists, different, utilities, strict=True)
        ]

    def _tasks(
        self, lists: Sequence[NbestList], different: Sequence[DifferentTexts], others: Sequence[NbestList] | None
    ) -> Iterator[ListTask]:
        for place, (nbest, texts) in enumerate(zip(lists, different, strict=True)):
            measured = nbest if others is None else others[place]
            against = texts if others is None else DifferentTexts.of(measured.hypotheses)
            self._number += 1
            yield ListTask(self._number, texts, self._weights(measured, against), None if others is None else against)

    def _weights(self, nbest: NbestList, texts: DifferentTexts) -> NDArray[np.float64]:
        if self._request.weights == "uniform":
            return texts.counts
        if nbest.log_probabilities is None:
            raise InputError(
                f"{nbest.where}: there are no log-probabilities to weigh by: give them, or leave out weights model"
            )
        self._weighed.update(np.asarray(nbest.log_probabilities, dtype=np.float64).tobytes())
        return model_weights(texts.greatest(nbest.log_probabilities))

    def _look_at(self, references: References) -> None:
        if self.said is None:
            self.said = said_of_spaces(self._metric, references)
        self._fingerprint.update(references)

    def finish(self) -> None:
        """Refuse lists or references that are left over."""
        if self._others is not None:
            self._others.finish(self._number)
        if self._request.reranks:
            self._references.finish()

    def identity(self) -> Identity:
        """The utility, and in its signature how the choice was made."""
        from dataclasses import replace

        known = identity(self._metric, self._fingerprint.mark())
        details = {"mbr": "reranked"} if self._request.reranks else self._details()
        return replace(known, signature=known.signature.with_details(**details), sacrebleu_signature=None)

    def _details(self) -> dict[str, str]:
        request = self._request
        how = _CALLED[request.strategy]
        if request.strategy == "prune":
            pruning = request.pruning
            how += f"(alpha={pruning.alpha:g},n={pruning.n},seed={pruning.seed})"
        weights = request.weights if request.weights == "uniform" else f"model-{self._weighed.hexdigest()[:8]}"
        return {"mbr": how, "weights": weights}


class _Aligned:
    """Pseudo-references segment by segment, as many as there are of hypotheses."""

    def __init__(self, lists: Lists) -> None:
        self._lists = (nbest for block in lists.blocks() for nbest in block.lists)
        self._taken = 0

    def take(self, hypotheses: Sequence[NbestList]) -> list[NbestList]:
        """The lists of the same segments."""
        lists = []
        for own in hypotheses:
            other = next(self._lists, None)
            if other is None:
                raise InputError(
                    f"{own.where}: segment {own.segment} has no pseudo-references, for they end after "
                    f"{self._taken} segments: give a list for each segment, in the same order"
                )
            if other.segment != own.segment:
                raise InputError(
                    f"{other.where} has segment {other.segment}, but {own.where} has segment {own.segment}: give "
                    "pseudo-references in the order of the hypotheses"
                )
            self._taken += 1
            lists.append(other)
        return lists

    def finish(self, segments: int) -> None:
        """Refuse what is left."""
        if (other := next(self._lists, None)) is not None:
            raise InputError(
                f"{other.where}: there are pseudo-references of more segments than the {segments} that have hypotheses"
            )


class _ReferenceBlocks:
    """References of some segments after the other, from files or from memory."""

    def __init__(self, given: tuple[str, ...] | References) -> None:
        self._given = given
        self._texts = self._read()
        self._taken = 0

    def _read(self) -> Iterator[list[str]]:
        if isinstance(self._given, References):
            blocks: Iterable[References] = (self._given,)
        else:
            blocks = (block.references_for() for block in stream_blocks(self._given, ()))
        for block in blocks:
            texts, bounds = block.column.to_list(), block.offsets.tolist()
            yield from (texts[start:end] for start, end in pairwise(bounds))

    @property
    def _where(self) -> str:
        return "" if isinstance(self._given, References) else f"{', '.join(self._given)}: "

    def take(self, lists: Sequence[NbestList]) -> References:
        """The references of the segments of these lists."""
        given = []
        for nbest in lists:
            alternatives = next(self._texts, None)
            if alternatives is None:
                covered = "1 segment" if self._taken == 1 else f"{self._taken} segments"
                raise InputError(
                    f"{self._where}there are references of {covered}, but {nbest.where} has another one: "
                    "give one for each segment, in the same order"
                )
            self._taken += 1
            given.append(alternatives)
        return References.of(given)

    def finish(self) -> None:
        """Refuse what is left."""
        if next(self._texts, None) is not None:
            raise InputError(
                f"{self._where}there are references of more segments than the {self._taken} that have hypotheses: give "
                "one for each segment, in the same order"
            )


def _choice(
    nbest: NbestList, different: DifferentTexts, values: NDArray[np.float64], higher_is_better: bool
) -> SegmentChoice:
    """The choice for a segment, by places in its list."""
    best = choose(values, higher_is_better=higher_is_better)
    first = different.first + 1
    place = int(first[best.place])
    utilities = tuple(None if np.isnan(value) else value for value in values[different.number].tolist())
    tied = tuple(int(first[other]) for other in best.tied)
    return SegmentChoice(nbest.segment, place, nbest.hypotheses[place - 1], best.utility, best.margin, tied, utilities)


def _said_of_ties(segments: Sequence[SegmentChoice], request: MbrRequest, metric: Metric) -> tuple[Diagnostic, ...]:
    tied = [place for place, choice in enumerate(segments, 1) if choice.tied]
    if not tied:
        return ()
    best = "highest" if metric.higher_is_better else "lowest"
    where = "1 segment" if len(tied) == 1 else f"{len(tied)} segments"
    utility = f"the {best}{'' if request.reranks else ' expected'} {metric.display_name}"
    message = f"in {where} different hypotheses have {utility}: the first in the list is taken"
    return (Diagnostic("ties", message, segments=tuple(tied)),)


def mbr(
    hypotheses: Sequence[Sequence[str]],
    metric: str | Metric = DEFAULT_UTILITY,
    *,
    pseudo_references: Sequence[Sequence[str]] | None = None,
    references: Iterable[str] | Iterable[Iterable[str]] | None = None,
    log_probabilities: Sequence[Sequence[float]] | None = None,
    strategy: Strategy = "exact",
    alpha: float = 0.99,
    n: int = 500,
    seed: int | None = None,
    language: str | None = None,
    threads: int | None = None,
) -> MbrResult:
    """Of several hypotheses of each segment, the one with the highest expected utility.

    Each is measured against all hypotheses of its segment, or against `pseudo_references`, whose `log_probabilities`
    say how much they count where they are given. With `references` the hypotheses are reranked by their scores.

    >>> import karat
    >>> lists = [["the cat sat", "a cat sat", "the dog"], ["yes", "yes", "no"]]
    >>> karat.mbr(lists, "chrf").best
    ['the cat sat', 'yes']
    """
    own = log_probabilities if pseudo_references is None else None
    others = None
    if pseudo_references is not None:
        others = GivenLists(nbest_lists(pseudo_references, log_probabilities))
    if references is not None and log_probabilities is not None:
        raise InputError("references have no log-probabilities: give one or the other")
    request = MbrRequest(
        hypotheses=GivenLists(nbest_lists(hypotheses, own)),
        metric=metric,
        strategy=strategy,
        weights="uniform" if log_probabilities is None else "model",
        pseudo_references=others,
        references=() if references is None else References.of(references),
        pruning=Pruning(alpha=alpha, n=n) if seed is None else Pruning(alpha=alpha, n=n, seed=seed),
        language=language,
        threads=threads,
    )
    result = decode(request)
    for diagnostic in result.warnings:
        warnings.warn(diagnostic.message, stacklevel=2)
    return result
