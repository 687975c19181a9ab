"""Dataclasses made quickly are, to whoever uses them, those that Python makes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

import pytest

from karat.quick_dataclasses import SOURCE, dataclass


class _Plain:
    """Every kind of field."""

    shared: ClassVar[int] = 7

    words: tuple[str, ...]
    count: int = 3
    cells: list[int] = field(default_factory=list, compare=False)
    unseen: int = field(default=1, repr=False)
    made: dict[str, int] = field(default_factory=dict, init=False, hash=False)
    named: str = field(default="n", kw_only=True)

    @cached_property
    def twice(self) -> int:
        return 2 * self.count


class _Single:
    """One field."""

    value: object


class _Empty:
    """No field."""


class _Own:
    """Methods of its own, which stay."""

    value: int
    root: int = field(init=False)

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("below 0")
        object.__setattr__(self, "root", int(self.value**0.5))

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return hasattr(other, "root")

    def __hash__(self) -> int:
        return 5


def both(cls: type, **options: bool) -> tuple[Any, Any]:
    """The class as Python makes it, and as karat does."""

    def another() -> type:
        return type(cls.__name__, (), {name: value for name, value in vars(cls).items() if name not in _OF_EACH})

    return dataclasses.dataclass(frozen=True, **options)(another()), dataclass(frozen=True, **options)(another())


_OF_EACH = {"__dict__", "__weakref__"}

PLAIN: list[Callable[[Any], Any]] = [
    lambda cls: cls(("a",)),
    lambda cls: cls(words=("a",), count=4, cells=[1], unseen=2, named="m"),
    lambda cls: cls(("a",), 4, [1], 2),
    lambda cls: cls(),
    lambda cls: cls((), 1, [], 2, {}),
    lambda cls: cls((), other=1),
    lambda cls: cls((), 3, [1]) == cls((), 3, [2]),
    lambda cls: cls(("a",)) == cls(("b",)),
    lambda cls: cls(("a",)) == ("a",),
    lambda cls: len({cls(("a",)), cls(("a",), cells=[1]), cls(("b",))}),
    lambda cls: dataclasses.replace(cls(("a",)), count=9),
    lambda cls: dataclasses.asdict(cls(("a",), made=1)),
    lambda cls: dataclasses.asdict(cls(("a",))),
    lambda cls: dataclasses.astuple(cls(("a",))),
    lambda cls: [(one.name, one.type, one.init, one.kw_only) for one in dataclasses.fields(cls)],
    lambda cls: inspect.signature(cls),
    lambda cls: cls.__match_args__,
    lambda cls: setattr(cls(()), "count", 1),
    lambda cls: setattr(cls(()), "strange", 1),
    lambda cls: delattr(cls(()), "count"),
    lambda cls: (cls(()).twice, cls.shared, cls.__doc__, cls.__init__.__qualname__),
    lambda cls: copy.copy(cls(("a",), 5)),
    lambda cls: copy.deepcopy(cls(("a",), 5)).cells,
    lambda cls: cls(()).cells is cls(()).cells,
    lambda cls: hash(cls(("a",), 5)) == hash(cls(("a",), 5)),
]


def outcome(action: Callable[[Any], Any], cls: Any) -> tuple[Any, str]:
    """What an action gives, in words, or how it fails."""
    try:
        return "gives", repr(action(cls))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("action", PLAIN)
@pytest.mark.parametrize("options", [{}, {"eq": False}, {"kw_only": True}, {"repr": True, "eq": True}])
def test_every_use_has_the_outcome_of_pythons_own(action: Callable[[Any], Any], options: dict[str, bool]) -> None:
    theirs, ours = both(_Plain, **options)
    assert outcome(action, ours) == outcome(action, theirs)


@pytest.mark.parametrize(("cls", "arguments"), [(_Single, ([1],)), (_Single, ("a",)), (_Empty, ())])
def test_classes_of_one_field_and_of_none(cls: type, arguments: tuple[Any, ...]) -> None:
    theirs, ours = both(cls)
    for action in (repr, lambda made: made == made.__class__(*arguments), hash):
        assert outcome(action, ours(*arguments)) == outcome(action, theirs(*arguments))
    assert inspect.signature(ours) == inspect.signature(theirs)


def test_an_object_that_holds_itself_can_be_shown() -> None:
    cells: list[Any] = []
    _, ours = both(_Single)
    cells.append(ours(cells))
    assert repr(cells[0]) == "_Single(value=[...])"


def test_methods_of_its_own_stay() -> None:
    theirs, ours = both(_Own)
    for made in (theirs, ours):
        assert (repr(made(9)), made(9).root) == ("own", 3)
        with pytest.raises(ValueError, match="below 0"):
            made(-1)
        assert (made(1) == made(2), hash(made(1))) == (True, 5)


def test_hidden_representations_are_those_of_objects() -> None:
    theirs, ours = both(_Single, repr=False)
    assert repr(ours(1)).startswith("<") and repr(theirs(1)).startswith("<")


@dataclass(frozen=True)
class Base:
    """Made quickly."""

    count: int
    name: str = "n"


@dataclass(frozen=True)
class Derived(Base):
    """Derived by karat's decorator."""

    more: int = 2


@dataclasses.dataclass(frozen=True)
class TheirDerived(Base):
    """Derived by Python's decorator."""

    more: int = 2


class Heir(Base):
    """Derived without a decorator: it may have attributes of its own, but its fields are frozen."""


@pytest.mark.parametrize("cls", [Derived, TheirDerived])
def test_classes_are_derived_by_either_decorator(cls: type[Derived | TheirDerived]) -> None:
    assert repr(cls(1)) == f"{cls.__name__}(count=1, name='n', more=2)"
    assert cls(1) == cls(1, "n") != cls(2)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'count'"):
        cls(1).count = 2  # type: ignore[misc]


def test_an_heir_has_frozen_fields_and_attributes_of_its_own() -> None:
    heir: Any = Heir(1)
    heir.other = 3
    del heir.other
    for change in (lambda: setattr(heir, "count", 2), lambda: delattr(heir, "count")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change()
    assert (repr(heir), heir == Base(1)) == ("Heir(count=1, name='n')", False)


def test_an_object_goes_through_pickle() -> None:
    assert pickle.loads(pickle.dumps(Base(5, "m"))) == Base(5, "m")


def test_hints_of_the_parameters_are_known() -> None:
    assert typing.get_type_hints(Base.__init__) == {"count": int, "name": str, "return": type(None)}


def test_a_frozen_class_sets_no_attributes_in_a_way_of_its_own() -> None:
    class Setting:
        """Would let itself be changed."""

        value: int

        def __setattr__(self, name: str, value: object) -> None:
            """Would change it."""

    for decorator in (dataclasses.dataclass, dataclass):
        with pytest.raises(TypeError, match="__setattr__"):
            decorator(frozen=True)(Setting)


def test_one_that_can_be_changed_is_made_by_python() -> None:
    @dataclass
    class Changing:
        """Not frozen."""

        value: int

    changing = Changing(1)
    changing.value = 2
    assert changing == Changing(2)
    assert Changing.__init__.__code__.co_filename != SOURCE == Base.__init__.__code__.co_filename
