"""The conformance check of games: who passes, and what is found in games that break a promise."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pytest

import arena
from arena import testing
from arena.errors import IllegalMove, MoveError, PositionError
from arena.features.check.record import Level
from arena.game import WIN_FOR, Game, Outcome, Position, Side
from arena.proof import progress


@dataclass(frozen=True)
class Pile(Position):
    """Take one or two of a pile of five; who takes the last one wins."""

    left: int
    ply: int = 0
    kind: str = "good"

    @property
    def game(self) -> Game:
        return Piles(self.kind)

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(range(1, min(self.left, 2) + 1))

    def play(self, move: int) -> Self:
        if move not in self.legal_moves():
            raise IllegalMove(f"{move} of {self.left} cannot be taken")
        return type(self)(self.left - move, self.ply + 1, self.kind)

    def outcome(self) -> Outcome | None:
        return None if self.left else WIN_FOR[self.to_move.other]

    def picture(self) -> str:
        return "o" * self.left or "nothing"

    def __str__(self) -> str:
        return f"{self.left}/{self.ply}"


class Piles(Game):
    name = "piles"
    max_plies = 5

    def __init__(self, kind: str = "good") -> None:
        self.kind = kind

    def start(self) -> Position:
        return POSITIONS[self.kind](5, 0, self.kind)

    def parse(self, text: str) -> Position:
        left, slash, ply = text.partition("/")
        if not slash:
            raise PositionError(f"no pile: {text!r}")
        return POSITIONS[self.kind](int(left), int(ply), self.kind)

    def format_move(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        if text not in ("1", "2"):
            raise MoveError(f"no move: {text!r}")
        return int(text)


class StartsLate(Pile):
    def __init__(self, left: int, ply: int, kind: str) -> None:
        super().__init__(left, max(ply, 1), kind)


class Descends(Pile):
    def legal_moves(self) -> tuple[int, ...]:
        return super().legal_moves()[::-1]


class Lists(Pile):
    def legal_moves(self) -> Any:
        return list(super().legal_moves())


class GoesOn(Pile):
    def outcome(self) -> Outcome | None:
        return None if self.left > 1 else super().outcome() or WIN_FOR[0]


class Stuck(Pile):
    def legal_moves(self) -> tuple[int, ...]:
        return () if self.left == 1 else super().legal_moves()


class Lenient(Pile):
    def play(self, move: int) -> Self:
        if move == 3:
            return self
        return super().play(move)


class WrongError(Pile):
    def play(self, move: int) -> Self:
        if move not in self.legal_moves():
            raise KeyError(move)
        return super().play(move)


class Mutable(Pile):
    __setattr__ = object.__setattr__
    __hash__ = Pile.__hash__


class Changes(Mutable):
    __hash__ = Pile.__hash__

    def picture(self) -> str:
        self.left = max(0, self.left - 1)  # type: ignore[misc]
        return "o"


class ByIdentity(Pile):
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Terse(Pile):
    def __str__(self) -> str:
        return f"{self.left}/0"


class Newline(Pile):
    def picture(self) -> str:
        return "o\n"


class Breaks(Pile):
    def picture(self) -> str:
        return "o" * (12 // (self.left - 2))


class SameSide(Pile):
    alternates = True

    @property
    def to_move(self) -> Side:
        return Side.FIRST


class Numbered(Pile):
    @property
    def to_move(self) -> Any:
        return self.ply % 2


class Fickle(Pile):
    """Positions in which two were taken last are equal to those after one and one."""

    def play(self, move: int) -> Self:
        after = super().play(move)
        object.__setattr__(after, "last", move)
        return after

    @property
    def to_move(self) -> Side:
        return Side(getattr(self, "last", 0) == 2)


class Strange(Pile):
    def outcome(self) -> Any:
        return None if self.left else "over"


class Mirrored(Pile):
    def images(self) -> Iterator[tuple[Self, Sequence[int]]]:
        yield type(self)(self.left % 5 + 1, self.ply, self.kind), (0, 1, 2)


class Elsewhere(Pile):
    def canonical(self) -> Self:
        return type(self)(9, self.ply, self.kind)


class Pessimist(Pile):
    def can_win(self, side: Side) -> bool:
        return False


class GivesUp(Pile):
    def is_dead_draw(self) -> bool:
        return True


class Patient(Pile):
    def plies_to_win(self, side: Side) -> int:
        return 2


class Misleads(Pile):
    def search_moves(self) -> tuple[int, ...]:
        return self.legal_moves()[:1]


class Invents(Pile):
    def search_moves(self) -> tuple[int, ...]:
        return (1, 2, 3)


class Dreams(Pile):
    def history(self) -> tuple[int, ...]:
        return (1,)


class Boasts(Pile):
    def play_out(self, rng: random.Random) -> Outcome:
        return Outcome.FIRST_WINS


class Mumbles(Pile):
    def play_out(self, rng: random.Random) -> Any:
        return "first"


class Unpicklable(Pile):
    def __reduce__(self) -> Any:
        raise TypeError("no pickling")


class Forgets(Pile):
    def __reduce__(self) -> Any:
        return type(self), (self.left, 0, self.kind)


POSITIONS: dict[str, type[Pile]] = {"good": Pile}

VALUE = "compare positions by what they hold, as a NamedTuple or a frozen dataclass does"
REFUSE = "raise arena.IllegalMove for every int that is not in legal_moves()"
DEPENDS = "all that the rules depend on: whose turn it is, and the ply"
HISTORY = "the moves from the start to this position, or None"

#: A broken game, the check that finds it, what that says and, after the colon, what to write.
FOUND = [
    (StartsLate, "start", "the ply of start() is 1: it counts moves, from 0 (at the start)"),
    (Descends, "legal moves", "is (2, 1): return them in ascending order, each once"),
    (Lists, "legal moves", "legal_moves() is a list: return a tuple"),
    (GoesOn, "legal moves", "but legal_moves() is (1,): return () when the game is over"),
    (Stuck, "legal moves", "but outcome() is None: end the game, let the side pass by a move, or"),
    (Lenient, "refusals", f"play(3) returns a position: {REFUSE}"),
    (WrongError, "refusals", f"play(-1) raises KeyError: {REFUSE}"),
    (Mutable, "immutable", "left can be set: make it a NamedTuple or a frozen dataclass"),
    (Changes, "immutable", "let play() return another one, and no method change this one"),
    (ByIdentity, "equality", f"the same moves lead to a position that is not equal: {VALUE}"),
    (Terse, "text", f"not equal to the position with this text: read {DEPENDS}"),
    (Newline, "picture", "picture() ends with a newline: leave it out"),
    (Breaks, "picture", "raises ZeroDivisionError"),
    (Breaks, "picture", ' in picture: return "o" * (12 // (self.left - 2)))'),
    (SameSide, "turns", "alternates is True, but to_move is FIRST at ply 1: leave it out"),
    (Numbered, "turns", "to_move is 0: return arena.Side.FIRST or arena.Side.SECOND"),
    (Fickle, "equality", "differ in to_move, <Side.SECOND: 1> and <Side.FIRST: 0>: == must"),
    (Unpicklable, "pickling", "TypeError: no pickling"),
    (Forgets, "pickling", "give Forgets a __reduce__ that returns the class and all its fields"),
    (Dreams, "history", f"return {HISTORY}"),
    (Boasts, "play_out", "says that FIRST wins, which it cannot"),
    (Mumbles, "play_out", "play_out() is 'first': return an arena.Outcome"),
    (Strange, "outcome", "outcome() is 'over': return arena.Outcome.FIRST_WINS, SECOND_WINS,"),
    (Mirrored, "symmetries", "has another canonical(): return one for all images"),
    (Elsewhere, "symmetries", "canonical() is 9/0: return one of images(), or the position"),
    (Pessimist, "can_win", "is False, but it wins later: return True if unsure"),
    (GivesUp, "is_dead_draw", "is True, but FIRST can win: return False if unsure"),
    (Patient, "plies_to_win", "is 2, but it wins in 1: never return too many"),
    (Misleads, "search_moves", "do not have one of the best moves"),
    (Invents, "search_moves", "is (1, 2, 3): return some of the legal moves (1, 2), each once"),
]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("tictactoe", marks=pytest.mark.slow),
        "mnk-4-3-3",
        "mnk-1-1-1",
        "connect4",
        pytest.param("mnk-9-9-5", marks=pytest.mark.slow),
    ],
)
def test_every_game_that_comes_with_arena_conforms(name: str) -> None:
    assert not testing.check_game(name).at(Level.WARNING)


def test_a_game_of_ones_own_is_checked() -> None:
    report = testing.check_game(Piles())
    assert report.extent == "all 12 positions"
    assert {finding.level for finding in report.findings} == {Level.PASS}


@pytest.mark.parametrize(("cls", "check", "message"), FOUND, ids=lambda thing: str(thing)[-40:])
def test_a_broken_promise_of_a_game_is_found(
    cls: type[Pile], check: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(POSITIONS, "bad", cls)
    report = arena.check_game(Piles("bad"))
    finding = next(f for f in report.findings if f.check == check)
    assert finding.level == Level.FAIL
    assert message in finding.message
    with pytest.raises(AssertionError, match="does not conform"):
        testing.check_game(Piles("bad"))


def test_a_game_without_an_end_does_not_keep_the_check_going(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Piles, "max_plies", 3)
    report = arena.check_game(Piles())
    assert [finding.check for finding in report.at(Level.FAIL)] == ["walk"]
    message = "the game goes on after max_plies, 3 moves: set max_plies to the longest game"
    assert message in report.findings[0].message
    assert report.findings[0].reproduction.startswith("game.start().play(1)")


def test_a_terminal_is_told_how_far_the_check_of_a_game_is(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0)
    monkeypatch.setattr(progress, "_due", 0)
    with progress.shown(True):
        arena.check_game(Piles())
    told = capfd.readouterr().err
    assert "1 of at most 10,000 positions" in told
    assert "17 of 18 promises" in told


class Sized(Piles):
    """Piles of several sizes under one name and, wrongly, equal by size."""

    def __init__(self, size: int = 5) -> None:
        super().__init__()
        self.size = size

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def test_a_game_unequal_to_itself_elsewhere_is_told_what_to_write() -> None:
    assert Piles("good") == Piles() != Sized()
    finding = next(f for f in arena.check_game(Sized()).findings if f.check == "pickling")
    assert finding.message == (
        "a pickled game is <game piles> and not equal to <game piles>: give Sized __eq__ and"
        " __hash__ by what makes its rules (at the start)"
    )
