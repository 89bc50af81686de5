"""The first pairs of a fight through tables: they count, and they show whose the tables are not."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.errors import PlayerFault, UsageError
from arena.player import PlayerInfo
from arena.records.fights import CALLED_PAIRS
from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from arena.game import Position
    from tests.conftest import Run

#: The engine table takes over from so many pairs on without being asked.
LONG = 5_000


@pytest.mark.slow
@pytest.mark.parametrize("pairs", few([37, 1, CALLED_PAIRS]))
@pytest.mark.parametrize("names", [("heuristic", "monkey"), ("monkey", "triples")])
def test_a_short_fight_through_tables_is_the_fight_by_calls(
    names: tuple[str, str], pairs: int
) -> None:
    called, tabled = (
        arena.fight(*names, pairs, seed=5, engine=engine) for engine in ("calls", "table")
    )
    assert tabled.engine == "table"
    assert tabled.joint == called.joint
    assert tabled.distinct_games == called.distinct_games


@pytest.mark.slow
@pytest.mark.parametrize("pairs", few([LONG, 10_000_001]))
def test_both_samplers_begin_with_pairs_by_calls(pairs: int) -> None:
    result = arena.fight("heuristic", "monkey", pairs, seed=5, engine="table")
    assert (result.pairs, result.called_pairs) == (pairs, CALLED_PAIRS)
    assert result.as_json()["called_pairs"] == CALLED_PAIRS
    first = arena.fight("heuristic", "monkey", CALLED_PAIRS, seed=5, engine="calls")
    for more, less in zip(result.joint, first.joint, strict=True):
        assert more >= less


def test_a_game_by_calls_is_not_replayed_through_the_table(wording: Wording) -> None:
    with wording.raises(UsageError, match="'table/'"):
        arena.replay(f"tictactoe/heuristic/monkey/3/table/{CALLED_PAIRS}.1")


def first_move(position: Position, rng: random.Random) -> int:
    return position.legal_moves()[0]


def declared_first(position: Position) -> Mapping[int, Fraction]:
    return {position.legal_moves()[0]: Fraction(1)}


def declared_even(position: Position) -> Mapping[int, Fraction]:
    moves = position.legal_moves()
    return (
        {moves[0]: Fraction(1, 2), moves[-1]: Fraction(1, 2)}
        if moves[1:]
        else {moves[0]: Fraction(1)}
    )


def mostly_first(position: Position, rng: random.Random) -> int:
    moves = position.legal_moves()
    return moves[0] if rng.random() < 0.8 else moves[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("liar", "problem"),
    [
        (PlayerInfo("liar", mostly_first, distribution=declared_first), "it played"),
        (PlayerInfo("liar", mostly_first, distribution=declared_even), "other frequencies"),
    ],
)
def test_a_false_account_of_itself_ends_in_calls(
    liar: PlayerInfo, problem: str, wording: Wording
) -> None:
    result = arena.fight(liar, "triples", LONG, seed=1)
    assert result.engine == "calls"
    wording(result.engine_reason)
    assert problem in result.engine_reason
    assert result.joint == arena.fight(liar, "triples", LONG, seed=1, engine="calls").joint
    with pytest.raises(PlayerFault, match=f"liar .*: .*{problem}"):
        arena.fight(liar, "triples", LONG, seed=1, engine="table")


def test_a_true_account_of_itself_is_taken() -> None:
    honest = PlayerInfo("honest", first_move, distribution=declared_first)
    assert arena.fight(honest, "monkey", LONG, seed=1).engine == "table"


@pytest.mark.slow
@pytest.mark.parametrize("opponent_first", [False, True])
def test_a_player_that_changes_when_it_plays_is_named_with_the_game(
    run: Run, tmp_path: Path, opponent_first: bool, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "def choose(position, rng):\n"
        "    frame, names = sys._getframe(), set()\n"
        "    while frame:\n"
        "        names.add(frame.f_code.co_name)\n"
        "        frame = frame.f_back\n"
        "    moves = position.legal_moves()\n"
        "    return moves[-1 if 'play_game' in names and position.ply > 3 else 0]\n"
    )
    pair = ("monkey", str(bot)) if opponent_first else (str(bot), "monkey")
    options = ("-n", "5000", "--seed", "1", "--isolation", "none", "-j", "1")
    if not opponent_first:
        ran = run("fight", *pair, *options)
        assert ran.code == 0
        assert "engine calls" in ran.out
        assert re.search(r" \d at [xo_]{9}", ran.out)
    ran = run("fight", *pair, *options, "--engine", "table")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.count("\n") == 1
    assert f"in game tictactoe/{'monkey/' if opponent_first else ''}" in ran.err
