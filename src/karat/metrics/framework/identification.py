"""The identity of a metric on some references: names, direction, scale, and its signature."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from karat.identity import Identity, Signature
from karat.kernels import UNICODE_VERSION
from karat.version import VERSION

if TYPE_CHECKING:
    from karat.identity import Fingerprinted
    from karat.metrics.base import Metric
    from karat.metrics.framework.context import Context


def signature(metric: Metric, references: Fingerprinted | None, context: Context | None = None) -> Signature:
    """Spec, number and hash of the references, versions of Unicode and of other resources, and of the code.

    A metric that learns from the whole set of references has a hash of what it learnt, too: ``context:1a2b3c4d``. One
    that does not belong to karat names its package and version, or else its module.

    For instance ``bleu|refs:1|hash:5f0a91c3|unicode:18.0.0|karat:0.1.0``.
    """
    learnt = {} if context is None else {"context": context.digest}
    details = {**learnt, "unicode": UNICODE_VERSION, **metric.resources, **origin(type(metric)), "karat": VERSION}
    return Signature(metric.spec, references, tuple(details.items()), metric.signed_beside)


def identity(metric: Metric, references: Fingerprinted, context: Context | None = None) -> Identity:
    """Who the metric is when it measures against these references."""
    return Identity(
        metric=metric.name,
        spec=metric.spec,
        display_name=metric.display_name,
        signature=signature(metric, references, context),
        higher_is_better=metric.higher_is_better,
        scale=metric.bounds,
        sacrebleu_signature=metric.sacrebleu_signature(references.count_label),
        other_names=metric.other_names,
    )


@cache
def origin(metric: type[Metric]) -> dict[str, str]:
    """The package and version that a metric comes from, if that is not karat."""
    top = metric.__module__.partition(".")[0]
    if top == __name__.partition(".")[0]:
        return {}
    from importlib import metadata

    packages = metadata.packages_distributions().get(top)
    return {name: metadata.version(name) for name in packages} if packages else {"module": metric.__module__}
