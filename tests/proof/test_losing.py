"""The shortest games that a player loses, against a plain search of all games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import arena
from arena.game import WIN_FOR, Position, Side
from arena.plugin.catalogue import Catalogue
from arena.proof import losing
from arena.proof.policy import Policy
from arena.proof.values import given_away
from arena.records.proofs import LosingLine

PAIRINGS = (("minimax", "monkey"), ("monkey", "monkey"))


def lost_games(
    policies: tuple[Policy, Policy], position: Position, loser: Side, moves: int = 0
) -> Iterator[int]:
    """Yield the moves of every game that a side loses; this shares no code with the search."""
    outcome = position.outcome()
    if outcome == WIN_FOR[loser.other]:
        yield moves
    if outcome is None:
        for move in policies[position.to_move](position):
            yield from lost_games(policies, position.play(move), loser, moves + 1)


@pytest.mark.parametrize(("a", "b"), PAIRINGS)
def test_no_lost_game_is_shorter(catalogue: Catalogue, a: str, b: str) -> None:
    game = arena.get_game("mnk-3-2-2")
    result = arena.exact(a, b, game=game)
    one, other = (Policy(catalogue.player(name), game) for name in (a, b))
    answer = {(line.player, line.side): line for line in result.losing_lines}
    assert len(answer) == len(result.losing_lines)
    for swapped in (False, True):
        policies = (other, one) if swapped else (one, other)
        names = result.players[::-1] if swapped else result.players
        for side in Side:
            shortest = min(lost_games(policies, game.start(), side), default=None)
            line = answer.get((names[side], side.name.lower()))
            assert (line and len(line.moves)) == shortest
            if line:
                require_lost(line, game.start(), policies, side)


def require_lost(
    line: LosingLine, position: Position, policies: tuple[Policy, Policy], loser: Side
) -> None:
    """Check that the players may make these moves, and that the side loses."""
    for step in line.moves:
        move = position.game.parse_move(step.move)
        assert policies[position.to_move](position)[move] > 0
        assert step.by_player == (position.to_move == loser)
        assert step.gave_away == given_away(position, move)
        position = position.play(move)
        assert step.svg == position.svg(last=move)
    assert position.outcome() == WIN_FOR[loser.other]


@pytest.mark.slow
def test_a_line_begins_from_an_opening() -> None:
    result = arena.exact("triples", "monkey", openings="all:1")
    for line in result.losing_lines:
        assert line.opening.count("x") == 1
        assert line.as_json()["opening"] == line.opening
    assert "monkey" in {line.player for line in result.losing_lines}


@pytest.mark.slow
def test_a_long_search_finds_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losing, "MAX_LOSS_POSITIONS", 10)
    assert arena.exact("monkey", "tictactoe3").losing_lines == ()
