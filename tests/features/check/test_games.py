"""The conformance check of games: who passes, and what is found in games that break a promise."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Self

import pytest

import arena
from arena import testing
from arena.errors import GameFault
from arena.features.check.record import Level
from arena.game import WIN_FOR, Outcome, Side
from arena.games.contract import tried
from arena.proof import progress
from tests.features.check.piles import POSITIONS, Pile, Piles
from tests.golden import Wording


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


#: A broken game, and the check that finds it and says what to write.
FOUND = [
    (StartsLate, "start"),
    (Descends, "legal moves"),
    (Lists, "legal moves"),
    (GoesOn, "legal moves"),
    (Stuck, "legal moves"),
    (Lenient, "refusals"),
    (WrongError, "refusals"),
    (Mutable, "immutable"),
    (Changes, "immutable"),
    (ByIdentity, "equality"),
    (Terse, "text"),
    (Newline, "picture"),
    (Breaks, "picture"),
    (SameSide, "turns"),
    (Numbered, "turns"),
    (Fickle, "equality"),
    (Unpicklable, "pickling"),
    (Forgets, "pickling"),
    (Dreams, "history"),
    (Boasts, "play_out"),
    (Mumbles, "play_out"),
    (Strange, "outcome"),
    (Mirrored, "symmetries"),
    (Elsewhere, "symmetries"),
    (Pessimist, "can_win"),
    (GivesUp, "is_dead_draw"),
    (Patient, "plies_to_win"),
    (Misleads, "search_moves"),
    (Invents, "search_moves"),
]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("tictactoe", marks=pytest.mark.slow),
        "mnk-4-3-3",
        "mnk-1-1-1",
        "connect4",
        "nim-2-2-1",
        "hex-2",
        "othello-4",
        "lines:examples/games/strip.lines",
        pytest.param("tictactoe-corners-misere", marks=pytest.mark.slow),
        pytest.param("hex-11", marks=pytest.mark.slow),
        pytest.param("othello", marks=pytest.mark.slow),
        pytest.param("chess", marks=pytest.mark.slow),
        pytest.param("mnk-9-9-5", marks=pytest.mark.slow),
    ],
)
def test_every_game_that_comes_with_arena_conforms(name: str) -> None:
    assert not testing.check_game(name).at(Level.WARNING)


def test_a_game_of_ones_own_is_checked() -> None:
    report = testing.check_game(Piles())
    assert report.extent == "all 12 positions"
    assert {finding.level for finding in report.findings} == {Level.PASS}


@pytest.mark.parametrize(
    ("cls", "check"), FOUND, ids=lambda thing: getattr(thing, "__name__", thing)
)
def test_a_broken_promise_of_a_game_is_found(
    cls: type[Pile], check: str, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(POSITIONS, "bad", cls)
    report = arena.check_game(Piles("bad"))
    finding = next(f for f in report.findings if f.check == check)
    assert finding.level == Level.FAIL
    wording(finding.message)
    with pytest.raises(AssertionError, match=check):
        testing.check_game(Piles("bad"))


def test_a_method_that_a_game_did_not_write_is_a_default(wording: Wording) -> None:
    messages = {finding.check: finding.message for finding in arena.check_game(Piles()).findings}
    wording([messages["can_win"], messages["symmetries"]], "can_win()", "images()", "canonical()")
    board = {finding.check: finding.message for finding in arena.check_game("mnk-2-2-2").findings}
    assert not [check for check in ("can_win", "symmetries") if board[check] == messages[check]]


class Wide(Pile):
    """Has so many moves that expanding two plies would take minutes."""

    def legal_moves(self) -> tuple[int, ...]:
        return tuple(range(180_600))


def test_a_game_with_moves_above_the_limit_is_refused_before_it_is_expanded(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    monkeypatch.setitem(POSITIONS, "wide", Wide)
    monkeypatch.setattr(Wide, "play", lambda *_: pytest.fail("it is expanded"))
    (finding,) = arena.check_game(Piles("wide")).findings
    wording(finding.message, "180599", "65535")
    with pytest.raises(GameFault, match=r"180599.*65535"):
        tried(Piles("wide"))


def test_a_game_without_an_end_does_not_keep_the_check_going(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    monkeypatch.setattr(Piles, "max_plies", 3)
    report = arena.check_game(Piles())
    assert [finding.check for finding in report.at(Level.FAIL)] == ["walk"]
    wording(report.findings[0].message, "max_plies", " 3 ")
    assert report.findings[0].reproduction.startswith("game.start().play(1)")


def test_a_terminal_is_told_how_far_the_check_of_a_game_is(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], wording: Wording
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0)
    monkeypatch.setattr(progress, "_due", 0)
    with progress.display(True):
        arena.check_game(Piles())
    output = capfd.readouterr().err
    wording(output, "10,000")
    assert "17 of 18 promises" in output


class Sized(Piles):
    """Piles of several sizes under one name and, wrongly, equal by size."""

    def __init__(self, size: int = 5) -> None:
        super().__init__()
        self.size = size

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def test_a_game_unequal_to_itself_elsewhere_is_told_what_to_write(wording: Wording) -> None:
    assert Piles("good") == Piles() != Sized()
    finding = next(f for f in arena.check_game(Sized()).findings if f.check == "pickling")
    wording(finding.message, "__eq__", "__hash__")
