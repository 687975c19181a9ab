"""Metrics by name, and the spec language: ``bleu``, ``chrf(word_order=2)``, ``bleu(smooth=add-k, smooth_value=1)``."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import karat.metrics
from karat.arguments import check_name, check_truth, described, numbers
from karat.errors import InputError, SpecError, did_you_mean
from karat.metrics.base import Metric, registry
from karat.metrics.framework.functions import FunctionMetric, SegmentFunction
from karat.metrics.framework.values import Kind, as_written, kinds, of_kind
from karat.plugins import load_plugins

try:
    from karat.metrics.framework.index import MODULES
except ImportError:  # not made yet: then metrics are found by loading them all
    MODULES = {}

LONGEST_SPEC = 10_000

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


def metric_names() -> tuple[str, ...]:
    """The names that a spec may begin with, those of suites included."""
    return (*sorted([*metric_classes(), *aliases()]), *(f"suite:{name}" for name in SUITES))


def metric_class(name: str) -> type[Metric]:
    """The metric of that name, without parameters."""
    entry = _found(name)
    if entry is None or entry[0].name != name:
        raise _unknown(name)
    return entry[0]


def _found(name: str) -> tuple[type[Metric], dict[str, Any]] | None:
    """The metric of that name or alias, and the parameters that an alias stands for.

    Only the module that the index names is loaded; all modules and plug-ins are where it names none, or a wrong one.
    """
    _load_indexed(name)
    entry = _registered(name)
    if entry is None:
        metric_classes()
        entry = _registered(name)
    return entry


def _load_indexed(name: str) -> None:
    module = MODULES.get(name)
    if module is not None:
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise


def _registered(name: str) -> tuple[type[Metric], dict[str, Any]] | None:
    if name in registry:
        return registry[name], {}
    return next(((known, known.aliases[name]) for known in registry.values() if name in known.aliases), None)


def metric(spec: str | Metric, /, **parameters: Any) -> Metric:
    """The metric that a spec describes, or the one given; parameters may be keywords, too.

    >>> metric("chrf( word_order = 2 )").spec
    'chrf(word_order=2)'
    >>> metric("chrf", word_order=2, lowercase=True).spec
    'chrf(word_order=2,lowercase=true)'
    """
    if isinstance(spec, Metric):
        return _with_parameters(spec, parameters) if parameters else spec
    if not isinstance(spec, str):
        raise SpecError(f"a metric is named by text such as 'bleu', not by {described(spec)}")
    if len(spec) > LONGEST_SPEC:
        length = f"at most {LONGEST_SPEC} characters, not in {len(spec)}"
        raise SpecError(f"a metric is written in {length}: {as_written(spec)}")
    match = _SPEC.fullmatch(spec)
    if not match:
        raise SpecError(f"cannot read the metric '{as_written(spec)}': write name or name(parameter=value, ...)")
    name, arguments = match[1].lower(), match[2] or ""
    entry = _found(name)
    if entry is None:
        raise _unknown(name)
    cls, preset = entry
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
    source: bool = False,
) -> Metric:
    """A metric of a function of one hypothesis and its references; the score of a corpus is the mean over segments.

    Name and version stand in signatures: change the version when the function changes. `scale` has the least and the
    greatest score that there can be, and scores outside of it are refused. With `source`, the function takes the
    source of the segment as a third argument.

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
    check_truth("source", source)
    bounds = None if scale is None else _scale(scale)
    return FunctionMetric(
        function=function,
        name=name,
        version=version,
        higher_is_better=higher_is_better,
        bounds=bounds,
        source=source,
    )


def _scale(scale: Any) -> tuple[float, float]:
    ends = numbers(scale, "ends of the scale")
    if len(ends) != 2 or None in ends or not ends[0] < ends[1]:  # type: ignore[operator]
        raise InputError(f"the scale {scale!r} is not one: give its least and its greatest score, such as (0, 1)")
    return float(ends[0]), float(ends[1])  # type: ignore[arg-type]


