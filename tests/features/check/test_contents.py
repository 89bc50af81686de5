"""Catch a secret in everything that an observation can hold, and in all that it leads to."""

from __future__ import annotations

import array
import datetime
import functools
import io
import random
import threading
import types
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from arena.features.check.contents import ObservationReader
from arena.features.check.secrets import find_leaks
from arena.game import Observation
from arena.games.kuhn import KuhnPosition, kuhn_game
from tests.features.check.leaking import Seen, leaking, secret
from tests.golden import Wording

Observe = Callable[[KuhnPosition, int], Observation]


class Number(int):
    pass


class Text(str):
    mark: int


class Slotted:
    __slots__ = ("__card",)

    def __init__(self, card: object) -> None:
        self.__card = card


class Either:
    __slots__ = ("even", "odd")


def either(is_odd: int) -> Either:
    held = Either()
    setattr(held, "odd" if is_odd else "even", 1)
    return held


class Silent:
    """Something that is pickled without what it has."""

    def __init__(self, card: object) -> None:
        self.card = card

    def __reduce__(self) -> Any:
        return Silent, (0,)


class Queue(deque[int]):
    def __reduce__(self) -> Any:
        return Queue, ()


def text_with(card: object) -> Text:
    text = Text("a card")
    vars(text)["mark"] = card
    return text


def nested(card: object) -> object:
    for _ in range(2000):
        card = [card]
    return card


def keyword(card: int) -> object:
    def peek(*, held: int = card) -> int:
        return held

    return peek


def objects(card: object) -> object:
    held = np.empty(1, dtype=object)
    held[0] = [card]
    return held


#: Things that differ with the card of the other seat.
HOLDERS: dict[str, Callable[[int], object]] = {
    "deque": lambda card: deque([card]),
    "a deque of one's own": lambda card: Queue([card]),
    "partial": lambda card: functools.partial(print, card),
    "a method of a list": lambda card: [card].count,
    "a method of a method": lambda card: [card].count.__call__,  # type: ignore[operator]
    "array of NumPy": lambda card: np.array([card]),
    "objects in an array": objects,
    "array": lambda card: array.array("i", [card]),
    "bytearray": lambda card: bytearray([card]),
    "memoryview": lambda card: memoryview(bytes([card])),
    "iterator": lambda card: iter([card]),
    "map": lambda card: map(str, [card]),
    "proxy": lambda card: types.MappingProxyType({"card": card}),
    "keys": lambda card: {card: 0}.keys(),
    "the order of keys": lambda card: dict.fromkeys("ab" if card % 2 else "ba"),
    "values": lambda card: {0: card}.values(),
    "ordered": lambda card: OrderedDict(card=card),
    "set": lambda card: {card},
    "Decimal": Decimal,
    "Fraction": Fraction,
    "date": lambda card: datetime.date(2000, 1, 1 + card),
    "datetime": lambda card: datetime.datetime(2000, 1, 1 + card),
    "range": range,
    "complex": complex,
    "zero": lambda card: 0.0 if card % 2 else -0.0,
    "one": lambda card: 1 if card % 2 else True,
    "one in a tuple": lambda card: (1 if card % 2 else True,),
    "file": lambda card: io.StringIO(str(card)),
    "error": ValueError,
    "int of one's own": Number,
    "str with an attribute": text_with,
    "slot": Slotted,
    "silent": Silent,
    "name of an attribute": lambda card: types.SimpleNamespace(**{f"card{card}": 1}),
    "name of a class attribute": lambda card: type("Made", (), {f"card{card}": 1}),
    "which slot": lambda card: either(card % 2),
    "keyword": keyword,
    "function": lambda card: (lambda: 1) if card % 2 else (lambda: 2),
    "cached": lambda card: functools.cache(lambda: card),
    "class": lambda card: type("Made", (), {"card": card}),
    "name of a class": lambda card: type(f"Made{card}", (), {}),
    "object of a class": lambda card: type("Made", (), {"card": card})(),
    "nested": nested,
    "namespace": lambda card: types.SimpleNamespace(card=card),
    "which object": lambda card: (lambda one, other: [one, one if card % 2 else other])([], []),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOLDERS)
