"""Words about metrics: by name, and what there is to know about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy_names import loader
from karat.registry import metric, metric_names

if TYPE_CHECKING:
    from karat.metrics.framework.description import Description
    from karat.metrics.meteor import Meteor

_HOMES = {
    "Description": "karat.metrics.framework.description",
    "Meteor": "karat.metrics.meteor",
}

__all__ = ["Description", "Meteor", "metric", "metric_names"]

__getattr__ = loader(__name__, _HOMES)
