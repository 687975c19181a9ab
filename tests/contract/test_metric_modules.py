"""The package of metrics shows the metrics: each of its modules registers one; what they are built on stands below."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import karat.metrics
from karat.metrics.base import registry
from karat.registry import metric_classes

HERE = list(pkgutil.iter_modules(karat.metrics.__path__, "karat.metrics."))
METRICS = [module.name for module in HERE if not module.ispkg and module.name != "karat.metrics.base"]
FAMILIES = [module.name for module in HERE if module.ispkg]
FOUNDATIONS = [
    module.name
    for family in FAMILIES
    for module in pkgutil.walk_packages(importlib.import_module(family).__path__, f"{family}.")
]


def test_modules_of_both_kinds_are_found() -> None:
    assert "karat.metrics.bleu" in METRICS
    assert "karat.metrics.words.metric" in FOUNDATIONS


@pytest.mark.parametrize("module", METRICS)
def test_a_module_of_the_package_registers_a_metric(module: str) -> None:
    assert module in {metric.__module__ for metric in metric_classes().values()}


@pytest.mark.parametrize("module", FOUNDATIONS)
def test_a_module_of_a_package_below_registers_none(module: str) -> None:
    importlib.import_module(module)
    assert module not in {metric.__module__ for metric in registry.values()}
