"""Minimax: perfect where the game is small, under a budget of positions where it is not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

from arena.game import Game, Outcome, Position
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.players import minimax
from arena.plugin.catalogue import Catalogue
from arena.proof.distribution import distribution
from tests.boards import random_positions

MINIMAX = PlayerInfo("minimax", minimax.choose)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LARGE = [CONNECT4, mnk_game(5, 5, 4)]


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    minimax.look.cache_clear()
    yield
    minimax.look.cache_clear()


@cache
def value(board: str) -> int:
    """For the side to move: a win is worth the squares left empty and one, a draw nothing."""
    if any(board[a] == board[b] == board[c] != "_" for a, b, c in LINES):
        return -board.count("_") - 1
    if "_" not in board:
        return 0
    return max(-value(after) for after in replies(board).values())


def replies(board: str) -> dict[int, str]:
    mark = "x" if board.count("x") == board.count("o") else "o"
    free = [square for square in range(9) if board[square] == "_"]
    return {square: board[:square] + mark + board[square + 1 :] for square in free}


def boards_to_move() -> set[str]:
    result, waiting = {"_" * 9}, ["_" * 9]
    while waiting:
        for after in replies(waiting.pop()).values():
            won = any(after[a] == after[b] == after[c] != "_" for a, b, c in LINES)
            if after not in result and "_" in after and not won:
                result.add(after)
                waiting.append(after)
    return result


def wins(position: Position) -> list[int]:
    """Return the moves that win at once."""
    after = {move: position.play(move).outcome() for move in position.legal_moves()}
    return [move for move, outcome in after.items() if outcome and outcome.winner is not None]


def lets_win(position: Position, move: int) -> bool:
    """Whether the opponent wins at once after the move."""
    return bool(wins(position.play(move)))


@pytest.mark.slow
def test_in_all_4520_positions_it_is_uniform_over_the_best_moves() -> None:
    boards = boards_to_move()
    assert len(boards) == 4520
    for board in boards:
        values = {square: -value(after) for square, after in replies(board).items()}
        best = [square for square, worth in values.items() if worth == max(values.values())]
        position = mnk_game(3, 3, 3).parse(board)
        assert distribution(MINIMAX, position) == dict.fromkeys(best, Fraction(1, len(best))), board


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("_________", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("____x____", [1, 3, 7, 9]),
        ("x________", [5]),
        ("xx_oo____", [3]),
        ("x_x_o____", [2]),
    ],
)
def test_worked_positions(text: str, moves: list[int]) -> None:
    chances = distribution(MINIMAX, mnk_game(3, 3, 3).parse(text))
    assert [move + 1 for move in chances] == moves


@pytest.mark.slow
def test_every_first_move_draws_on_four_by_four() -> None:
    start = mnk_game(4, 4, 4).start()
    assert distribution(MINIMAX, start) == dict.fromkeys(range(16), Fraction(1, 16))


@pytest.mark.slow
@pytest.mark.parametrize("game", LARGE, ids=lambda game: game.name)
def test_what_it_plays_does_not_depend_on_what_it_searched_before(game: Game) -> None:
    positions = random_positions(game.start(), 8, 2)
    forwards = [minimax.best_moves(position) for position in positions]
    minimax.look.cache_clear()
    backwards = [minimax.best_moves(position) for position in reversed(positions)]
    assert backwards == forwards[::-1]
    for position, moves in zip(positions, forwards, strict=True):
        minimax.look.cache_clear()
        assert minimax.best_moves(position) == moves


@pytest.mark.parametrize("game", LARGE, ids=lambda game: game.name)
def test_on_a_large_board_it_plays_a_game_of_legal_moves(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minimax, "MAX_SEARCHED_POSITIONS", 200)
    position, rng = game.start(), random.Random(1)
    while position.outcome() is None:
        assert set(minimax.best_moves(position)) <= set(position.legal_moves())
        position = position.play(minimax.choose(position, rng))
    assert position.legal_moves() == ()


@pytest.mark.parametrize("game", LARGE, ids=lambda game: game.name)
def test_on_a_large_board_it_takes_a_win_at_once(game: Game) -> None:
    results = [p for p in random_positions(game.start(), 14, 200) if wins(p)]
    assert len(results) >= 10
    for position in results:
        assert list(minimax.best_moves(position)) == wins(position), str(position)


@pytest.mark.parametrize("game", LARGE, ids=lambda game: game.name)
def test_on_a_large_board_it_blocks_every_win_at_once_that_it_can(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minimax, "MAX_SEARCHED_POSITIONS", 500)
    number = 0
    for position in random_positions(game.start(), 14, 100):
        bad = [move for move in position.legal_moves() if lets_win(position, move)]
        if not wins(position) and bad and len(bad) < len(position.legal_moves()):
            number += 1
            assert not set(minimax.best_moves(position)) & set(bad), str(position)
    assert number >= 10


def test_with_no_budget_worth_the_name_it_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimax, "MAX_SEARCHED_POSITIONS", 0)
    assert minimax.best_moves(CONNECT4.start()) == (3,)  # the column of the most lines


def test_on_connect_four_it_wins_as_soon_as_its_search_sees_it_can() -> None:
    # x has the two middle squares of the bottom row and both ends open.
    position = CONNECT4.start()
    for move in (3, 3, 2, 2):
        position = position.play(move)
    for move in minimax.best_moves(position):
        after = position.play(move)
        assert all(wins(after.play(reply)) for reply in after.legal_moves())


# -- races on large boards, against looking at everything so many plies ahead -------------------

RACES = [(CONNECT4, 12), (CONNECT4, 22), (mnk_game(5, 5, 4), 10), (mnk_game(5, 5, 4), 15)]
RACES += [(mnk_game(6, 5, 4), 18), (mnk_game(5, 4, 3), 4), (mnk_game(7, 7, 5), 36)]


@cache
def wins_within(position: Position, plies: int) -> bool:
    """Whether the side to move wins in so many plies, an odd number, whatever the other does."""
    if wins(position):
        return True
    return plies > 1 and any(
        loses_within(position.play(move), plies - 1) for move in position.legal_moves()
    )


@cache
def loses_within(position: Position, plies: int) -> bool:
    """Return the same of the side that is not to move; plies is even."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome is not Outcome.DRAW
    if wins(position):
        return False
    replies = position.legal_moves()
    return all(wins_within(position.play(reply), plies - 1) for reply in replies)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "plies"), RACES, ids=str)
