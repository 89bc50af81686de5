"""Check the player's promises with the arena's public functions alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

import arena


def test_it_is_listed_under_its_name_and_distribution() -> None:
    player = arena.get_player("corner")
    assert (player.package, player.version) == ("arena-corner", "1.0")


def test_it_starts_in_each_corner_equally_often() -> None:
    moves = arena.distribution("corner", "_________")
    assert moves == {0: Fraction(1, 4), 2: Fraction(1, 4), 6: Fraction(1, 4), 8: Fraction(1, 4)}


def test_wherever_a_game_can_get_to_it_takes_a_free_corner_or_else_any_legal_square() -> None:
    player = arena.get_player("corner")
    for position in every_position(arena.get_game("tictactoe").start()):
        legal = position.legal_moves()
        wanted = [square for square in (0, 2, 6, 8) if square in legal] or legal
        chances = dict.fromkeys(wanted, Fraction(1, len(wanted)))
        assert arena.distribution(player, position) == chances


@pytest.mark.parametrize("game", ["tictactoe", "tictactoe-4", "mnk-5-2-3", "mnk-1-1-1"])
def test_it_never_forfeits_a_game(game: str) -> None:
    result = arena.fight("corner", "monkey", n=20, game=game, seed=1)
    assert result.total.games == 40
    assert result.a.forfeits == result.b.forfeits == {}


def test_it_does_not_play_what_has_no_corners() -> None:
    with pytest.raises(arena.ArenaError, match="corner does not play connect4"):
        arena.fight("corner", "monkey", n=1, game="connect4")


def test_the_same_seed_gives_the_same_fight() -> None:
    fights = [arena.fight("corner", "monkey", n=20, seed=seed) for seed in (1, 1, 2)]
    assert fights[0] == fights[1] != fights[2]


def every_position(position: arena.Position) -> Iterator[arena.Position]:
    """Yield this position and all later ones with a move to make."""
    seen = {position}
    ahead = [position]
    while ahead:
        position = ahead.pop()
        if position.outcome() is None:
            yield position
        after = {position.play(move) for move in position.legal_moves()} - seen
        seen |= after
        ahead.extend(after)


def test_it_is_at_least_as_strong_as_a_monkey(at_least_as_strong_as: Callable[..., None]) -> None:
    """Compare exactly; the fixture comes with arena."""
    at_least_as_strong_as("corner", "monkey")
