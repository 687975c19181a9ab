"""Metrics by name, and the spec language: ``bleu``, ``chrf(word_order=2)``, ``bleu(smooth=add-k, smooth_value=1)``."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from math import isfinite
from numbers import Integral, Real
from typing import Any, get_args, get_origin, get_type_hints

import karat.metrics
from karat.arguments import check_name, check_truth, described, numbers, shown
from karat.errors import InputError, SpecError, did_you_mean
from karat.metrics.base import Metric, registry
from karat.metrics.framework.functions import FunctionMetric, SegmentFunction
from karat.plugins import load_plugins

_NAME = re.compile(r"[A-Za-z][\w+.-]*")
_SPEC = re.compile(rf"\s*({_NAME.pattern})\s*(?:\((.*)\)\s*)?", re.DOTALL)
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
    load_plugins("karat.metrics", registry)
    return dict(sorted(registry.items()))


@cache
def aliases() -> dict[str, tuple[type[Metric], dict[str, Any]]]:
    """Other names for a metric with certain parameters, such as chrf++."""
    return {
        alias: (metric, parameters)
        for metric in metric_classes().values()
        for alias, parameters in metric.aliases.items()
    }


def metric_class(name: str) -> type[Metric]:
    """The metric of that name, without parameters."""
    try:
        return metric_classes()[name]
    except KeyError:
        raise _unknown(name) from None


def metric(spec: str | Metric, /, **parameters: Any) -> Metric:
    """The metric that a spec describes, or the one given; parameters may be keywords, too.

    >>> metric("chrf( word_order = 2 )").spec
    'chrf(word_order=2)'
    >>> metric("chrf", word_order=2, lowercase=True).spec
    'chrf(word_order=2,lowercase=true)'
    """
    if isinstance(spec, Metric):
        return dataclasses.replace(spec, **_taken_arguments(spec, parameters)) if parameters else spec
    match = _SPEC.fullmatch(spec) if isinstance(spec, str) else None
    if not match:
        raise SpecError(f"cannot read the metric {spec!r}: write name or name(parameter=value, ...)")
    name, arguments = match[1].lower(), match[2] or ""
    if name in metric_classes():
        cls, preset = metric_classes()[name], dict[str, Any]()
    elif name in aliases():
        cls, preset = aliases()[name]
    else:
        raise _unknown(name)
    written, named = _parse_arguments(cls, arguments, spec), _taken_arguments(cls, parameters)
    if twice := written.keys() & named.keys():
        raise SpecError(f"{min(twice)} is given twice: in {spec!r} and as a keyword")
    return cls(**{**preset, **written, **named})


def metric_from(
    function: SegmentFunction,
    *,
    name: str,
    version: str,
    higher_is_better: bool = True,
    scale: tuple[float, float] | None = None,
) -> Metric:
    """A metric of a function of one hypothesis and its references; the score of a corpus is the mean over segments.

    Name and version stand in signatures: change the version when the function changes. `scale` has the least and the
    greatest score that there can be, and scores outside of it are refused.

    >>> def exact(hypothesis, references):
    ...     return float(hypothesis in references)
    >>> karat.metric_from(exact, name="exact", version="1", scale=(0, 1)).prepare(["a", "b"]).rows(["a", "c"]).score
    0.5
    """
    if not callable(function):
        raise InputError(f"a function of a hypothesis and its references is wanted, not {described(function)}")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SpecError(f"{name!r} cannot name a metric: write letters and digits, a letter first")
    if name.lower() in {*metric_classes(), *aliases()}:
        raise SpecError(f"there is a metric named {name!r} already: take another name")
    check_name("version", version)
    check_truth("higher_is_better", higher_is_better)
    bounds = None if scale is None else _scale(scale)
    return FunctionMetric(
        function=function, name=name, version=version, higher_is_better=higher_is_better, bounds=bounds
    )


def _scale(scale: Any) -> tuple[float, float]:
    ends = numbers(scale, "ends of the scale")
    if len(ends) != 2 or None in ends or not ends[0] < ends[1]:  # type: ignore[operator]
        raise InputError(f"the scale {scale!r} is not one: give its least and its greatest score, such as (0, 1)")
    return float(ends[0]), float(ends[1])  # type: ignore[arg-type]


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


def _unknown(name: str) -> SpecError:
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
    return _checked(cls, name, text, lambda hint: _convert(_parse_value(text), hint))


def _taken_arguments(owner: Metric | type[Metric], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as Python has them, checked to be of their kinds."""
    return {name: _checked(owner, name, shown(value), partial(_taken, value)) for name, value in arguments.items()}


def _checked(owner: Metric | type[Metric], name: str, given: str, read: Callable[[Any], Any]) -> Any:
    """A parameter as a function of its type reads it; one that is unknown or of another kind is refused."""
    hints = _parameters(owner)
    if name not in hints:
        raise SpecError(f"{owner.name} has no parameter {name!r}.{did_you_mean(name, hints)}")
    try:
        return read(hints[name])
    except (TypeError, ValueError, KeyError, OverflowError):
        raise SpecError(f"{owner.name}({name}={given}) is not {_expectation(hints[name])}") from None


def _parameters(owner: Metric | type[Metric]) -> dict[str, Any]:
    """The types of a metric's parameters, by name; other fields are not for callers to change."""
    hints = get_type_hints(owner if isinstance(owner, type) else type(owner))
    return {field.name: hints[field.name] for field in dataclasses.fields(owner) if "help" in field.metadata}


def _parse_value(text: str) -> Any:
    """A string, or a tuple of strings for a list in brackets."""
    if text[0] in "\"'":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    if text[0] == "[":
        return tuple(item.strip() for item in text[1:-1].split(",") if item.strip())
    return text.strip()


def _convert(value: Any, hint: Any) -> Any:
    kind = _kind(hint)
    if _is_optional(hint) and value == "none" and kind is not str:
        return None
    if isinstance(value, tuple):
        inner = get_args(kind)[0]
        return tuple(_convert(item, inner) for item in value)
    if kind is bool:
        return {"true": True, "yes": True, "false": False, "no": False}[value.lower()]
    if kind is float:
        return _finite(value)
    if kind in (int, str):
        return kind(value)
    raise TypeError


def _taken(value: Any, hint: Any) -> Any:
    """A value of Python as a parameter of that type; another kind of value is a TypeError."""
    if value is None and _is_optional(hint):
        return None
    kind = _kind(hint)
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        return tuple(_taken(item, get_args(kind)[0]) for item in value)
    accepted = {bool: bool, int: Integral, float: Real, str: str}.get(kind)
    if accepted is None or not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
        raise TypeError
    return _finite(value) if kind is float else kind(value)


def _finite(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError
    return number


def _kind(hint: Any) -> Any:
    """The type of a parameter where it is there."""
    if not _is_optional(hint):
        return hint
    (kind,) = (option for option in get_args(hint) if option is not type(None))
    return kind


def _is_optional(hint: Any) -> bool:
    return type(None) in get_args(hint)


def _expectation(hint: Any) -> str:
    names = {bool: "true or false", int: "a whole number", float: "a number"}
    kinds = [kind for kind in get_args(hint) or (hint,) if kind is not type(None)]
    return names.get(kinds[0], "a list such as [1,2,3]")
