"""Early draws, compared with playing everything out over words of letters."""

from __future__ import annotations

from functools import cache

import pytest

from arena.errors import CannotEnumerate
from arena.features.check.questions import reachable
from arena.game import Position
from arena.games.board import squares_of
from arena.games.connect4 import CONNECT4
from arena.games.lines import VARIANTS, variant
from arena.games.mnk import MnkGame, mnk_game
from arena.proof.draws import is_certain_draw
from tests.golden import Wording
from tests.samples import few

GAMES = [mnk_game(3, 3, 3), mnk_game(4, 2, 3), *map(variant, VARIANTS)]


@pytest.mark.parametrize("game", few(GAMES, 3), ids=lambda game: game.name)
def test_in_every_position_it_is_what_playing_everything_out_says(game: MnkGame) -> None:
    lines = [squares_of(line) for line in game.lines]

    @cache
    def nobody_wins(text: str) -> bool:
        if any(text[line[0]] != "_" and len({text[s] for s in line}) == 1 for line in lines):
            return False
        mark = "o" if text.count("x") > text.count("o") else "x"
        free = [s for s, letter in enumerate(text) if letter == "_"]
        return all(nobody_wins(text[:s] + mark + text[s + 1 :]) for s in free)

    positions = reachable(game, 10_000)
    assert positions is not None
    for position in positions:
        assert isinstance(position, Position)
        result = is_certain_draw(position)
        assert result == nobody_wins(str(position)), str(position)
        assert result or not position.is_dead_draw()


def test_the_board_of_the_book_is_seen_to_be_a_tie_by_its_lines() -> None:
    assert mnk_game(3, 3, 3).parse("oxo/oxx/xo_").is_dead_draw()


def test_a_won_game_is_no_draw_and_a_drawn_one_is() -> None:
    game = mnk_game(3, 3, 3)
    assert not is_certain_draw(game.parse("xxxoo____"))
    drawn = game.parse("xoxxoxoxo")
    assert is_certain_draw(drawn)
    assert drawn.is_dead_draw()


def test_it_goes_for_any_game_and_a_board_without_room_for_a_line() -> None:
    assert not is_certain_draw(CONNECT4.start())
    assert not CONNECT4.start().is_dead_draw()
    # Only the one row of this board is long enough; both sides are in the way of all its lines.
    assert mnk_game(5, 1, 4).parse("_xo__").is_dead_draw()


def test_it_gives_up_when_there_is_too_much_to_look_at(wording: Wording) -> None:
    position = mnk_game(3, 3, 3).parse("_xoxo____")
    with wording.raises(CannotEnumerate):
        is_certain_draw(mnk_game(3, 3, 3).parse("_oo/oxx/xx_"), budget=1)
    assert not is_certain_draw(position, budget=100)