def test_a_secret_in_whatever_an_observation_holds_is_found(name: str) -> None:
    def observe(position: KuhnPosition, seat: int) -> Observation:
        return Seen(position, seat, held=HOLDERS[name](secret(position, seat)))

    leaks = find_leaks(leaking(observe), random.Random(1)).leaks
    assert {leak.seat for leak in leaks} == {0, 1}
    for leak in leaks:
        assert ": observation.h" in leak.problem
        assert leak.other is not None


@pytest.mark.parametrize("name", HOLDERS)
def test_two_of_a_kind_that_hold_the_same_are_equal(name: str) -> None:
    reader = ObservationReader(0)
    first, second = (reader.read([HOLDERS[name](3)]) for _ in range(2))
    assert first.records == second.records
    assert not first.difference(second)
    assert not first.closed


def raised(position: KuhnPosition) -> Exception:
    def fail(position: KuhnPosition) -> int:
        return position.ply // 0

    try:
        fail(position)
    except ZeroDivisionError as error:
        return error
    raise AssertionError


def called(position: KuhnPosition) -> object:
    return position.payoffs.__call__  # type: ignore[operator]


#: Things from which a path leads where none may, and the end of the sentence that says so.
PATHS: dict[str, tuple[Callable[[KuhnPosition], object], str]] = {
    "partial": (lambda position: functools.partial(print, position), ".args[0] leads to a pos"),
    "wrapper": (called, ".__self__.__self__ leads to a position"),
    "deque": (lambda position: deque([position]), "[0] leads to a position"),
    "slot": (Slotted, "._Slotted__card leads to a position"),
    "default": (lambda position: lambda held=position: held, ".__defaults__[0] leads to a pos"),
    "iterator": (lambda position: iter([[position]]), "[0] leads to a position"),
    "nested": (nested, "[0] leads to a position"),
    "error": (raised, ".__traceback__ leads to the variables of a function that runs"),
    "generator": (lambda position: (ply for ply in [position.ply]), " leads to the variables"),
    "of NumPy": (lambda _: np.random.default_rng(1), " leads to a generator"),
    "bits of NumPy": (lambda _: np.random.PCG64(1), " leads to a generator"),
    "old one of NumPy": (lambda _: np.random.RandomState(1), " leads to a generator"),
    "its method": (lambda _: random.Random(1).random, ".__self__ leads to a generator"),
    "other seat": (lambda p: deque([Seen(p, 0), Seen(p, 1)]), " leads to the observation of sea"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PATHS)
def test_a_path_to_what_a_seat_may_not_have_is_found(name: str) -> None:
    hold, end = PATHS[name]

    def observe(position: KuhnPosition, seat: int) -> Observation:
        return Seen(position, seat, held=hold(position))

    leaks = find_leaks(leaking(observe), random.Random(1)).leaks
    problems = [leak.problem for leak in leaks if leak.other is None]
    assert [end in problem for problem in problems] == [True, True]
    assert all(problem.startswith("observation.held") for problem in problems)


def test_a_weak_reference_is_followed(wording: Wording) -> None:
    alive = []

    def observe(position: KuhnPosition, seat: int) -> Observation:
        alive.append(Seen(position, 1 - seat))
        return Seen(position, seat, held=weakref.ref(alive[-1]))

    leaks = find_leaks(leaking(observe), random.Random(1)).leaks
    wording(leaks[0].problem, "observation.held()", "seat 1")


def test_what_cannot_be_read_is_said_with_its_type(wording: Wording) -> None:
    lock = threading.Lock()
    leaks = find_leaks(leaking(lambda p, s: Seen(p, s, held=[lock])), random.Random(1)).leaks
    [(problem, other)] = {(leak.problem, leak.other) for leak in leaks}
    assert other is None
    wording(problem, "observation.held[0]", "lock")


#: What a module, a class and a rule may keep.
LAST: list[object] = []
NOTES: dict[int, object] = {}
FOUND: dict[object, str] = {}
ALIVE: list[object] = []


class Noting(Seen):
    """Looks up what was noted of it."""

    kept: object = None

    @property
    def other(self) -> object:
        return NOTES.get(id(self))


def noted(position: KuhnPosition, seat: int) -> Noting:
    seen = Noting(position, seat)
    NOTES[id(seen)] = secret(position, seat)
    ALIVE.append(seen)
    return seen


def in_a_class(position: KuhnPosition, seat: int) -> Observation:
    Noting.kept = secret(position, seat)
    return Noting(position, seat)


def in_a_global(position: KuhnPosition, seat: int) -> Observation:
    LAST[:] = [secret(position, seat)]
    return Seen(position, seat, peek=lambda: LAST[-1])


def in_the_rules(position: KuhnPosition, seat: int) -> Observation:
    vars(position.game)["card"] = secret(position, seat)
    return Seen(position, seat)


def the_position_in_the_rules(position: KuhnPosition, seat: int) -> Observation:
    vars(position.game)["log"] = position
    return Seen(position, seat)


def a_log_in_the_rules(position: KuhnPosition, seat: int) -> Observation:
    vars(position.game).setdefault("log", []).append(secret(position, seat))
    return Seen(position, seat)


AROUND: dict[Observe, str] = {
    noted: "observation.__class__.other.fget.__globals__['NOTES']",
    in_a_class: "observation.__class__.kept",
    in_a_global: "observation.peek.__globals__['LAST'][0]",
    in_the_rules: "observation._game.card",
    the_position_in_the_rules: "observation._game.log.moves",
    a_log_in_the_rules: "observation._game.log",
}


@pytest.mark.parametrize("observe", AROUND, ids=lambda observe: observe.__name__)
def test_what_a_game_keeps_of_a_secret_is_found(observe: Observe) -> None:
    leaks = find_leaks(leaking(observe), random.Random(1)).leaks
    assert {leak.seat for leak in leaks} == {0, 1}
    for leak in leaks:
        assert f": {AROUND[observe]}" in leak.problem
        assert leak.other is not None
    NOTES.clear()
    Noting.kept = None


def test_an_observation_that_is_kept_and_changes_is_found() -> None:
    memory: dict[Observation, Observation] = {}

    def observe(position: KuhnPosition, seat: int) -> Observation:
        seen = memory.setdefault(Seen(position, seat), Seen(position, seat))
        vars(seen)["log"] = secret(position, seat)
        return seen

    leaks = find_leaks(leaking(observe), random.Random(1)).leaks
    problem = "equal observations hold other values inside: observation.log"
    assert [leak.problem for leak in leaks] == [problem] * 2


class Lazy(Seen):
    """Computes some things once."""

    @functools.cached_property
    def words(self) -> list[str]:
        return [*self.events]

    def picture(self) -> str:
        return " ".join(self.words)


@functools.cache
def counted(position: KuhnPosition) -> int:
    return position.ply


def with_caches(position: KuhnPosition, seat: int) -> Observation:
    counted(position)
    FOUND.setdefault(position, str(position))
    rules = vars(position.game)
    rules.setdefault("texts", {}).setdefault(position.moves, [position])
    seen = rules.setdefault("seen", {}).setdefault(Lazy(position, seat), Lazy(position, seat))
    assert isinstance(seen, Lazy)
    vars(seen)["peek"] = lambda: (counted, FOUND)
    return seen


@pytest.mark.slow
def test_what_a_game_computes_once_and_keeps_is_no_leak() -> None:
    assert find_leaks(leaking(with_caches), random.Random(1)).leaks == ()


def test_the_rules_of_all_seats_are_read_as_such() -> None:
    game = kuhn_game()
    assert not ObservationReader(0).read(game.start().observation(0)).forbidden
