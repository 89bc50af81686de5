"""Compare frozen dataclasses of arena with those of the standard library."""

import dataclasses
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from arena.dataclass import dataclass


def classes(decorate: Any) -> Any:
    """Return classes by their names, all made by one decorator."""

    class Plain:
        x: int
        y: object = ()

    class Partial:
        x: int
        hidden: str = dataclasses.field(default="", repr=False)
        noted: str = dataclasses.field(default="", compare=False)

    class Empty:
        pass

    class Named:
        x: int

        def __repr__(self) -> str:
            return "named"

        def __eq__(self, other: object) -> bool:
            return True

    class Hashed:
        x: int

        def __hash__(self) -> int:
            return 7

    base: Any = decorate(Plain)
    more = type("More", (base,), {"__annotations__": {"z": int}, "z": 3})
    made = [base, decorate(more), *map(decorate, (Partial, Empty, Named, Hashed))]
    return SimpleNamespace(**{cls.__name__: cls for cls in made})


OURS, THEIRS = classes(dataclass(frozen=True)), classes(dataclasses.dataclass(frozen=True))


def values(made: Any) -> list[Any]:
    return [
        made.Plain(1),
        made.Plain(1, ()),
        made.Plain(2, "b"),
        made.More(1),
        made.More(1, z=4),
        made.Partial(1),
        made.Partial(1, "a"),
        made.Partial(1, "a", "b"),
        made.Empty(),
        made.Named(1),
        made.Named(2),
        made.Hashed(1),
        made.Hashed(1),
    ]


def test_equal_values_are_those_that_are_equal_in_the_standard_library() -> None:
    ours, theirs = values(OURS), values(THEIRS)
    for i, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        assert [our == other for other in ours] == [their == other for other in theirs], i
        assert (our == 1) == (their == 1)


def test_texts_are_those_of_the_standard_library() -> None:
    assert [repr(value) for value in values(OURS)] == [repr(value) for value in values(THEIRS)]


def test_equal_values_have_one_hash_and_different_classes_mix_in_a_set() -> None:
    assert len(set(values(OURS))) == len(set(values(THEIRS)))
    assert hash(OURS.Hashed(1)) == 7


def test_a_value_that_holds_a_list_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(OURS.Plain(1, []))


@pytest.mark.parametrize("change", [lambda v: setattr(v, "x", 2), lambda v: delattr(v, "x")])
def test_a_value_cannot_change(change: Callable[[Any], None]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        change(OURS.Plain(1))


@dataclass(frozen=True)
class Sent:
    """A class that pickle finds by its name."""

    x: int


def test_a_value_can_be_replaced_and_sent() -> None:
    assert dataclasses.replace(Sent(1), x=2) == Sent(2)
    assert pickle.loads(pickle.dumps(Sent(1))) == Sent(1)
