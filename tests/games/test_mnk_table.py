"""m,n,k games for more than two, against rules of their own on rows of letters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.errors import IllegalMove, MoveError, PositionError, UsageError
from arena.game import Outcome
from arena.games.mnk_table import MnkTablePosition, mnk_table_game
from arena.seats import SEAT_LETTERS
from tests.golden import Wording

GAMES = [(3, 3, 3, 3), (4, 3, 3, 3), (4, 4, 3, 5), (5, 5, 4, 4), (6, 3, 3, 8)]


def has_line(marks: str, letter: str, columns: int, rows: int, k: int) -> bool:
    """Return whether a text of marks, row by row, has k of a letter in a row."""
    mine = {(i % columns, i // columns) for i, mark in enumerate(marks) if mark == letter}
    return any(
        all((x + step * right, y + step * down) in mine for step in range(k))
        for x, y in mine
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def paid_by(
    marks: str, size: tuple[int, int, int, int], gone: Sequence[int]
) -> tuple[Fraction, ...] | None:
    """Return the payoffs by the rules, None while the game goes on."""
    columns, rows, k, seats = size
    here = [seat for seat in range(seats) if seat not in gone]
    winners = [s for s in range(seats) if has_line(marks, SEAT_LETTERS[s], columns, rows, k)]
    if not winners and (len(here) == 1 or "_" not in marks):
        winners = here
    if not winners:
        return None
    return tuple(Fraction(seat in winners, len(winners)) for seat in range(seats))


@pytest.mark.parametrize("size", GAMES, ids=lambda size: "-".join(map(str, size)))
def test_random_games_end_and_pay_by_the_rules(size: tuple[int, int, int, int]) -> None:
    game, rng = mnk_table_game(*size), random.Random(str(size))
    wins = 0
    for _ in range(40):
        position, mover, gone = game.start(), 0, list[int]()
        while position.payoffs() is None:
            if rng.random() < 0.03 and len(gone) < size[-1] - 1:
                seat = rng.choice([seat for seat in range(size[-1]) if seat not in gone])
                gone.append(seat)
                position = position.without(seat)
            else:
                assert position.to_move == mover
                position = position.play(rng.choice(position.legal_moves()))
                mover = (mover + 1) % size[-1]
            while mover in gone:
                mover = (mover + 1) % size[-1]
            assert position.payoffs() == paid_by(str(position).split(":")[0], size, gone)
            assert game.parse(str(position)) == position
        assert (position.outcome(), position.legal_moves()) == (Outcome.OVER, ())
        assert sum(position.payoffs() or ()) == 1
        wins += max(position.payoffs() or ()) == 1
    assert wins, "some games were won"


def test_images_have_the_same_payoffs_and_one_canonical_position() -> None:
    game, rng = mnk_table_game(4, 4, 3, 3), random.Random(1)
    for _ in range(20):
        position = game.start()
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
            images = [image for image, _ in position.images()]
            assert len(images) == 7
            assert {image.payoffs() for image in images} == {position.payoffs()}
            assert {image.canonical() for image in images} == {position.canonical()}


def test_no_move_is_made_on_a_taken_square_off_the_board_or_after_the_end() -> None:
    game = mnk_table_game(3, 3, 3, 3)
    position = game.start().play(4)
    over = game.parse("xxxoo_zz_")
    for at, move in ((position, 4), (position, 9), (position, -1), (over, 5)):
        with pytest.raises(IllegalMove):
            at.play(move)


def test_who_leaves_last_leaves_nobody_and_all_share() -> None:
    position: MnkTablePosition = mnk_table_game(3, 3, 3, 3).start()
    for seat in range(3):
        position = position.without(seat)
    assert position.payoffs() == (Fraction(1, 3),) * 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "xoz",
        "xoz______!",
        "w________",
        "xx_______",
        "_o_______",
        "xxxooozzz",
        "_________:",
        "_________:x",
        "_________:w-x",
        "_________:x-",
        "_________:xo-z",
        "_________:x-x",
        "_________:x-w",
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(PositionError):
        mnk_table_game(3, 3, 3, 3).parse(text)


@pytest.mark.parametrize("text", ["0", "10", "a1", "²", "-1", "", "9" * 5000])
def test_a_text_that_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(MoveError):
        mnk_table_game(3, 3, 3, 3).parse_move(text)


@pytest.mark.parametrize("name", ["mnk-3-3-3-x2", "mnk-3-3-3-x9", "mnk-99-3-3-x3", "mnk-3-3-4-x3"])
def test_a_size_that_is_not_played_is_refused(name: str, wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.get_game(name)


@pytest.mark.slow
def test_the_contract_is_kept() -> None:
    checked: Any = arena.check_game("mnk-3-2-2-x3", seed=1)
    assert checked.conforms, str(checked)
