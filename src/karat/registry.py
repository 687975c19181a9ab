"""Metrics by name, and the spec language: ``bleu``, ``chrf(word_order=2)``, ``bleu(smooth=add-k, smooth_value=1)``."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from functools import cache
from importlib.metadata import entry_points
from typing import Any, get_args, get_type_hints

import karat.metrics
from karat.errors import SpecError, did_you_mean
from karat.metrics.base import Metric, registered

_SPEC = re.compile(r"\s*([A-Za-z][\w+.-]*)\s*(?:\((.*)\)\s*)?", re.DOTALL)
_ARGUMENT = re.compile(
    r"""\s*(?P<name>\w+)\s*=\s*
        (?P<value>"(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | \[[^\]]*\] | [^,\[\]"']+?)\s*(?:,|$)""",
    re.VERBOSE | re.DOTALL,
)


@cache
def metric_classes() -> dict[str, type[Metric]]:
    """Every metric karat has, its own and those of installed plugins, by name."""
    for module in pkgutil.iter_modules(karat.metrics.__path__, "karat.metrics."):
        if not module.ispkg:
            importlib.import_module(module.name)
    for plugin in entry_points(group="karat.metrics"):
        plugin.load()
    return dict(sorted(registered().items()))


@cache
def aliases() -> dict[str, tuple[type[Metric], dict[str, Any]]]:
    """Other names for a metric with certain parameters, such as chrf++."""
    return {
        alias: (metric, parameters)
        for metric in metric_classes().values()
        for alias, parameters in metric.aliases.items()
    }


def metric_names() -> tuple[str, ...]:
    """The names that a spec may begin with, those of suites included."""
    return (*sorted([*metric_classes(), *aliases()]), *(f"suite:{name}" for name in SUITES))


def metric_class(name: str) -> type[Metric]:
    """The metric of that name, without parameters."""
    try:
        return metric_classes()[name]
    except KeyError:
        raise _unknown(name) from None


def metric(spec: str | Metric) -> Metric:
    """The metric that a spec describes.

    >>> metric("chrf( word_order = 2 )").spec
    'chrf(word_order=2)'
    """
    if isinstance(spec, Metric):
        return spec
    match = _SPEC.fullmatch(spec)
    if not match:
        raise SpecError(f"cannot read the metric {spec!r}: write name or name(parameter=value, ...)")
    name, arguments = match[1].lower(), match[2] or ""
    if name in metric_classes():
        cls, preset = metric_classes()[name], dict[str, Any]()
    elif name in aliases():
        cls, preset = aliases()[name]
    else:
        raise _unknown(name)
    return cls(**{**preset, **_parse_arguments(cls, arguments, spec)})


SUITES = {
    "classic": ("bleu", "nist", "meteor", "ter", "chrf++", "ribes"),
    "all": ("chrf++", "rouge-1", "rouge-2", "rouge-l", "rouge-lsum", "rouge-w", "rouge-s4", "rouge-su4"),
}
"""Metrics that are asked for by one name, as in ``suite:classic``; to ``all`` every metric by itself is added."""


def suite(name: str) -> tuple[Metric, ...]:
    """The metrics of a suite; ``all`` is every metric that measures against ordinary references.

    >>> [one.spec for one in suite("classic")][:3]
    ['bleu', 'nist', 'meteor']
    """
    if name not in SUITES:
        raise SpecError(f"there is no suite {name!r}.{did_you_mean(name, SUITES)}")
    specs = list(SUITES[name])
    if name == "all":
        specs += [known for known, cls in metric_classes().items() if cls.wants == "references"]
        specs.sort()
    return tuple(dict.fromkeys(metric(spec) for spec in specs))


NEURAL = re.compile(
    r"(wmt\d\d-)?(x?comet|bleurt|metricx|bert-?score|bart-?score|mover-?score|yisi|prism|unite|gemba)", re.I
)
"""Metrics that run models of their own, and are brought as scores."""


def _unknown(name: str) -> SpecError:
    if NEURAL.match(name):
        return SpecError(
            f"{name} runs a model of its own, which karat does not: give its segment scores to karat compare, rank, "
            "power or meta with --scores FILE"
        )
    return SpecError(f"there is no metric {name!r}.{did_you_mean(name, [*metric_classes(), *aliases()])}")


def _parse_arguments(cls: type[Metric], text: str, spec: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    position = 0
    while text[position:].strip():
        match = _ARGUMENT.match(text, position)
        if not match:
            raise SpecError(f"cannot read {text[position:].strip()!r} in {spec!r}: write parameter=value")
        if match["name"] in arguments:
            raise SpecError(f"{match['name']} is given twice in {spec!r}")
        arguments[match["name"]] = _parse_parameter(cls, match["name"], match["value"])
        position = match.end()
    return arguments


def _parse_parameter(cls: type[Metric], name: str, text: str) -> Any:
    fields = {field.name for field in dataclasses.fields(cls)}
    if name not in fields:
        raise SpecError(f"{cls.name} has no parameter {name!r}.{did_you_mean(name, fields)}")
    hint = get_type_hints(cls)[name]
    value = _parse_value(text)
    try:
        return _convert(value, hint)
    except (TypeError, ValueError, KeyError):
        raise SpecError(f"{cls.name}({name}={text}) is not {_expectation(hint)}") from None


def _parse_value(text: str) -> Any:
    """A string, or a tuple of strings for a list in brackets."""
    if text[0] in "\"'":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    if text[0] == "[":
        return tuple(item.strip() for item in text[1:-1].split(",") if item.strip())
    return text.strip()


def _convert(value: Any, hint: Any) -> Any:
    options = [option for option in get_args(hint) if option is not type(None)] if _is_optional(hint) else [hint]
    if _is_optional(hint) and value == "none" and str not in options:
        return None
    (kind,) = options
    if isinstance(value, tuple):
        inner = get_args(kind)[0]
        return tuple(_convert(item, inner) for item in value)
    if kind is bool:
        return {"true": True, "yes": True, "false": False, "no": False}[value.lower()]
    if kind in (int, float, str):
        return kind(value)
    raise TypeError


def _is_optional(hint: Any) -> bool:
    return type(None) in get_args(hint)


def _expectation(hint: Any) -> str:
    names = {bool: "true or false", int: "a whole number", float: "a number"}
    kinds = [kind for kind in get_args(hint) or (hint,) if kind is not type(None)]
    return names.get(kinds[0], "a list such as [1,2,3]")
