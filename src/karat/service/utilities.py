"""A metric that measures strings against each other: which one is meant, and what must be said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.corpus import Diagnostic
from karat.engine.spacing import check_spacing
from karat.errors import SpecError
from karat.registry import metric as metric_of
from karat.service.choices import SUITE, corpus_formulas, does_without
from karat.service.inputs import one_testset, unnamed_language

if TYPE_CHECKING:
    from karat.corpus import References
    from karat.metrics.base import Metric


def fitting_metric(spec: str | Metric, language_pair: str | None, language: str | None = None) -> Metric:
    """The metric as the target language calls for it."""
    if isinstance(spec, str) and spec.strip().startswith(SUITE):
        raise SpecError(f"{spec} is a suite of metrics: name one of them, such as chrf")
    metric = metric_of(spec)
    if language is not None:
        from karat.resources.languages import check_language

        check_language(language)
        return metric.for_language(language)
    (testset,) = one_testset(language_pair, lambda: ())
    return testset.adapted(metric)


def said_about(metric: Metric) -> tuple[Diagnostic, ...]:
    """What must be said whatever the texts are."""
    return (*corpus_formulas([metric]), *does_without([metric]), *unnamed_language([metric]))


def said_of_spaces(metric: Metric, references: References) -> tuple[Diagnostic, ...]:
    """A warning about text that the metric cannot cut into words; where nobody chose that, it is refused."""
    return tuple(check_spacing([metric], references))
