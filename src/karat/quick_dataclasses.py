"""`dataclass` like Python's own, made in a quarter of the time where it is frozen and derived from no other dataclass.

Python 3.11 compiles six functions for each frozen dataclass, which was a fifth of what a small command took. Here only
`__init__` is compiled. To `fields`, `replace`, `asdict`, patterns, derived classes and type checkers what it makes is
no different; fields of `InitVar` are not known.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

Fields = tuple[dataclasses.Field[Any], ...]
Namespace = dict[str, Any]

SOURCE = "<karat.quick_dataclasses>"
"""What tracebacks name as the file of the functions compiled here."""


class _FromFactory:
    """Stands for a default that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FROM_FACTORY = _FromFactory()


def _dataclass(
    cls: type | None = None,
    /,
    *,
    frozen: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002
    kw_only: bool = False,
) -> Any:
    """A class that holds its fields, as the decorator `dataclasses.dataclass` makes it."""

    def make(cls: type) -> type:
        if not frozen or any(map(dataclasses.is_dataclass, cls.__bases__)):
            return dataclasses.dataclass(frozen=frozen, eq=eq, repr=repr, kw_only=kw_only)(cls)
        return _quickly_made(cls, eq=eq, shown=repr, kw_only=kw_only)

    return make if cls is None else make(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _quickly_made(cls: type, *, eq: bool, shown: bool, kw_only: bool) -> type:
    """The class with its fields collected by Python, and with methods of its own."""
    own = dict(vars(cls))
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    known = dataclasses.fields(made)
    methods: Namespace = {"__setattr__": _setter(made, known), "__delattr__": _deleter(made, known)}
    if taken := methods.keys() & own:
        raise TypeError(f"{cls.__name__} is frozen and has a {min(taken)} of its own")
    methods["__init__"] = _initialiser(made, known)
    if shown:
        methods["__repr__"] = _representation
    if eq:
        methods |= _comparison(known)
    for name, method in methods.items():
        if own.get(name) is None:
            setattr(made, name, method)
    parameters = made.__dataclass_params__
    parameters.init, parameters.frozen, parameters.eq, parameters.repr = True, True, eq, shown
    return made  # type: ignore[no-any-return]


def _initialiser(cls: type, known: Fields) -> Callable[..., None]:
    """`__init__`, the only method that is compiled: its parameters have the names of the fields."""
    values: Namespace = {"_set": object.__setattr__, "_FROM_FACTORY": _FROM_FACTORY}
    lines = [line for field in known if (line := _assignment(field, values))]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    text = (
        f"def _make({', '.join(values)}):\n"
        f" def __init__({', '.join(_parameters(known, values))}):\n"
        + "".join(f"  {line}\n" for line in lines or ["pass"])
        + " return __init__"
    )
    made: Namespace = {}
    exec(compile(text, SOURCE, "exec"), vars(sys.modules[cls.__module__]), made)
    initialise: Callable[..., None] = made["_make"](**values)
    initialise.__qualname__ = f"{cls.__qualname__}.__init__"
    initialise.__annotations__ = {field.name: field.type for field in known if field.init} | {"return": None}
    return initialise


def _assignment(field: dataclasses.Field[Any], values: Namespace) -> str | None:
    """The line that sets a field; what it or its parameter needs goes to the values."""
    name = field.name
    if field.default_factory is not MISSING:
        values[f"_factory_{name}"] = field.default_factory
        value = f"_factory_{name}() if {name} is _FROM_FACTORY else {name}" if field.init else f"_factory_{name}()"
        return f"_set(self, {name!r}, {value})"
    if field.default is not MISSING:
        values[f"_default_{name}"] = field.default
    return f"_set(self, {name!r}, {name})" if field.init else None


def _parameters(known: Fields, values: Namespace) -> list[str]:
    """The parameters, those that go by name only behind the others."""

    def written(field: dataclasses.Field[Any]) -> str:
        if field.default_factory is not MISSING:
            return f"{field.name}=_FROM_FACTORY"
        return f"{field.name}=_default_{field.name}" if f"_default_{field.name}" in values else field.name

    by_place = [written(field) for field in known if field.init and not field.kw_only]
    by_name = [written(field) for field in known if field.init and field.kw_only]
    return ["self", *by_place, *(["*", *by_name] if by_name else [])]


def _setter(cls: Any, known: Fields) -> Callable[[Any, str, Any], None]:
    names = {field.name for field in known}

    def __setattr__(self: Any, name: str, value: Any) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    return __setattr__


def _deleter(cls: Any, known: Fields) -> Callable[[Any, str], None]:
    names = {field.name for field in known}

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __delattr__


@recursive_repr()
def _representation(self: Any) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({shown})"


def _comparison(known: Fields) -> Namespace:
    """`__eq__` and `__hash__`."""
    compared = _values([field.name for field in known if field.compare])
    hashed = _values([field.name for field in known if (field.compare if field.hash is None else field.hash)])

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(hashed(self))

    return {"__eq__": __eq__, "__hash__": __hash__}


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What tells the values of these attributes."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)
