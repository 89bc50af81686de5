"""``arena move`` at games with luck and secrets."""

from __future__ import annotations

from fractions import Fraction

import pytest

import arena
from arena.errors import UsageError
from tests.conftest import Run
from tests.golden import Wording

KUHN, PIG = arena.get_game("kuhn"), arena.get_game("pig")


def test_a_players_strategy_is_exact_at_an_observation() -> None:
    report = arena.move("monkey", "0: K | pass bet", game="kuhn")
    assert report.moves == {"pass": Fraction(1, 2), "bet": Fraction(1, 2)}
    assert not report.values


def test_a_position_is_asked_for_what_its_seat_knows() -> None:
    position = KUHN.start()
    for _ in range(2):
        position = position.play(position.legal_moves()[0])
    assert arena.distribution("monkey", position, game=KUHN) == {
        move: Fraction(1, 2) for move in position.legal_moves()
    }


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("kuhn", "K bet"),
        ("kuhn", "0: K |"),
        ("kuhn", "2: K | pass bet"),
        ("kuhn", "0: K | check"),
        ("kuhn", ""),
        ("pig", "nothing"),
    ],
)
def test_what_no_player_is_asked_at_is_refused(
    run: Run, game: str, text: str, wording: Wording
) -> None:
    ran = run("move", "monkey", text, "--game", game)
    assert ran.code == 2
    wording(ran.err)


def test_chance_and_an_end_are_no_turns() -> None:
    with pytest.raises(UsageError, match="hance"):
        arena.distribution("monkey", KUHN.start(), game=KUHN)


@pytest.mark.parametrize(
    "name", ["kuhn", "pig", "phantom-mnk-2-2-2", "prisoners-dilemma-1", "mnk-2-2-2-x3"]
)
def test_no_position_of_such_a_game_has_a_value_as_text_or_as_an_object(
    name: str, wording: Wording
) -> None:
    game = arena.get_game(name)
    for position in (str(game.start()), game.start()):
        with wording.raises(UsageError, match=rf"'{name}'.*arena\.value"):
            arena.value(position, game=game)


@pytest.mark.parametrize("game", [KUHN, PIG])
def test_neither_is_such_a_position_solved(game: arena.Game) -> None:
    with pytest.raises(UsageError, match=f"'{game.name}'.*arena solve"):
        arena.solve(game, game.start())
    position = game.start()
    while position.to_move == arena.plugin.CHANCE:
        position = position.play(position.legal_moves()[0])
    assert not arena.move("monkey", position, game=game).values