def test_a_race_that_can_be_won_is_won_as_soon_as_it_can_be(game: Game, plies: int) -> None:
    longest = 7 if plies in (15, 22) else 5
    result = dict.fromkeys(range(1, longest + 1, 2), 0)
    for position in random_positions(game.start(), plies, 60):
        soonest = next((n for n in result if wins_within(position, n)), None)
        if soonest is not None:
            result[soonest] += 1
            for move in minimax.best_moves(position):
                assert loses_within(position.play(move), soonest - 1), str(position)
    assert result[1] >= 3
    assert sum(result.values()) - result[1] >= 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "plies"),
    [
        pytest.param(*race, id=f"{race[0]}-{race[1]}", marks=[pytest.mark.slow] * (race[1] == 12))
        for race in RACES
    ],
)
def test_a_race_is_not_lost_if_that_can_be_helped(game: Game, plies: int) -> None:
    number = 0
    for position in random_positions(game.start(), plies, 20):
        safe = [m for m in position.legal_moves() if not wins_within(position.play(m), 3)]
        if not wins(position) and safe and len(safe) < len(position.legal_moves()):
            number += 1
            assert set(minimax.best_moves(position)) <= set(safe), str(position)
    assert number >= 3


@pytest.mark.parametrize(
    ("game", "board", "moves"),
    [
        # An open three must be made of an open two, on either side; it wins in three more plies.
        ("mnk-5-5-4", "_____ _____ _xx__ ____o ____o", {11, 14}),
        ("mnk-5-5-4", "_____ o____ _xxx_ o____ ____o", {11, 15}),
        # The second player cannot save itself from an open three, but from a half open one.
        ("mnk-5-5-4", "_____ _____ oxxx_ _____ ___o_", {15}),
        # Two in the bottom row with free ends become three with both ends free.
        ("connect4", "_______ _______ _______ _______ __oo___ __xx___", {2, 5}),
    ],
)
def test_worked_races(game: str, board: str, moves: set[int], catalogue: Catalogue) -> None:
    result = minimax.best_moves(catalogue.game(game).parse(board))
    assert {move + 1 for move in result} <= moves


# -- options -----------------------------------------------------------------------------------


def test_without_decay_all_ways_to_win_are_as_good_and_all_ways_to_lose() -> None:
    for board in sorted(boards_to_move())[::5]:
        position = mnk_game(3, 3, 3).parse(board)
        signs = {
            square: (worth > 0) - (worth < 0)
            for square, worth in ((s, -value(after)) for s, after in replies(board).items())
        }
        best = tuple(s for s in signs if signs[s] == max(signs.values()))
        assert minimax.best_moves(position, decay=False) == best, board


def test_a_depth_is_how_far_it_looks() -> None:
    position = mnk_game(3, 3, 3).parse("xx_oo____")
    assert minimax.best_moves(position, depth=1) == (2,)
    start = mnk_game(3, 3, 3).start()
    assert minimax.best_moves(start, depth=8) == (4,)  # it does not see the end: the most lines
    assert minimax.best_moves(start, depth=9) == tuple(range(9))
    whole = [minimax.best_moves(p) for p in random_positions(mnk_game(3, 3, 3).start(), 3, 20)]
    minimax.look.cache_clear()
    deep = [
        minimax.best_moves(p, depth=40) for p in random_positions(mnk_game(3, 3, 3).start(), 3, 20)
    ]
    assert deep == whole


def test_a_budget_is_for_small_games_too(catalogue: Catalogue) -> None:
    start = mnk_game(3, 3, 3).start()
    assert minimax.best_moves(start, budget=1) == (4,)  # the square of the most lines
    assert minimax.best_moves(start, budget=10**6) == tuple(range(9))
    info = catalogue.player("minimax:budget=1,decay=off")
    assert info.claims == ()
    assert distribution(info, start) == {4: 1}
