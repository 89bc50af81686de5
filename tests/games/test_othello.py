"""Othello, against published counts and a naive implementation that turns letters in a grid."""

from __future__ import annotations

import random
from functools import cache

import pytest

import arena
from arena import testing
from arena.errors import IllegalMove, MoveError, PositionError, UsageError
from arena.game import Outcome, Position, Side
from arena.games.othello import othello_game
from arena.games.search import Search
from arena.plugin.catalogue import Catalogue
from tests.games.test_perft import perft
from tests.golden import Wording

#: Leaves of the tree of all games by ply, from Bik, http://www.aartbik.com/MISC/reversi.html.
PERFT = (1, 4, 12, 56, 244, 1396, 8200, 55092)


@cache
def turned(n: int, text: str, mark: str, square: int) -> frozenset[int]:
    """Return the squares whose letters a mark on a square turns; none where it may not be put."""
    results: list[int] = []
    row, column = divmod(square, n)
    for down in (-1, 0, 1) if text[square] == "_" else ():
        for right in (-1, 0, 1):
            run, r, c = [], row + down, column + right
            while 0 <= r < n and 0 <= c < n and text[r * n + c] not in ("_", mark):
                run.append(r * n + c)
                r, c = r + down, c + right
            if 0 <= r < n and 0 <= c < n and text[r * n + c] == mark:
                results += run
    return frozenset(results)


def naive(n: int, text: str, mark: str) -> dict[int, str]:
    """Return the boards after each move, by its square, n * n for a pass; none at the end."""
    moves = {}
    for square in range(n * n):
        if turns := turned(n, text, mark, square):
            marks = {square, *turns}
            moves[square] = "".join(mark if s in marks else text[s] for s in range(n * n))
    other = "o" if mark == "x" else "x"
    if not moves and any(turned(n, text, other, square) for square in range(n * n)):
        return {n * n: text}
    return moves


@pytest.mark.parametrize("plies", range(7))
def test_games_count_as_published(plies: int) -> None:
    assert perft(othello_game().start(), plies) == PERFT[plies]


@pytest.mark.slow
def test_games_of_seven_plies_count_as_published() -> None:
    assert perft(othello_game().start(), 7) == PERFT[7]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "games"), [(4, 60), (6, 12), (8, 5), (10, 1)])
def test_random_games_are_those_of_a_grid_of_letters(n: int, games: int) -> None:
    game, rng, passes = othello_game(n), random.Random(n), 0
    for _ in range(games):
        position, mark = game.start(), "x"
        while moves := naive(n, text := str(position).split()[0], mark):
            assert position.to_move.letter == mark
            assert position.legal_moves() == tuple(moves)
            assert position.outcome() is None
            assert game.parse(str(position)) == position
            move = rng.choice(list(moves))
            position, mark = position.play(move), "o" if mark == "x" else "x"
            assert str(position).split()[0] == moves[move]
            passes += move == n * n
        more = text.count("x") - text.count("o")
        winner = Side.FIRST if more > 0 else Side.SECOND if more else None
        assert position.legal_moves() == ()
        assert position.outcome() is not None
        assert position.outcome().winner == winner  # type: ignore[union-attr]
    assert passes or n == 10


@cache
def best(text: str, mark: str) -> int:
    """Return the sign of x's result on 4 by 4 squares with perfect play."""
    moves = naive(4, text, mark)
    if not moves:
        more = text.count("x") - text.count("o")
        return (more > 0) - (more < 0)
    results = [best(after, "o" if mark == "x" else "x") for after in moves.values()]
    return max(results) if mark == "x" else min(results)


@pytest.mark.slow
def test_the_second_side_wins_on_4_by_4_squares_whatever_opens() -> None:
    start = othello_game(4).start()
    assert best(str(start).split()[0], "x") == -1
    search = Search(decay=False)
    value, moves = search.best_moves(start, start.game.max_plies)
    assert (value, moves) == (-1, start.legal_moves())


def passing() -> Position:
    """Return a position on 4 by 4 squares in which the side to move has to pass."""
    rng = random.Random(1)
    while True:
        position: Position = othello_game(4).start()
        while position.outcome() is None:
            if position.legal_moves() == (16,):
                return position
            position = position.play(rng.choice(position.legal_moves()))


def test_a_pass_is_a_move_where_there_is_no_other() -> None:
    position = passing()
    game, side = position.game, position.to_move
    assert game.format_move(16) == "pass"
    after = position.play(game.parse_move("pass"))
    assert (after.to_move, after.ply) == (side.other, position.ply + 1)
    assert after.legal_moves() != (16,)
    for illegal in (0, -1, 17, 2**64):
        with pytest.raises(IllegalMove):
            position.play(illegal)
    with pytest.raises(IllegalMove):
        after.play(16)


def test_passes_are_told_apart_by_their_number() -> None:
    game = othello_game(4)
    board = "_x__oxx__ox_____"  # 6 discs
    moved, passed = game.parse(f"{board} x"), game.parse(f"{board} x 2")
    assert (moved.ply, passed.ply) == (2, 4)
    assert moved != passed
    assert str(passed) == f"{board} x 2"
    assert game.parse("_X.. OXX. .OX. .... o").passes == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "_" * 16,
        "_" * 16 + " x",
        "_x__oxx__ox_____ x 1",
        "_x__oxx__ox_____ x 4",
        "_x__oxx__ox____ x",
        "_x__oxx__ox_____ x " + "9" * 5000,
    ],
)
def test_a_refusal_names_what_is_wrong(text: str, wording: Wording) -> None:
    with wording.raises(PositionError):
        othello_game(4).parse(text)


def test_a_picture_has_letters_above_and_numbers_beside() -> None:
    game = othello_game(4)
    assert game.start().play(game.parse_move("b1")).picture().splitlines() == [
        "  a b c d",
        "1 . x . .",
        "2 . x x .",
        "3 . x o .",
        "4 . . . .",
    ]


@pytest.mark.parametrize("text", ["", "a0", "a5", "e1", "A1", "a01", "pass ", "a\u0661", "a" * 999])
def test_a_text_that_is_not_a_move_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(MoveError):
        othello_game(4).parse_move(text)


def test_a_board_is_named_by_its_size(catalogue: Catalogue, wording: Wording) -> None:
    assert catalogue.game("othello-8") is catalogue.game("othello") is othello_game()
    for n in (2, 5, 20):
        with wording.raises(UsageError, match="18"):
            catalogue.game(f"othello-{n}")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["othello-4", "othello-6"])
def test_the_contract_is_kept(name: str) -> None:
    assert testing.check_game(name).conforms


def test_a_game_of_players_ends_with_the_discs_counted() -> None:
    result = arena.fight("minimax:depth=1", "monkey", 3, game="othello-6", seed=1)
    assert result.total.games == 6
    assert result.total.wins > result.total.losses
    replay = arena.replay("othello-6/minimax:depth=1/monkey/1/1.1")
    discs = replay.pictures[-1].count("x") - replay.pictures[-1].count("o")
    expected = Outcome.FIRST_WINS if discs > 0 else Outcome.SECOND_WINS
    assert replay.outcome == expected.value
