"""Games derived from those of lines, with other rules: nothing computes with the lines alone."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import GameFault
from arena.game import Outcome, Position, Side
from arena.games.board import squares_of
from arena.games.boards import has_boards
from arena.games.connect4 import ConnectGame, ConnectPosition
from arena.games.kuhn import Kuhn
from arena.games.line_game import has_keys, has_line_rules
from arena.games.mnk import MnkGame, MnkPosition, mnk_game
from arena.games.nim import Nim
from arena.games.othello import Othello
from arena.plugin.catalogue import Catalogue
from arena.proof.estimate import ways_to
from arena.proof.values import value
from arena.solver.falling import is_falling
from arena.testing import check_game
from tests.golden import Wording


class LatePosition(MnkPosition):
    """A full board without a line wins for the side that moves second."""

    __slots__ = ()

    def outcome(self) -> Outcome | None:
        end = super().outcome()
        return Outcome.SECOND_WINS if end is Outcome.DRAW else end

    def can_win(self, side: Side) -> bool:
        return bool(side) or super().can_win(side)

    def plies_to_win(self, side: Side) -> int:
        room = self.game.squares - self.ply
        return min(super().plies_to_win(side), room) if side else super().plies_to_win(side)

    def winning_moves(self, side: Side) -> tuple[int, ...]:
        return ()

    def search_moves(self) -> tuple[int, ...]:
        return self.legal_moves()

    def forking_moves(self, side: Side) -> tuple[int, ...]:
        return ()


class LateGame(MnkGame):
    def __init__(self) -> None:
        lines = [squares_of(line) for line in mnk_game(3, 3, 3).lines]
        super().__init__("late", 3, 3, lines)

    def start(self) -> LatePosition:
        return LatePosition(self, 0, 0)

    def parse(self, text: str) -> LatePosition:
        return LatePosition(*super().parse(text))

    def __reduce__(self) -> tuple[Any, ...]:
        return late_game, ()


@cache
def late_game() -> LateGame:
    return LateGame()


class OtherDiscs(ConnectPosition):
    __slots__ = ()


class OtherConnect(ConnectGame):
    def start(self) -> OtherDiscs:
        return OtherDiscs(self, 0, 0)


LATE = late_game()


@cache
def plain_value(position: Position) -> int:
    """Return 1 if the first side wins, -1 if the second does, by play and outcome alone."""
    end = position.outcome()
    if end is not None:
        return {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1}[end]
    values = [plain_value(position.play(move)) for move in position.legal_moves()]
    return min(values) if position.to_move else max(values)


@pytest.mark.parametrize("game", [LATE, OtherConnect(5, 4, 4, misere=False)])
def test_no_array_takes_its_rules_from_the_lines(game: arena.Game) -> None:
    assert not has_line_rules(game)
    assert not has_boards(game)
    assert not has_keys(game)
    assert not is_falling(game)
    assert ways_to(game.start()) is None


def test_the_games_themselves_are_their_lines(catalogue: Catalogue) -> None:
    names = ("tictactoe", "mnk-4-4-4", "tictactoe-misere", "connect4", "tictactoe-corners")
    assert all(has_line_rules(catalogue.game(name)) for name in names)
    assert not any(has_line_rules(catalogue.game(name)) for name in ("hex-3", "nim", "kuhn"))


def test_it_is_solved_by_its_own_rules() -> None:
    assert plain_value(LATE.start()) == -1
    assert arena.solve(LATE).value == "loss"
    assert value(LATE.start()) == -9


@pytest.mark.slow
def test_it_keeps_the_contract_of_games() -> None:
    check_game(LATE)


@pytest.mark.parametrize("engine", ["calls", "batch", "table", "auto"])
@pytest.mark.parametrize("players", [("monkey", "lines"), ("minimax", "lines")])
def test_every_engine_plays_by_its_own_rules(players: tuple[str, str], engine: str) -> None:
    result = arena.fight(*players, 300, game=LATE, seed=1, engine=engine)
    assert result.total.games == 600
    assert not result.total.draws


#: Lines a knight's move apart, which no board of k in a row has.
KNIGHT = MnkGame("knight", 3, 3, [(0, 5, 7), (1, 3, 8), (2, 3, 7), (1, 5, 6)])


def test_a_game_of_its_own_lines_has_them_in_other_processes() -> None:
    copy = pickle.loads(pickle.dumps(KNIGHT))
    assert copy is KNIGHT
    made, facts = KNIGHT.__reduce__()
    assert made("other", *facts[1:]).lines == KNIGHT.lines
    ours = mnk_game(3, 3, 3)
    assert pickle.loads(pickle.dumps(ours)) is ours


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_players_process_plays_by_its_lines(tmp_path: Path, isolation: str) -> None:
    bot = tmp_path / "first.py"
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    options: Any = {"game": KNIGHT, "seed": 1}
    result = arena.fight(f"first={bot}", "monkey", 30, isolation=isolation, **options)
    here = arena.fight(arena.PlayerInfo("first", first_legal), "monkey", 30, **options)
    assert result.total == here.total
    assert not any(result.a.forfeits)


def first_legal(position: Position, rng: Any) -> int:
    return position.legal_moves()[0]


class Knights(MnkGame):
    def __init__(self) -> None:
        super().__init__("knights", 3, 3, [(0, 5, 7), (1, 3, 8), (2, 3, 7), (1, 5, 6)])

    def __reduce__(self) -> tuple[Any, ...]:
        return Knights, ()


def test_a_derived_game_is_equal_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(Knights())) == Knights()
    assert Knights().start() == Knights().start()
    assert hash(Knights()) == hash(Knights())
    check_game(Knights())


class Unsendable(Knights):
    def __reduce__(self) -> tuple[Any, ...]:
        raise NameError("name 'Nope' is not defined")


def test_a_game_that_cannot_be_pickled_is_not_a_players_fault(
    tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "first.py"
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    with wording.raises(GameFault):
        arena.fight(str(bot), "monkey", 1, game=Unsendable(), isolation="process")


@pytest.mark.parametrize("base", [MnkGame, ConnectGame, Kuhn, Nim, Othello])
def test_a_derived_game_that_would_be_its_base_is_refused(
    base: type[Any], wording: Wording
) -> None:
    arguments: dict[type[Any], tuple[Any, ...]] = {
        MnkGame: ("mine", 3, 3, [(0, 1, 2)]),
        ConnectGame: (5, 4, 4, False),
        Nim: ((1, 2),),
        Othello: (4,),
    }
    mine = type("Mine", (base,), {})(*arguments.get(base, ()))
    with wording.raises(GameFault):
        pickle.dumps(mine)
