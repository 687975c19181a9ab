"""Models that make one score of those of several metrics: numbers in a file of JSON, predicted without any library."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, get_args

import numpy as np

from karat.corpus.jsontext import parse_json
from karat.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Method = Literal["uniform", "ridge", "svr", "ranking"]
METHODS: tuple[Method, ...] = get_args(Method)

KIND = "karat combination"
VERSION = 1


@dataclass(frozen=True)
class CombinedFeature:
    """A metric in a combination; its scores enter as their distance from `centre`, in units of `spread`."""

    metric: str
    centre: float = 0.0
    spread: float = 1.0
    weight: float = 0.0

    def scaled(self, scores: Floats) -> Floats:
        """The scores on the scale of the model."""
        return (scores - self.centre) / self.spread


@dataclass(frozen=True)
class SupportVector:
    """A judged segment that predictions depend on: where it lies among scaled features, and how heavy it is."""

    weight: float
    at: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class CombinationModel:
    """A formula over the scores of metrics: their weighted sum, or that of nearness to support vectors.

    `digest` tells models apart by what they predict. `features_digest` is a hash of the metrics and of the resources
    that they had when the model was made; it is empty in a model that needs none.
    """

    method: Method
    features: tuple[CombinedFeature, ...]
    intercept: float = 0.0
    gamma: float | None = None
    vectors: tuple[SupportVector, ...] = ()
    features_digest: str = ""

    @cached_property
    def digest(self) -> str:
        """A short hash of all that predictions depend on."""
        return short_hash(json.dumps(self.to_json(), sort_keys=True))

    def predict(self, scores: Sequence[Floats]) -> Floats:
        """The score of each segment from one column of scores for each metric.

        Columns are added one after the other: a product of matrices may round otherwise where there are more rows.
        """
        columns = [feature.scaled(column) for feature, column in zip(self.features, scores, strict=True)]
        total = np.full(len(columns[0]), self.intercept)
        if self.gamma is None:
            for feature, column in zip(self.features, columns, strict=True):
                total += feature.weight * column
            return total
        for vector in self.vectors:
            distance = np.zeros(len(total))
            for column, place in zip(columns, vector.at, strict=True):
                distance += (column - place) ** 2
            total += vector.weight * np.exp(-self.gamma * distance)
        return total

    def to_json(self) -> dict[str, Any]:
        """What a file says of the formula."""
        formula: dict[str, Any] = {
            "kind": KIND,
            "version": VERSION,
            "method": self.method,
            "features": [dict(vars(feature)) for feature in self.features],
            "intercept": self.intercept,
        }
        if self.gamma is not None:
            vectors = [{"weight": vector.weight, "at": list(vector.at)} for vector in self.vectors]
            formula["kernel"] = {"gamma": self.gamma, "vectors": vectors}
        return formula

    @classmethod
    def from_json(cls, entry: Any) -> CombinationModel:
        """The model in a file; what does not fit is a ValueError that tells what is wrong."""
        if not isinstance(entry, Mapping) or entry.get("kind") != KIND:
            raise ValueError(f'it has no "kind": "{KIND}"')
        if entry.get("version") != VERSION or entry["version"] is True:
            raise ValueError(f"its version is {entry.get('version')!r}, and {VERSION} is the one known here")
        if entry.get("method") not in METHODS:
            raise ValueError(f"its method is {entry.get('method')!r}, and not one of {', '.join(METHODS)}")
        features = tuple(map(_feature, _items(entry, "features")))
        kernel = entry.get("kernel")
        if (kernel is not None) != (entry["method"] == "svr"):
            raise ValueError(f'its method is {entry["method"]}, and only svr has, and must have, a "kernel"')
        vectors = () if kernel is None else tuple(_vector(item, len(features)) for item in _items(kernel, "vectors"))
        hashes = entry.get("hashes")
        if not isinstance(hashes, Mapping) or not isinstance(hashes.get("features"), str):
            raise ValueError('"hashes" has nothing of "features"')
        return cls(
            method=entry["method"],
            features=features,
            intercept=_number(entry, "intercept"),
            gamma=None if kernel is None else _gamma(kernel),
            vectors=vectors,
            features_digest=hashes["features"],
        )


def short_hash(text: str) -> str:
    """A short hash of a text."""
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def read_model(path: Path) -> CombinationModel:
    """Read a model as `karat combine` writes it, once for as long as the file does not change."""
    try:
        written = path.stat()
        return _read_model(path, written.st_mtime_ns, written.st_size)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        remedy = "karat combine makes such a file"
        raise InputError(f"{path} holds no combination of metrics ({reason}); {remedy}") from error


@lru_cache(maxsize=64)
def _read_model(path: Path, _changed: int, _size: int) -> CombinationModel:
    return CombinationModel.from_json(parse_json(path.read_bytes().decode()))


def _feature(entry: Any) -> CombinedFeature:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("metric"), str):
        raise ValueError("a feature without a metric")
    feature = CombinedFeature(entry["metric"], *(_number(entry, name) for name in ("centre", "spread", "weight")))
    if feature.spread == 0:
        raise ValueError(f"the spread of {feature.metric} is 0")
    return feature


def _gamma(kernel: Mapping[str, Any]) -> float:
    gamma = _number(kernel, "gamma")
    if gamma <= 0:
        raise ValueError(f'"gamma" is {gamma}, and not above 0')
    return gamma


def _vector(entry: Any, dimensions: int) -> SupportVector:
    at = entry.get("at") if isinstance(entry, Mapping) else None
    if not isinstance(at, list) or len(at) != dimensions or not all(map(_is_finite, at)):
        raise ValueError(f"a support vector without {dimensions} numbers")
    return SupportVector(_number(entry, "weight"), tuple(map(float, at)))


def _items(entry: Any, name: str) -> list[Any]:
    items = entry.get(name) if isinstance(entry, Mapping) else None
    if not isinstance(items, list) or not items:
        raise ValueError(f'there is nothing in "{name}"')
    return items


def _number(entry: Mapping[str, Any], name: str) -> float:
    value = entry.get(name)
    if not _is_finite(value):
        raise ValueError(f'"{name}" is {value!r}, and not a finite number')
    return float(value)


def _is_finite(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
