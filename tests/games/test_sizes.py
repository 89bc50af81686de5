"""The sizes and values of games in docs/games.md, by programs that know nothing of arena."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import arena
from arena.game import CHANCE, Position
from tests.games.sizes import Phantom, pig_chance
from tests.games.trees import count, value


def row(name: str) -> list[str]:
    """Return the cells of a game in the table "How large they are"."""
    page = (Path(__file__).parents[2] / "docs" / "games.md").read_text()
    table = page.partition("## How large they are")[2]
    [line] = [line for line in table.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


@pytest.mark.parametrize(
    "board",
    [(2, 2, 2), (3, 1, 2), (4, 1, 3), (3, 2, 2), pytest.param((3, 2, 3), marks=pytest.mark.slow)],
)
def test_a_phantom_game_is_as_large_as_its_rules_make_it(board: tuple[int, int, int]) -> None:
    game = arena.get_game("phantom-mnk-{}-{}-{}".format(*board))
    phantom = Phantom(*board)
    assert count(game) == (phantom.histories(), phantom.sets())


@pytest.mark.nightly
def test_phantom_tictactoe_is_as_large_as_the_docs_say() -> None:
    phantom = Phantom(3, 3, 3)
    histories, sets, _ = row("phantom-tictactoe")
    assert (int(histories), int(sets)) == (phantom.histories(), phantom.sets())


@pytest.mark.parametrize(
    "name",
    [
        *("phantom-mnk-2-2-2", "phantom-mnk-3-2-2"),
        pytest.param("phantom-mnk-3-2-3", marks=pytest.mark.nightly),
    ],
)
def test_the_docs_have_what_a_linear_program_finds_at_small_phantom_games(name: str) -> None:
    phantom = Phantom(*map(int, name.split("-")[2:]))
    histories, sets, worth = row(name)
    assert (int(histories), int(sets)) == (phantom.histories(), phantom.sets())
    assert value(arena.get_game(name)) == pytest.approx(float(Fraction(worth)), abs=1e-7)


def by_rules(goal: int) -> float:
    """Return the chance of the first side to win at pig by arena's rules.

    Moves so far make no difference, but that 10,000 end the game. A side that has the points holds.
    """
    start = arena.get_game(f"pig-{goal}").start()
    known: dict[Position, float] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position in known:
            continue
        known[position] = 0.5
        waiting += after(position)
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for position in known:
            better = chance_at(position, known)
            change = max(change, abs(better - known[position]))
            known[position] = better
    return known[start]


def after(position: Position) -> list[Position]:
    """Return the positions after each move, as if no move had been made before."""
    if position.outcome() is not None:
        return []
    moves = position.legal_moves()
    held = position.play(moves[0]) if position.to_move != CHANCE else None
    if held is not None and held.outcome() is not None:
        return [held]
    return [position.play(move)._replace(ply=0) for move in moves]  # type: ignore[attr-defined]


def chance_at(position: Position, known: dict[Position, float]) -> float:
    """Return the chance of the first side by those of what follows."""
    if position.outcome() is not None:
        payoffs = position.payoffs()
        assert payoffs is not None
        return float(payoffs[0])
    chances = [known[each] for each in after(position)]
    if position.to_move == CHANCE:
        assert len(chances) == 6
        return sum(chances) / 6
    return min(chances) if position.to_move else max(chances)


@pytest.mark.slow
@pytest.mark.parametrize("goal", [2, 5, 10])
def test_pig_has_the_value_that_an_iteration_finds(goal: int) -> None:
    assert by_rules(goal) == pytest.approx(pig_chance(goal), abs=1e-9)


@pytest.mark.slow
def test_the_docs_have_the_published_chance_of_the_first_side_at_pig() -> None:
    assert row("pig")[-1] == "0.5306"
    assert pig_chance(100, exact=1e-8) == pytest.approx(0.5306, abs=5e-5)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_prisoners_dilemma_has_a_tree_of_four_for_every_round(rounds: int) -> None:
    game = arena.get_game(f"prisoners-dilemma-{rounds}")
    assert count(game) == (2 * 4**rounds - 1, 2 * (4**rounds - 1) // 3)
    if rounds == 2:
        assert row("prisoners-dilemma-2")[:2] == ["31", "10"]


def test_nothing_pays_more_than_to_defect_against_a_side_that_does() -> None:
    game = arena.get_game("prisoners-dilemma-2")
    paid = {}
    for own in product(("cooperate", "defect"), repeat=2):
        payoffs = game.parse(" ".join(f"{word} defect" for word in own)).payoffs()
        assert payoffs is not None
        paid[own] = payoffs[0]
    assert max(paid, key=lambda own: paid[own]) == ("defect", "defect")
    assert row("prisoners-dilemma-2")[-1] == f"{paid['defect', 'defect']}, both defect"
