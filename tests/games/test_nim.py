"""Nim, against Bouton's theory: who faces heaps whose nim-sum is 0 loses."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

import arena
from arena import testing
from arena.errors import IllegalMove, MoveError, PositionError, UsageError
from arena.game import Outcome
from arena.games.nim import Nim, nim_game
from arena.plugin.catalogue import Catalogue
from arena.proof.values import move_values
from tests.boards import every_position, to_move
from tests.golden import Wording


@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 2, 3), (2, 2), (7,)], ids=str)
def test_exactly_the_moves_to_a_nim_sum_of_zero_win(heaps: tuple[int, ...]) -> None:
    game = nim_game(*heaps)
    for position in to_move(game.start())[::3]:
        for move, value in move_values(position).items():
            wins = reduce(xor, position.play(move).heaps) == 0
            assert (value > 0) == wins, (position, game.format_move(move))


def test_every_position_is_read_back_and_each_move_takes_from_a_heap() -> None:
    game = nim_game()
    for position in every_position(game.start()):
        assert game.parse(str(position)) == position
        assert len(position.legal_moves()) == sum(position.heaps)
        for move in position.legal_moves():
            after = position.play(game.parse_move(game.format_move(move)))
            assert sum(a != b for a, b in zip(position.heaps, after.heaps, strict=True)) == 1


def test_minimax_beats_everybody_from_the_usual_heaps() -> None:
    result = arena.exact("minimax", "monkey", game="nim")
    assert result.first.win == 1


def test_the_last_counter_wins() -> None:
    position = nim_game(1, 1).start()
    assert position.play(1).play(101).outcome() is Outcome.SECOND_WINS
    assert nim_game(2).start().play(2).outcome() is Outcome.FIRST_WINS


@pytest.mark.parametrize("move", [0, -1, 4, 100, 301, 2**64, -(2**64)])
def test_a_number_that_is_not_a_move_is_illegal(move: int) -> None:
    with pytest.raises(IllegalMove):
        nim_game(3, 3, 3).start().play(move)


@pytest.mark.parametrize("text", ["", "a", "a0", "d1", "A1", "a1 ", "1", "a\u0661", "a100"])
def test_a_text_that_is_not_a_move_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(MoveError):
        nim_game().parse_move(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3-4-5",
        "3-4@1",
        "4-4-5@0",
        "2-4-4@1",
        "2-4-5@2",
        "9" * 5000 + "@0",
    ],
)
def test_a_refusal_names_what_is_wrong(text: str, wording: Wording) -> None:
    with wording.raises(PositionError):
        nim_game().parse(text)


def test_heaps_name_the_game(catalogue: Catalogue, wording: Wording) -> None:
    assert catalogue.game("nim-3-4-5") is catalogue.game("nim") is nim_game()
    assert nim_game(1, 2).name == "nim-1-2"
    assert isinstance(nim_game(1, 2), Nim)
    for name in ("nim-0-1-1", "nim-1-1-100"):
        with wording.raises(UsageError, match="99"):
            catalogue.game(name)


@pytest.mark.slow
def test_the_contract_is_kept() -> None:
    assert testing.check_game("nim").conforms
