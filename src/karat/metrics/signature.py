"""Signatures: what must be said beside a number."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING

from karat.kernels import UNICODE_VERSION

if TYPE_CHECKING:
    from karat.metrics.base import Metric
    from karat.metrics.context import Context


@cache
def version() -> str:
    """The version of karat that is installed."""
    return metadata.version("karat")


def signature(metric: Metric, reference_count: str, reference_digest: str, context: Context | None = None) -> str:
    """Spec, number and hash of the references, versions of Unicode and of other resources, and karat's own version.

    A metric that learns from the whole set of references has a hash of what it learnt, too: ``context:1a2b3c4d``.

    For instance ``bleu|refs:1|hash:5f0a91c3|unicode:18.0.0|karat:0.1.0``.
    """
    parts = [metric.spec, f"refs:{reference_count}", f"hash:{reference_digest}"]
    parts += [] if context is None else [f"context:{context.digest}"]
    resources = {"unicode": UNICODE_VERSION, **metric.resources}
    parts += [f"{name}:{value}" for name, value in resources.items()]
    return "|".join([*parts, f"karat:{version()}"])
