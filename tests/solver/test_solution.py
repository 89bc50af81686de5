"""Solved games: against published values, and against other methods."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena.errors import Undecided, UsageError
from arena.game import Game, Position, Side
from arena.games.connect4 import connect_game
from arena.games.lines import line_game
from arena.games.mnk import mnk_game
from arena.games.search import Search
from arena.plugin.catalogue import Catalogue
from arena.proof.limit import Limit
from arena.solver import falling
from arena.solver.arrays import arrays_of
from arena.solver.falling import FallingSearch
from arena.solver.retrograde import Retrograde, unique
from arena.solver.solution import solve
from tests.golden import Wording
from tests.samples import few

#: The values of four in a row by columns and rows: Tromp, "John's connect four playground", and
#: Steininger, https://github.com/ChristopheSteininger/c4.
FOUR = {(4, 4): 0, (5, 4): 0, (4, 5): 0, (5, 5): 0, (6, 4): -1, (4, 6): 0, (6, 5): 0, (5, 6): 0}

#: The values of m,n,k games: van den Herik, Uiterwijk and van Rijswijck, "Games solved: now and in
#: the future", Artificial Intelligence 134, 2002, table 2.
MNK = {(3, 3, 3): 0, (4, 3, 3): 1, (4, 4, 3): 1, (4, 4, 4): 0, (4, 3, 4): 0}

#: The numbers of positions that can occur: Tromp, ibid.
POSITIONS = {
    (4, 4): 161_029,
    (4, 5): 1_706_255,
    (5, 4): 3_945_711,
    (5, 5): 69_763_700,
    (6, 4): 94_910_577,
}

SMALL = (
    mnk_game(3, 3, 3),
    mnk_game(3, 3, 3, misere=True),
    mnk_game(4, 3, 3),
    mnk_game(5, 2, 3, misere=True),
    connect_game(3, 4, 3),
    connect_game(4, 3, 3, misere=True),
    line_game("ell", "board 3 3\n1 2 4\n2 3 6\n4 7 8\n6 8 9\n1 5 9"),
    connect_game(4, 4, 4),
    connect_game(5, 3, 4),
)


def some_position(game: Game, rng: random.Random, plies: int) -> Position:
    """Return a position after at most so many random moves at which the game goes on."""
    position = game.start()
    for _ in range(plies):
        after = position.play(rng.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after
    return position


def searched(position: Position) -> tuple[int, int | None]:
    """Return the value and the plies to the end, by the search of players."""
    remaining = position.game.max_plies - position.ply
    worth, _ = Search().best_moves(position, remaining)
    return (worth > 0) - (worth < 0), remaining + 1 - abs(worth) if worth else None


@pytest.mark.slow
@pytest.mark.parametrize("game", few(SMALL, 7), ids=lambda game: game.name)
def test_every_method_finds_the_value_and_the_plies_of_a_players_search(game: Game) -> None:
    rng = random.Random(1)
    for _ in range(5):
        least = max(0, game.max_plies - 12)
        position = some_position(game, rng, rng.randrange(least, game.max_plies - 2))
        result = solve(position)
        assert (result.value, result.plies) == searched(position), str(position)


@pytest.mark.slow
@pytest.mark.parametrize("columns_and_rows", [(4, 4), (5, 4)])
def test_questions_and_the_values_of_all_positions_agree(columns_and_rows: tuple[int, int]) -> None:
    game, rng = connect_game(*columns_and_rows, 4), random.Random(2)
    for _ in range(10):
        position = some_position(game, rng, 9)
        remaining = game.max_plies - position.ply
        worth = int(Retrograde(position, Limit(10**7)).levels[0].scores[0])
        search = FallingSearch(position, compiles=False)
        wins = [search.wins(side) for side in (position.to_move, position.to_move.other)]
        assert wins == [worth > 0, worth < 0]
        for side, won in zip((position.to_move, position.to_move.other), wins, strict=True):
            if won:
                assert search.plies_to_win(side) == remaining + 1 - abs(worth)


@pytest.mark.slow
@pytest.mark.parametrize("columns_and_rows", few([((4, 4),), ((5, 4),), ((4, 5),)]))
def test_four_in_a_row_has_the_published_value(columns_and_rows: tuple[int, int]) -> None:
    start = connect_game(*columns_and_rows, 4).start()
    assert solve(start, plies=False).value == FOUR[columns_and_rows]


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.needs("numba")
@pytest.mark.parametrize("columns_and_rows", FOUR)
def test_compiled_questions_find_the_published_value(columns_and_rows: tuple[int, int]) -> None:
    start = connect_game(*columns_and_rows, 4).start()
    search = FallingSearch(start, compiles=True)
    wins = [search.wins(side) for side in Side]
    assert wins[0] - wins[1] == FOUR[columns_and_rows]


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.needs("numba")
def test_the_compiled_search_takes_the_same_steps_as_the_plain_one() -> None:
    rng = random.Random(3)
    for _ in range(10):
        position = some_position(connect_game(5, 5, 4), rng, 8)
        results = []
        for compiles in (False, True):
            search = FallingSearch(position, compiles=compiles)
            results.append([*(search.wins(side) for side in Side), search.nodes])
        assert results[0] == results[1]


@pytest.mark.slow
def test_each_attacker_has_a_table_of_at_most_256_megabytes() -> None:
    search = FallingSearch(connect_game(4, 4, 4).start(), compiles=False)
    assert not search.wins(Side.FIRST)
    assert len(search.account) == 1
    assert not search.wins(Side.SECOND)
    assert [line.rpartition("whether ")[2] for line in search.account] == [
        "the first side wins",
        "the second side wins",
    ]
    assert 8 << falling.MAX_TABLE == 256 << 20


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.needs("numba")
def test_connect_four_is_won_by_move_41() -> None:
    """Eight moves of a best game leave 33; docs/solve.md has the search from the start."""
    game = connect_game(7, 6, 4)
    position = game.start()
    for column in (4, 4, 4, 4, 4, 2, 2, 2):
        position = position.play(next(m for m in position.legal_moves() if m % 7 == column - 1))
    result = solve(position)
    assert (result.value, result.plies) == (1, 33)


@pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=[pytest.mark.slow] * (board[:2] == (4, 4))) for board in MNK],
)
def test_m_n_k_games_have_the_published_value(board: tuple[int, int, int]) -> None:
    assert solve(mnk_game(*board).start()).value == MNK[board]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "board",
    [
        (4, 4),
        *(pytest.param(board, marks=pytest.mark.slow) for board in [(4, 5), (5, 4)]),
        *(pytest.param(board, marks=pytest.mark.nightly) for board in [(5, 5), (6, 4)]),
    ],
)
def test_arrays_reach_the_published_number_of_positions(board: tuple[int, int]) -> None:
    game = connect_game(*board, 4)
    rules = arrays_of(game)
    assert rules is not None
    level, number = np.array([rules.key(game.start())], np.uint64), 0
    for ply in range(game.max_plies + 1):
        images = np.sort(np.stack([level, *rules.images(level)]), axis=0)
        number += len(level) + int((images[1:] != images[:-1]).sum())
        going = level[~rules.lined(level, 1 - ply % 2)]
        parts = [unique(rules.canonical(after)) for _, _, after in rules.after(going, ply % 2)]
        level = unique(np.concatenate(parts)) if parts else level[:0]
    assert number == POSITIONS[board]


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_arrays_know_the_rules_of_positions(game: Game) -> None:
    rules, rng = arrays_of(game), random.Random(4)
    assert rules is not None
    for _ in range(20):
        position = some_position(game, rng, game.max_plies)
        keys = np.array([rules.key(position)], np.uint64)
        after = {move: int(result[0]) for move, _, result in rules.after(keys, position.to_move)}
        plays = {move: position.play(move) for move in position.legal_moves()}
        assert after == {move: rules.key(one) for move, one in plays.items()}
        for move, one in plays.items():
            outcome = one.outcome()
            has_line = outcome is not None and outcome.winner is not None
            result = np.array([after[move]], np.uint64)
            assert bool(rules.lined(result, position.to_move)[0]) == has_line
        images = {rules.key(image) for image, _ in position.images()}
        assert {int(image[0]) for image in rules.images(keys)} == images
        if rules.dead(keys)[0]:
            assert searched(position) == (0, None)


@pytest.mark.parametrize("name", ["chess", "connect-9-9-4", "mnk-5-5-4", "othello", "hex-5"])
def test_a_game_that_is_too_large_is_refused_with_the_estimate(
    catalogue: Catalogue, name: str, wording: Wording
) -> None:
    with wording.raises(Undecided, match=r"illion|10\^18"):
        solve(catalogue.game(name).start())


def test_a_search_stops_at_its_bound(wording: Wording) -> None:
    with wording.raises(Undecided, match="500"):
        Retrograde(mnk_game(3, 3, 3).start(), Limit(500))


def test_a_game_that_is_over_is_not_solved(wording: Wording) -> None:
    with wording.raises(UsageError):
        solve(mnk_game(2, 1, 1).parse("x_"))


@pytest.mark.needs("open_spiel")
def test_a_search_without_transpositions_says_so_at_its_end(
    catalogue: Catalogue, wording: Wording
) -> None:
    start = catalogue.game("openspiel:nim").start()
    with wording.raises(Undecided):
        solve(start, max_positions=1000)


def test_a_search_with_transpositions_ends_without_that_word(
    catalogue: Catalogue, wording: Wording
) -> None:
    with wording.raises(Undecided, match="20"):
        solve(catalogue.game("nim").start(), max_positions=20)
