"""Words about metrics: by name, and what there is to know about one."""

from karat.metrics.framework.description import Description
from karat.metrics.meteor import Meteor
from karat.registry import metric, metric_names

__all__ = ["Description", "Meteor", "metric", "metric_names"]
