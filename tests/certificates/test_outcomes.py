"""Exact results in arrays, and by positions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.certificates.outcomes import exact_result
from arena.errors import CannotEnumerate, Undecided
from arena.features.exact.pairings import fits_arrays
from arena.proof.limit import Limit
from arena.proof.outcome import exact_result as exact_by_positions
from arena.proof.policy import Policy
from tests.golden import Wording


def any_move(position: arena.Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def any_moves(positions: Any, rng: Any) -> Any:
    return rng.choice(positions.legal)


def last_move(position: arena.Position, rng: random.Random) -> int:
    return position.legal_moves()[-1]


def last_moves(positions: Any, rng: Any) -> Any:
    return positions.legal.shape[1] - 1 - positions.legal[:, ::-1].argmax(axis=1)


def two_draws(position: arena.Position, rng: random.Random) -> int:
    """Make the first move with a probability of its own: moves are not alike."""
    moves = position.legal_moves()
    return moves[0] if rng.choice((True, False, False)) else rng.choice(moves)


def odd(position: arena.Position, rng: random.Random) -> int:
    raise AssertionError("it is not asked")


def declared(position: arena.Position) -> dict[int, Fraction]:
    """Make the last move three times out of four where there are several."""
    moves = position.legal_moves()
    return (
        {moves[0]: Fraction(1)}
        if len(moves) == 1
        else dict(zip((moves[0], moves[-1]), (Fraction(1, 4), Fraction(3, 4)), strict=True))
    )


PLAYERS = (
    arena.PlayerInfo("any", any_move, choose_batch=any_moves),
    arena.PlayerInfo("last", last_move, choose_batch=last_moves),
    arena.PlayerInfo("two draws", two_draws),
    arena.PlayerInfo("declared", odd, distribution=declared),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("connect-3-3-3", PLAYERS[:2]),
        ("mnk-3-2-2-misere", PLAYERS),
        *((name, PLAYERS[:2]) for name in ("tictactoe", "tictactoe-misere")),
        *((name, PLAYERS) for name in ("mnk-4-2-2", "connect-3-2-2")),
    ],
)
def test_results_in_arrays_and_by_positions_agree(
    name: str, players: tuple[arena.PlayerInfo, ...]
) -> None:
    game = arena.get_game(name)
    for a, b in combinations_with_replacement(players, 2):
        assert fits_arrays(game, (a, b))
        result = exact_result(game, a, b, Limit(10**6))
        assert result == exact_by_positions(Policy(a, game), Policy(b, game))


def test_a_limit_ends_it(wording: Wording) -> None:
    game, player = arena.get_game("tictactoe"), PLAYERS[0]
    with wording.raises(Undecided, match="1,000"):
        exact_result(game, player, player, Limit(1000))


@pytest.mark.slow
def test_a_named_player_is_asked_in_one_process_of_its_own() -> None:
    result = arena.exact("lines", "lines", max_positions=1_000_001)
    assert result == arena.exact("lines", "lines")


def test_a_denominator_that_does_not_fit_is_refused(wording: Wording) -> None:
    def tiny(position: arena.Position) -> dict[int, Fraction]:
        first, second = position.legal_moves()[:2]
        return {first: Fraction(1, 2**31), second: Fraction(2**31 - 1, 2**31)}

    game, player = arena.get_game("tictactoe"), arena.PlayerInfo("tiny", odd, distribution=tiny)
    with wording.raises(CannotEnumerate, match="_________"):
        exact_result(game, player, player, Limit(10**6))


def test_a_player_that_draws_elsewhere_is_named_with_the_position(wording: Wording) -> None:
    def elsewhere(position: arena.Position, rng: random.Random) -> int:
        if position.ply:
            random.random()
        return position.legal_moves()[-1]

    player = arena.PlayerInfo("elsewhere", elsewhere)
    with wording.raises(CannotEnumerate, match="________x"):
        exact_result(arena.get_game("tictactoe"), player, player, Limit(10**6))


def test_a_large_pairing_is_calculated_in_arrays_and_one_of_files_is_not(tmp_path: Path) -> None:
    game, (monkey, lines) = arena.get_game("tictactoe"), map(arena.get_player, ("monkey", "lines"))
    file = tmp_path / "bot.py"
    file.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    assert fits_arrays(game, (monkey, lines))
    assert not fits_arrays(game, (monkey, arena.get_player(str(file))))
    assert not fits_arrays(arena.get_game("nim"), (monkey, monkey))


@pytest.mark.slow
def test_a_monkey_is_exact_in_arrays_as_by_merged_positions() -> None:
    result = arena.exact("monkey", "lines", game="mnk-5-2-3", max_positions=1_000_001)
    assert result == arena.exact("monkey", "lines", game="mnk-5-2-3")


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_players_that_offer_choose_batch_are_exact_at_four_by_four() -> None:
    result = arena.exact(PLAYERS[0], "lines", game="mnk-4-4-4", max_positions=12_000_000)
    for chances in (result.first, result.second):
        assert chances.win + chances.draw + chances.loss == 1
    assert result.total.loss > result.total.win