SUITES = {
    "classic": ("bleu", "nist", "meteor", "ter", "chrf++", "ribes"),
    "linguistic": (
        *("pos-bleu", "pos-f", "pos-nist", "pos-hlepor"),
        *(f"overlap(of={kind})" for kind in ("lemma", "pos", "chunk", "constituent", "dependency", "role")),
        *("overlap(of=entity,match=M)", "entities"),
    ),
    "all": ("chrf++", "rouge-1", "rouge-2", "rouge-l", "rouge-lsum", "rouge-w", "rouge-s4", "rouge-su4"),
}
"""Metrics that are asked for by one name, as in ``suite:classic``; to ``all`` every metric by itself is added."""


def suite(name: str) -> tuple[Metric, ...]:
    """The metrics of a suite; ``all`` is every metric that measures against ordinary references, sources, or both.

    >>> [one.spec for one in suite("classic")][:3]
    ['bleu', 'nist', 'meteor']
    """
    if name not in SUITES:
        raise SpecError(f"there is no suite {name!r}.{did_you_mean(name, SUITES)}")
    specs = list(SUITES[name])
    if name == "all":
        specs += [known for known, cls in metric_classes().items() if cls.wants <= {"references", "sources"}]
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
    return SpecError(f"there is no metric '{as_written(name)}'.{did_you_mean(name, [*metric_classes(), *aliases()])}")


def _parse_arguments(cls: type[Metric], text: str, spec: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    position = 0
    while text[position:].strip():
        match = _ARGUMENT.match(text, position)
        if not match:
            rest = as_written(text[position:].strip())
            raise SpecError(f"cannot read '{rest}' in '{as_written(spec)}': write parameter=value")
        if match["name"] in arguments:
            raise SpecError(f"{match['name']} is given twice in '{as_written(spec)}'")
        arguments[match["name"]] = _parse_parameter(cls, match["name"], match["value"])
        position = match.end()
    return arguments


def _parse_parameter(cls: type[Metric], name: str, text: str) -> Any:
    kind = _kind_of(cls, name)
    try:
        return _convert(_parse_value(text), kind)
    except (ValueError, KeyError):
        raise SpecError(f"{cls.name}({name}={as_written(text)}) is not {kind.in_words}") from None


def _taken_arguments(owner: Metric | type[Metric], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as Python has them; the metric itself refuses what is not of its kind."""
    return {name: of_kind(value, _kind_of(owner, name)) for name, value in arguments.items()}


def _with_parameters(metric: Metric, parameters: Mapping[str, Any]) -> Metric:
    """The metric with other values of some parameters, which count as written out like those before."""
    changed = dataclasses.replace(metric, **_taken_arguments(metric, parameters))
    object.__setattr__(changed, "_given", metric.given | parameters.keys())
    return changed


def _kind_of(owner: Metric | type[Metric], name: str) -> Kind:
    known = kinds(owner if isinstance(owner, type) else type(owner))
    if name not in known:
        raise SpecError(f"{owner.name} has no parameter '{as_written(name)}'.{did_you_mean(name, known)}")
    return known[name]


def _parse_value(text: str) -> str | tuple[str, ...]:
    """A string, or a tuple of strings for a list in brackets."""
    if text[0] in "\"'":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    if text[0] == "[":
        return tuple(item.strip() for item in text[1:-1].split(",") if item.strip())
    return text.strip()


def _convert(value: str | tuple[str, ...], kind: Kind) -> Any:
    if kind.is_optional and value == "none" and kind.type is not str:
        return None
    if isinstance(value, tuple) != kind.is_list:
        raise ValueError
    return tuple(_plain(item, kind.type) for item in value) if kind.is_list else _plain(str(value), kind.type)


def _plain(text: str, kind: type) -> Any:
    if kind is bool:
        return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
    return kind(text)
