"""What the moves of a game were worth, against values that are computed another way."""

from __future__ import annotations

import random
from functools import cache

import pytest

import arena
from arena.game import Position
from arena.games.mnk import mnk_game
from arena.games.worth import sign
from arena.proof.explaining import explain
from arena.proof.values import known_values
from arena.records.replays import ReplayReport
from tests.golden import Wording
from tests.samples import few

GAMES = ["tictactoe", "mnk-4-3-3", "mnk-4-2-2", "connect-4-3-3"]


@cache
def worth(position: Position) -> int:
    """1, 0 or -1 for the side to move, by plain minimax."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.to_move else -1
    return max(-worth(position.play(move)) for move in position.legal_moves())


def random_game(game: arena.Game, seed: int) -> ReplayReport:
    rng, moves, position = random.Random(seed), list[str](), game.start()
    while position.outcome() is None:
        move = rng.choice(position.legal_moves())
        moves.append(game.format_move(move))
        position = position.play(move)
    return ReplayReport(None, game.name, 1, None, ("a", "b"), tuple(moves), "draw", pictures=())


@pytest.mark.parametrize("name", ["tictactoe", "mnk-4-2-3", "tictactoe-2"])
@pytest.mark.parametrize("seed", range(5))
def test_what_a_move_gives_away_is_what_minimax_loses(name: str, seed: int) -> None:
    game = arena.get_game(name)
    replay = random_game(game, seed)
    position = game.start()
    explanation = explain(game, replay)
    assert explanation.budget is None
    for text, move in zip(replay.moves, explanation.moves, strict=True):
        values = {m: -worth(position.play(m)) for m in position.legal_moves()}
        best, after = max(values.values()), values[game.parse_move(text)]
        assert move.gives_away == ("" if after == best else "a win" if best == 1 else "a draw")
        moves = {game.format_move(m) for m, value in values.items() if value == best}
        assert set(move.better) == (moves if after < best else set())
        assert (move.before or "").split()[0] == {1: "win", 0: "draw", -1: "loss"}[best]
        assert (move.after or "").split()[0] == {1: "win", 0: "draw", -1: "loss"}[after]
        position = position.play(game.parse_move(text))


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(range(3)))
def test_a_search_says_only_what_is_so_and_more_positions_say_more(seed: int) -> None:
    game = mnk_game(6, 3, 3)
    replay = random_game(game, seed)
    exact = explain(game, replay, 10**9).moves
    known = []
    for budget in (1, 300, 10_000):
        explanation = explain(game, replay, budget)
        for move, true in zip(explanation.moves, exact, strict=True):
            assert move.before in (None, true.before)
            assert move.after in (None, true.after)
            assert move.gives_away in (None, true.gives_away)
        known.append(sum(move.after is not None for move in explanation.moves))
    assert known == sorted(known)
    assert known[0] < known[-1]


@pytest.mark.parametrize("seed", few(range(3)))
def test_what_is_proved_without_plies_is_told_without_them(seed: int) -> None:
    game = mnk_game(6, 3, 3)
    replay = random_game(game, seed)

    def proved(position: Position) -> int:
        values = known_values(position, 10**9).values()
        return max(sign(value) for value in values if value is not None)

    exact = explain(game, replay, 10**9).moves
    for budget in (1, 30, 300):
        for move, true in zip(explain(game, replay, budget, proved).moves, exact, strict=True):
            for explained, fact in ((move.before, true.before), (move.after, true.after)):
                assert explained in (fact, str(fact).partition(" in ")[0])


def test_an_opening_is_where_the_values_begin() -> None:
    game = arena.get_game("tictactoe")
    opened = ReplayReport(
        *(None, "tictactoe", 1, None, ("a", "b"), ("3", "8"), None),
        opening="xx_oo____",
        pictures=(),
    )
    (move,) = explain(game, ReplayReport(**{**vars(opened), "moves": ("8",)})).moves
    assert (move.before, move.after, move.gives_away, move.better) == (
        "win in 1",
        "loss in 2",
        "a win",
        ("3",),
    )


def test_a_blunder_is_named_also_where_nobody_knows_the_better_move(wording: Wording) -> None:
    start = mnk_game(6, 6, 4).start()
    after = start.play(0)
    played = ReplayReport(
        None, start.game.name, 1, None, ("a", "b"), ("a6",), None, pictures=("", "")
    )
    positions: list[Position] = []

    def solved(position: Position) -> int | None:
        positions.append(position)
        return 0 if position == after else None

    explanation = explain(start.game, played, 5, lambda p: 1 if p == start else None, solved)
    (move,) = explanation.moves
    assert (move.before, move.after, move.gives_away, move.better) == ("win", "draw", "a win", ())
    assert positions[0] == after  # and then the other moves
    assert len({*positions}) == len(positions) == 36
    wording(str(explanation))
