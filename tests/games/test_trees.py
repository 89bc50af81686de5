"""Games with luck and secrets: their trees, their values, and OpenSpiel's at every history."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.game import CHANCE, Outcome, Position
from tests.games.trees import count, value

#: Histories and information sets: Kuhn's by hand, those of Leduc and liar's dice as papers have
#: them (Lanctot, "Monte Carlo sampling and regret minimization", 2013, has 24,576 and 936 sets).
COUNTS = [
    ("kuhn", 58, 12),
    ("leduc", 9_457, 936),
    ("liars-dice-1-2", 1 + 2 + 4 * 31, 32),
    ("liars-dice-1-3", 1 + 3 + 9 * 127, 3 * 64),
    ("liars-dice-1-6", 1 + 6 + 36 * 8_191, 24_576),
    ("rock-paper-scissors", 13, 2),
    ("rock-paper-scissors-2", 121, 20),
    ("prisoners-dilemma-2", 31, 10),
    ("prisoners-dilemma-1-noise-5", 31, 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "histories", "sets"), COUNTS)
def test_its_tree_has_the_size_that_it_should(name: str, histories: int, sets: int) -> None:
    assert count(arena.get_game(name)) == (histories, sets)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "worth", "digits"),
    [
        ("kuhn", -1 / 18, 12),
        ("leduc", -0.0856, 4),
        ("rock-paper-scissors-2", 0, 12),
    ],
)
def test_its_value_by_a_linear_program_is_that_of_the_literature(
    name: str, worth: float, digits: int
) -> None:
    assert round(value(arena.get_game(name)) - worth, digits) == 0


@pytest.mark.parametrize(
    ("name", "worth"),
    [
        ("liars-dice-1-2", Fraction(1, 2)),
        ("liars-dice-1-3", Fraction(1, 9)),
        ("liars-dice-1-4", Fraction(1, 16)),
        ("liars-dice-2-2", Fraction(7, 8)),
        pytest.param("liars-dice-1-6", Fraction(-7, 258), marks=pytest.mark.nightly),
    ],
)
def test_the_values_of_liars_dice_in_the_docs(name: str, worth: Fraction) -> None:
    assert value(arena.get_game(name)) == pytest.approx(float(worth), abs=1e-9)
    row = f"| {name} |"
    page = (Path(__file__).parents[2] / "docs" / "games.md").read_text()
    assert f"| {worth} |" in page.split(row)[1].splitlines()[0]


#: Games of arena, and the same ones of OpenSpiel.
TWINS = [
    ("kuhn", "kuhn_poker"),
    ("leduc", "leduc_poker"),
    ("liars-dice-1-3", "liars_dice(numdice=1,dice_sides=3)"),
    ("liars-dice-1-4", "liars_dice(numdice=1,dice_sides=4)"),
]


@pytest.mark.needs("open_spiel")
@pytest.mark.parametrize(("ours", "theirs"), TWINS)
def test_it_is_openspiels_game_at_every_history(ours: str, theirs: str) -> None:
    import pyspiel

    sets: dict[Any, str] = {}

    def compare(position: Position, state: Any) -> int:
        payoffs = position.payoffs()
        assert (payoffs is not None) == state.is_terminal()
        if payoffs is not None:
            assert list(payoffs) == state.returns()
            return 1
        moves = state.legal_actions()
        assert len(position.legal_moves()) == len(moves)
        if position.to_move == CHANCE:
            assert state.is_chance_node()
            shares = [float(share) for _, share in position.chance_moves()]
            assert shares == pytest.approx([share for _, share in state.chance_outcomes()])
        else:
            assert position.to_move == state.current_player()
            text = state.information_state_string(state.current_player())
            assert sets.setdefault(position.observation(position.to_move), text) == text
        pairs = zip(position.legal_moves(), moves, strict=True)
        return 1 + sum(compare(position.play(own), state.child(move)) for own, move in pairs)

    game = arena.get_game(ours)
    assert compare(game.start(), pyspiel.load_game(theirs).new_initial_state()) > 50
    assert len({*sets.values()}) == len(sets) == count(game)[1]


@pytest.mark.needs("open_spiel")
def test_phantom_tictactoe_is_openspiels_along_random_games() -> None:
    """A score of 1, 1/2, 0 is 1, 0, -1 there. Both tell situations apart in the same way."""
    import pyspiel

    theirs, rng = pyspiel.load_game("phantom_ttt"), random.Random(1)
    ours: dict[Any, str] = {}
    for _ in range(500):
        position, state = arena.get_game("phantom-tictactoe").start(), theirs.new_initial_state()
        while not state.is_terminal():
            side = position.to_move
            assert (side, list(position.legal_moves())) == (
                state.current_player(),
                state.legal_actions(),
            )
            text = f"{side:d} {state.information_state_string(side)}"
            assert ours.setdefault(position.observation(side), text) == text
            move = rng.choice(position.legal_moves())
            position = position.play(move)
            state.apply_action(move)
        payoffs = position.payoffs()
        assert payoffs is not None
        assert [2 * payoff - 1 for payoff in payoffs] == state.returns()
    assert len({*ours.values()}) == len(ours)


def test_noise_turns_what_a_side_meant_to_play_and_both_see_what_was_played() -> None:
    position = arena.get_game("prisoners-dilemma-2-noise-5").start()
    for word in ("cooperate", "defect", "turns", "stands"):
        before = position
        position = position.play(position.game.parse_move(word))
    assert str(before.observation(0)) == "0: cooperate |"
    assert str(before.observation(1)) == "1: defect |"
    assert str(position.observation(0)) == "0: cooperate defect defect | cooperate defect"
    assert str(position.observation(1)) == "1: defect defect defect |"
    assert dict(before.chance_moves()) == {2: Fraction(19, 20), 3: Fraction(1, 20)}


def test_payoffs_of_the_dilemma_are_those_of_its_name() -> None:
    game = arena.get_game("prisoners-dilemma-2-6-4-2-1")
    ended = game.parse("cooperate defect defect defect")
    assert ended.payoffs() == (Fraction(3), Fraction(8))
    assert arena.get_game("prisoners-dilemma-2-5-3-1-0").name == "prisoners-dilemma-2"


def test_a_call_shows_all_dice_and_the_highest_face_counts_as_every_face() -> None:
    game = arena.get_game("liars-dice-2-6")
    true = game.parse("hand-3-6 hand-1-2 2x3 liar")
    false = game.parse("hand-3-6 hand-1-2 2x3 3x3 liar")
    wild = game.parse("hand-3-6 hand-1-2 2x6 liar")
    winners = [ended.outcome() for ended in (true, false, wild)]
    assert winners == [Outcome.FIRST_WINS, Outcome.FIRST_WINS, Outcome.SECOND_WINS]
    assert sum(share for _, share in game.start().chance_moves()) == 1
    assert dict(game.start().chance_moves())[game.parse_move("hand-3-6")] == Fraction(2, 36)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("liars-dice-0-6", "0.* 1.* 5"),
        ("liars-dice-1-1", "1.* 2.* 10"),
        ("prisoners-dilemma-0", "0.* 1.* 1000"),
        ("prisoners-dilemma-5-noise-51", "51.* 0.* 50"),
        ("prisoners-dilemma-5-1-2-3-4", "1-2-3-4"),
        ("prisoners-dilemma-5-9-4-1-0", "9-4-1-0"),
    ],
)
def test_numbers_that_make_no_game_are_refused_in_one_sentence(name: str, problem: str) -> None:
    with pytest.raises(arena.UsageError, match=problem):
        arena.get_game(name)
