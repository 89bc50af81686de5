"""The check of a game finds whatever a fight refuses, and blames the method that is at fault."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Self

import pytest

import arena
from arena.errors import GameFault
from arena.features.check.record import CheckReport, Level
from arena.game import Outcome
from arena.games.contract import tried
from arena.games.kuhn import Kuhn, KuhnPosition
from arena.games.view import View
from arena.plugin.manager import load_catalogue
from tests.conftest import Run
from tests.features.check.piles import POSITIONS, Pile, Piles
from tests.features.check.test_observations import of_a_list
from tests.golden import Wording


def failures(report: CheckReport) -> dict[str, str]:
    return {finding.check: finding.message for finding in report.at(Level.FAIL)}


class Hand(KuhnPosition):
    """A position of a game that is not arena's own."""


class Hands(Kuhn):
    kind: type[KuhnPosition] = Hand

    def start(self) -> KuhnPosition:
        return self.kind(self)

    def __reduce__(self) -> Any:
        return hands, ()


@cache
def hands() -> Hands:
    return Hands()


class Whole(Hand):
    def payoffs(self) -> Any:
        paid = super().payoffs()
        return paid if paid is None or paid[0] < 2 else (int(paid[0]), int(paid[1]))


class Short(Hand):
    def chance_moves(self) -> tuple[tuple[int, Fraction], ...]:
        return tuple((move, share * 2 / 3) for move, share in super().chance_moves())


class Unhashable(Hand):
    def observation(self, seat: int) -> Any:
        return of_a_list(self, seat)


class Nothing(Hand):
    def observation(self, seat: int) -> Any:
        return None


class Everybody(Hand):
    def observation(self, seat: int) -> View:
        return super().observation(seat)._replace(moves=(1,))


class Hasty(Hand):
    def outcome(self) -> Outcome | None:
        return Outcome.DRAW if self.ply == 3 else super().outcome()


@pytest.mark.parametrize(
    ("kind", "checks"),
    [
        (Hand, set()),
        (Whole, {"payoffs"}),
        (Short, {"luck"}),
        (Unhashable, {"observations", "secrets"}),
        (Nothing, {"observations", "secrets"}),
        (Everybody, {"observations"}),
        (Hasty, {"legal moves", "payoffs"}),
    ],
)
def test_the_method_at_fault_is_found_and_not_the_reader(
    kind: type[KuhnPosition], checks: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hands, "kind", kind)
    assert failures(arena.check_game(hands())).keys() == checks


class Guess(Pile):
    def estimate(self) -> Any:
        return 1.5


def test_what_a_fight_refuses_is_found_where_nothing_else_is(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(POSITIONS, "guess", Guess)
    with pytest.raises(GameFault) as fault:
        tried(Piles("guess"))
    [(check, message)] = failures(arena.check_game(Piles("guess"))).items()
    assert check == "contract"
    wording(message, str(fault.value))


class Stays(Pile):
    def play(self, move: int) -> Self:
        super().play(move)
        return self


class Turns(Pile):
    """A copy of the position stands after each move."""

    def play(self, move: int) -> Self:
        super().play(move)
        return type(self)(self.left, self.ply, self.kind)


@pytest.mark.parametrize("kind", [Stays, Turns])
def test_a_game_that_does_not_go_on_is_found_before_it_is_walked(
    kind: type[Pile], monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(POSITIONS, "circle", kind)
    [(check, message)] = failures(arena.check_game(Piles("circle"))).items()
    assert check == "walk"
    wording(message)


class Forgetful(Piles):
    payoffs = arena.plugin.Payoffs(0, 1, "stones")

    def parse_observation(self, text: str) -> Any:
        raise arena.PositionError(f"observation {text!r} is not like '0: WORD'")


def test_a_game_that_reads_observations_and_has_none_is_told_so(wording: Wording) -> None:
    wording(failures(arena.check_game(Forgetful()))["observations"], "observation()")
    with pytest.raises(GameFault) as fault:
        tried(Forgetful())
    wording(str(fault.value), "observation()")


PLUGIN = """
from arena.plugin.markers import hookimpl
from tests.features.check.piles import Piles

class Named(Piles):
    def __init__(self, name):
        super().__init__()
        self.name = name

@hookimpl
def arena_register_games(register):
    register("ace", lambda: Named("acex"))
    register("flips-{n}", lambda n: Named("flips"))
    register("two", lambda: Named("one"))
    register("one", Piles)
    register("alias", lambda: Named("right"))
    register("right", lambda: Named("right"))
"""


def test_a_game_is_found_by_its_own_name(tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "named.py"
    file.write_text(PLUGIN)
    catalogue = load_catalogue([str(file)])
    for name in ("ace", "flips-3", "two"):
        wording(failures(arena.check_game(name, catalogue=catalogue))["name"], name)
    for name in ("alias", "right", "mnk-3-2-2"):
        assert "name" not in failures(arena.check_game(name, catalogue=catalogue))


#: A game that Ctrl-C stops, as its user does if a method does not return.
STOPPED = """
from arena.plugin.markers import hookimpl
from tests.features.check.piles import POSITIONS, Pile, Piles

class Stopped(Pile):
    def legal_moves(self):
        raise KeyboardInterrupt

POSITIONS["stopped"] = Stopped

@hookimpl
def arena_register_games(register):
    register("piles", lambda: Piles("stopped"))
"""


def test_a_check_that_is_stopped_says_where_the_game_was(
    tmp_path: Path, run: Run, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(POSITIONS, "stopped", Pile)
    file = tmp_path / "stopped.py"
    file.write_text(STOPPED)
    ran = run("-p", str(file), "check", "game", "piles")
    assert ran.code == 130
    wording(ran.err, "stopped.py", "legal_moves")
