"""Which metrics are meant: specs, metrics and whole suites, as far as this machine has what they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from karat.corpus import Diagnostic
from karat.errors import MissingExtraError, MissingResourceError
from karat.metrics.base import Metric
from karat.metrics.framework.wanted import wants_more
from karat.quick_dataclasses import dataclass
from karat.registry import metric, suite

if TYPE_CHECKING:
    from karat.service.inputs import TestSet

SUITE = "suite:"


@dataclass(frozen=True)
class Choice:
    """A metric, and whether it may be left out where something that it needs is missing."""

    metric: Metric
    optional: bool = False


def choices(specs: Iterable[str | Metric] | str | Metric) -> list[Choice]:
    """The metrics that specs mean, each once with all that was written out; those of a suite may be left out.

    >>> [choice.metric.spec for choice in choices(["ter", "suite:classic"])][:3]
    ['ter', 'bleu', 'nist']
    """
    chosen: dict[Metric, Choice] = {}
    for spec in _each(specs):
        for choice in _meant(spec):
            before = chosen.get(choice.metric, choice)
            written = max(before.metric, choice.metric, key=lambda metric: len(metric.given))
            chosen[choice.metric] = Choice(written, before.optional and choice.optional)
    return list(chosen.values())


def _each(specs: Iterable[str | Metric] | str | Metric) -> Iterable[str | Metric]:
    """The specs one by one; what has none, such as an array without dimensions, is itself refused as a spec."""
    if isinstance(specs, str | Metric):
        return [specs]
    try:
        return iter(specs)
    except TypeError:
        return [cast("str", specs)]


def _meant(spec: str | Metric) -> list[Choice]:
    if isinstance(spec, str) and spec.strip().startswith(SUITE):
        return [Choice(member, optional=True) for member in suite(spec.strip().removeprefix(SUITE))]
    return [Choice(metric(spec))]


def available(
    chosen: Sequence[Choice], testsets: Iterable[TestSet | None] = (None,)
) -> tuple[list[Metric], list[Diagnostic]]:
    """The metrics without those of a suite that lack something on any test set, and what was left out and why."""
    known = list(testsets)
    metrics: list[Metric] = []
    left_out: dict[str, list[str]] = {}
    for choice in chosen:
        lack = next(filter(None, (_lack(choice.metric, testset) for testset in known)), None)
        if lack is None or not choice.optional:
            metrics.append(choice.metric)
        else:
            left_out.setdefault(lack, []).append(choice.metric.spec)
    return metrics, [
        Diagnostic("left-out", f"{', '.join(specs)} {'is' if len(specs) == 1 else 'are'} left out: {lack}")
        for lack, specs in left_out.items()
    ]


def does_without(metrics: Iterable[Metric]) -> list[Diagnostic]:
    """What metrics could use and do without because it is not installed, with its install line, each once."""
    lacking: dict[str, dict[str, None]] = {}
    for needing in metrics:
        for lack in needing.lacking:
            lacking.setdefault(lack, {})[needing.name] = None
    return [
        Diagnostic("does-without", f"{', '.join(names)}: scored without what is missing here. {lack}")
        for lack, names in lacking.items()
    ]


def corpus_formulas(metrics: Iterable[Metric]) -> list[Diagnostic]:
    """A warning where the formula of a metric is one for whole corpora, and single segments are scored by it."""
    formulas = []
    for named in metrics:
        if (single := named.for_segments) != named:
            better = next(iter(single.other_names), single.spec)
            message = f"{named.spec} is a formula for whole corpora: for single segments use {better}"
            formulas.append(Diagnostic("corpus-formula", message))
    return formulas


def _lack(metric: Metric, testset: TestSet | None) -> str | None:
    """What is missing for a metric; a metric says so when it is asked for the versions of what it uses."""
    fitting = metric if testset is None else testset.adapted(metric)
    try:
        _ = fitting.resources
    except (MissingExtraError, MissingResourceError) as error:
        return str(error)
    return None if testset is None or testset.lack is None else testset.lack(fitting)


def want_only_sources(specs: Iterable[str | Metric]) -> bool:
    """Whether no metric asked for measures against references."""
    return all(choice.metric.wants == {"sources"} for choice in choices(specs))


def looks_at_texts(chosen: Iterable[Choice]) -> bool:
    """Whether some metric may be left out for want of a text, so that these must be seen before."""
    return any(choice.optional and wants_more(choice.metric) for choice in chosen)
