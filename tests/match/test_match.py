"""One game: legality, forfeits, and what a player may do without harm to anybody."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing
from arena.game import Game, Outcome, Position, Side
from arena.games.connect4 import CONNECT4
from arena.games.mnk import MnkPosition, mnk_game
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.rng import READY_BITS, Stream
from arena.testing import ScriptedPlayer
from tests.golden import Wording
from tests.match.games import TICTACTOE, Choose, play
from tests.simple import anything, lowest


def test_three_in_a_row_wins_for_the_first_side() -> None:
    record = play(ScriptedPlayer(0, 1, 2), ScriptedPlayer(3, 4))
    assert record == GameRecord((0, 3, 1, 4, 2), Outcome.FIRST_WINS, None)


def test_three_in_a_row_wins_for_the_second_side() -> None:
    record = play(ScriptedPlayer(0, 1, 8), ScriptedPlayer(3, 4, 5))
    assert record == GameRecord((0, 3, 1, 4, 8, 5), Outcome.SECOND_WINS, None)


def test_a_full_board_is_a_draw() -> None:
    record = play(ScriptedPlayer(0, 1, 5, 6, 8), ScriptedPlayer(4, 2, 3, 7))
    assert record == GameRecord((0, 4, 1, 2, 5, 3, 6, 7, 8), Outcome.DRAW, None)


@given(
    st.sampled_from([TICTACTOE, mnk_game(4, 3, 3), mnk_game(1, 1, 1), CONNECT4]),
    st.text(max_size=9),
)
def test_a_record_is_a_legal_game_to_its_end(game: Game, name: str) -> None:
    record = play(anything, anything, game=game, name=name)
    position = game.start()
    for move in record.moves:
        assert position.outcome() is None
        assert move in position.legal_moves()
        position = position.play(move)
    assert position.outcome() is record.outcome
    assert record.forfeit is None


def test_a_games_name_decides_it() -> None:
    records = [play(anything, anything, name=f"g/{n}") for n in range(50)]
    assert records == [play(anything, anything, name=f"g/{n}") for n in range(50)]
    assert len(set(records)) > 40


def test_streams_used_before_make_no_difference() -> None:
    streams = Stream(), Stream()
    players = PlayerInfo("a", anything), PlayerInfo("b", anything)
    for stream in streams:
        stream.seed(1)
    assert play_game(TICTACTOE, players, "g", streams) == play(anything, anything)


def test_one_players_draws_do_not_change_the_others() -> None:
    seen: list[list[float]] = [[], []]

    def thrifty(position: Position, rng: random.Random) -> int:
        seen[0].append(rng.random())
        return lowest(position, rng)

    def wasteful(position: Position, rng: random.Random) -> int:
        for _ in range(READY_BITS):
            rng.random()
        return lowest(position, rng)

    play(thrifty, lowest)
    seen.reverse()
    play(thrifty, wasteful)
    assert seen[0] == seen[1]


def test_each_player_gets_the_position_before_its_own_moves() -> None:
    seen: list[tuple[str, Side, str]] = []

    def watching(name: str) -> Choose:
        def choose(position: Position, rng: random.Random) -> int:
            seen.append((name, position.to_move, str(position)))
            return lowest(position, rng)

        return choose

    play(watching("x"), watching("o"))
    assert seen == [
        ("x", Side.FIRST, "_________"),
        ("o", Side.SECOND, "x________"),
        ("x", Side.FIRST, "xo_______"),
        ("o", Side.SECOND, "xox______"),
        ("x", Side.FIRST, "xoxo_____"),
        ("o", Side.SECOND, "xoxox____"),
        ("x", Side.FIRST, "xoxoxo___"),
    ]


def meddling(position: MnkPosition, rng: random.Random) -> int:
    """Try to give itself three in a row, and then move as ``lowest`` does."""
    attempts: list[Callable[[], object]] = [
        lambda: setattr(position, "first", 7),
        lambda: setattr(position, "second", 7),
        lambda: object.__setattr__(position, "first", 7),
        lambda: position.__dict__.update(first=7),
        lambda: operator.setitem(cast("list[int]", position), 1, 7),
        lambda: operator.setitem(cast("list[int]", position.legal_moves()), 0, 8),
        lambda: position.__init__(position.game, 7, 0),  # type: ignore[misc]
    ]
    for attempt in attempts:
        try:
            attempt()
        except (AttributeError, TypeError):
            continue
    position.play(position.legal_moves()[-1])
    return position.legal_moves()[0]


def test_meddling_with_the_position_changes_nothing() -> None:
    assert play(meddling, meddling) == play(lowest, lowest)
    assert str(TICTACTOE.start()) == "_________"


def test_a_player_that_keeps_its_generator_keeps_its_own(catalogue: Catalogue) -> None:
    """In both games of a pair, so that no player ever draws from its opponent's stream."""
    seen: dict[str, set[int]] = {"a": set(), "b": set()}

    def watching(name: str) -> PlayerInfo:
        def choose(position: Position, rng: random.Random) -> int:
            seen[name].add(id(rng))
            return rng.choice(position.legal_moves())

        return PlayerInfo(name, choose)

    pairing = Pairing(catalogue.game("tictactoe"), watching("a"), watching("b"), 5, 1)
    CallsEngine(pairing).play(1, 6)
    assert len(seen["a"]) == len(seen["b"]) == 1
    assert seen["a"].isdisjoint(seen["b"])


@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_a_player_cannot_change_the_rules(
    catalogue: Catalogue, name: str, wording: Wording
) -> None:
    game = catalogue.game(name)
    for attribute in ("max_plies", "name", "version", "lines", "anything"):
        with wording.raises(AttributeError):
            setattr(game.start().game, attribute, 0)
