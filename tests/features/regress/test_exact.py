"""Policies compared without games: what changed, and the mistakes that are new."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.features.regress.exact import MAX_EXAMPLES, compare_policies
from arena.features.regress.policies import PolicyTable, tabulate
from arena.features.regress.record import RegressionVerdict
from arena.game import Position
from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.proof.policy import Policy
from arena.proof.values import given_away
from tests.simple import anything, last, lowest

GAME = mnk_game(3, 2, 3)


def table_of(player: object) -> PolicyTable:
    return tabulate(Policy(PlayerInfo("p", player), GAME), GAME, 10_000)  # type: ignore[arg-type]


def changed_in(old: PolicyTable, new: PolicyTable) -> list[Position]:
    return [position for position in new if old.get(position, new[position]) != new[position]]


@pytest.mark.slow
def test_the_positions_with_a_new_mistake_are_shown_first() -> None:
    before, after = table_of(last), table_of(lowest)
    for old, new in ((before, after), (after, before)):
        comparison = compare_policies("p", GAME, old, new, {"monkey": table_of(anything)})
        assert comparison.changed == len(changed_in(old, new)) > 0
        assert 0 < len(comparison.examples) <= MAX_EXAMPLES
        has_mistake = [bool(example.mistakes) for example in comparison.examples]
        assert has_mistake == sorted(has_mistake, reverse=True)
        mistaken = {
            str(position)
            for position in changed_in(old, new)
            if any(given_away(position, move) for move in new[position])
        }
        assert has_mistake == [
            index < len(mistaken) for index in range(len(comparison.examples))
        ], "as many as there are"
        for example in comparison.examples:
            assert (example.position in mistaken) == bool(example.mistakes)
            for move in example.mistakes:
                assert example.after[move] > example.before.get(move, 0)


def test_a_late_mistake_is_shown_before_an_early_change() -> None:
    """The mistake is not a move of before, or was a less likely one."""
    table = table_of(anything)
    turns = {position: [*moves] for position, moves in table.items() if len(moves) > 1}
    bad = {
        position: next((move for move in moves if given_away(position, move)), None)
        for position, moves in turns.items()
    }
    early = next(p for p in turns if bad[p] is None)
    late, mistake = next(
        (p, move) for p, move in bad.items() if move is not None and p.ply > early.ply
    )
    good = next(move for move in turns[late] if not given_away(late, move))
    for before in (table, {**table, late: {good: Fraction(1)}}):
        after = {**table, early: {turns[early][0]: Fraction(1)}, late: {mistake: Fraction(1)}}
        comparison = compare_policies("p", GAME, before, after, {"monkey": table})
        assert [example.position for example in comparison.examples] == [str(late), str(early)]
        assert [list(example.mistakes) for example in comparison.examples] == [
            [GAME.format_move(mistake)],
            [],
        ]


def test_a_move_that_was_as_likely_before_is_not_a_new_mistake() -> None:
    table = table_of(anything)
    comparison = compare_policies("p", GAME, table, table_of(lowest), {"monkey": table})
    for example in comparison.examples:
        assert set(example.mistakes) <= set(example.after)
    same = compare_policies("p", GAME, table, dict(table), {"monkey": table})
    assert (same.verdict, same.changed, same.examples) == (RegressionVerdict.SAME, 0, ())
