"""The player that scores lines, against minimax without pruning on rows of letters."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import Side
from arena.games.lines import line_game
from arena.games.mnk import MnkGame, MnkPosition, mnk_game
from arena.player import PlayerInfo
from arena.players import lines
from arena.plugin.manager import load_catalogue
from arena.proof.distribution import distribution

GAME = mnk_game(3, 3, 3)


def windows(game: MnkGame, board: str) -> Iterator[str]:
    """Return the letters of every k squares in a row, found by walking from every square."""
    for row in range(game.rows):
        for column in range(game.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                walk = [(row + i * down, column + i * right) for i in range(game.k)]
                if all(0 <= r < game.rows and 0 <= c < game.columns for r, c in walk):
                    yield "".join(board[r * game.columns + c] for r, c in walk)


def plain_score(game: MnkGame, board: str) -> int:
    """For x: 0 for a mixed line, 1 for an empty one, else a power of ten, and three times that."""
    turn = "x" if board.count("x") == board.count("o") else "o"
    total = 0
    for window in windows(game, board):
        marks = set(window) - {"_"}
        if not marks:
            total += 1
        elif marks == {"x"}:
            total += 10 ** window.count("x") * (3 if turn == "x" else 1)
        elif marks == {"o"}:
            total -= 10 ** window.count("o") * (3 if turn == "o" else 1)
    return total


def plain_value(position: MnkPosition, depth: int) -> tuple[int, int]:
    """For the side to move: a result that is certain and how late, above all; else the score."""
    outcome = position.outcome()
    if outcome is not None:
        remaining = position.game.max_plies - position.ply
        return (0, 0) if outcome.winner is None else (-1 - remaining, 0)
    if depth == 0:
        score = plain_score(position.game, str(position))
        return 0, score if position.to_move is Side.FIRST else -score
    answer = (plain_value(position.play(move), depth - 1) for move in position.legal_moves())
    return max((-result, -score) for result, score in answer)


def plain_best(position: MnkPosition, depth: int) -> tuple[int, ...]:
    values = {}
    for move in position.legal_moves():
        result, score = plain_value(position.play(move), depth - 1)
        values[move] = -result, -score
    return tuple(move for move in values if values[move] == max(values.values()))


def some_positions(game: MnkGame, number: int) -> list[MnkPosition]:
    rng, results = random.Random(game.name), [game.start()]
    while len(results) < number:
        position = game.start()
        for _ in range(rng.randrange(game.max_plies)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            results.append(position)
    return results


def score(position: MnkPosition) -> int:
    return lines.score(lines.totals_of(position), position.to_move)


@pytest.mark.parametrize(
    ("board", "worth"),
    [
        ("_________", 8),
        ("____x____", 4 + 4 * 10),  # o is to move, so the lines of x count once
        ("x___o____", 2 + 3 * 2 * 10 - 3 * 10),  # two empty, two of x, three of o
        ("xx__o____", 2 + 100 + 10 - 3 * 2 * 10),
        ("xx__o__o_", 1 + 3 * (100 + 10) - 3 * 10),
    ],
)
def test_worked_scores(board: str, worth: int) -> None:
    position = GAME.parse(board)
    assert score(position) == plain_score(GAME, board) == worth


@pytest.mark.slow
@given(st.data())
def test_the_score_follows_the_moves(data: st.DataObject) -> None:
    game = mnk_game(*data.draw(st.sampled_from([(3, 3, 3), (4, 3, 3), (5, 5, 4), (2, 4, 2)])))
    position, totals = game.start(), lines.totals_of(game.start())
    while position.outcome() is None:
        assert totals == lines.totals_of(position)
        assert score(position) == plain_score(game, str(position))
        move = data.draw(st.sampled_from(position.legal_moves()))
        totals = lines.totals_after(totals, position, move)
        position = position.play(move)
    assert totals == lines.totals_of(position)


LARGER = [pytest.param(board, marks=pytest.mark.slow) for board in ((4, 4, 4), (5, 5, 4))]


@pytest.mark.parametrize("board", [(3, 3, 3), (4, 3, 3), (5, 1, 2), *LARGER])
@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_it_plays_all_moves_of_plain_minimax(board: tuple[int, int, int], depth: int) -> None:
    game = mnk_game(*board)
    positions = [p for p in some_positions(game, 40) if (game.max_plies - p.ply) ** depth < 2000]
    assert len(positions) > 10
    for position in positions[:20]:
        assert lines.best_moves(position, depth) == plain_best(position, depth), str(position)


def test_a_win_is_worth_more_than_any_lines() -> None:
    # Without that the lines of o, which count three times in the last position, would weigh more.
    game = mnk_game(20, 20, 3)
    assert lines.won(game.start().play(0)) > 10**3 * lines.ADVANTAGE * len(game.lines)
    for position in some_positions(GAME, 400):
        if wins := position.winning_moves(position.to_move):
            assert lines.best_moves(position, 3) == wins


def test_from_two_plies_on_it_blocks() -> None:
    position = GAME.parse("x_o_x____")
    assert lines.best_moves(position, 2) == (8,)
    player = PlayerInfo("lines", lines.choose)
    assert distribution(player, position) == {8: 1}


def test_it_plays_games_of_any_lines_and_takes_a_win_of_any_length() -> None:
    game = line_game("lines:mixed", "board 5 1\n1 2\n2 3 4 5\n")
    info = load_catalogue().player("lines")
    assert list(distribution(info, game.parse("x___o"))) == [1]  # wins the line of two
    assert list(distribution(info, game.parse("x____"))) == [1]  # stops it
    longer = line_game("lines:longer", "board 8 1\n1 8\n2 3 4 5\n")
    assert list(distribution(info, longer.parse("oxxx_oo_"))) == [4]  # wins the line of four
