"""Games end by the scores of the engines, and a judge knows that from the scores alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.fights.replays import NotedGame
from arena.game import WIN_FOR, Outcome, Side
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.match.adjudication import Ending, Judge
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.records.adjudication import Adjudication, DrawRule, ResignRule
from arena.records.thoughts import Thought
from arena.rng import Stream
from tests.golden import Wording
from tests.simple import lowest

GAME = mnk_game(9, 9, 9)
RESIGN = Adjudication(resign=ResignRule(600, 3))
DRAW = Adjudication(draw=DrawRule(10, 2, 3))
WON, LOST = (Ending(WIN_FOR[side], "resign") for side in Side)
DRAWN = Ending(Outcome.DRAW, "draw")


def ended(adjudication: Adjudication, scores: list[Any]) -> tuple[int, Ending | None]:
    """Play on until the judge ends the game; a score is in centipawns, or a thought."""
    position = GAME.start()
    thoughts = {
        ply: score if isinstance(score, Thought) else Thought(score)
        for ply, score in enumerate(scores)
        if score is not None
    }
    judge = Judge(adjudication, (thoughts, thoughts))
    for ply in range(len(scores)):
        side, position = position.to_move, position.play(ply)
        if (ending := judge.after(side, position)) is not None:
            return ply + 1, ending
    return len(scores), None


MATE, MATED = Thought(mate=4), Thought(mate=-4)


@pytest.mark.parametrize(
    ("adjudication", "scores", "plies", "ending"),
    [
        (RESIGN, [-600, 600] * 4, 5, LOST),
        (RESIGN, [600, -600] * 4, 6, WON),
        (RESIGN, [0, 700] + [-700, 700] * 3, 7, LOST),
        (RESIGN, [MATED, MATE] * 4, 5, LOST),
        (RESIGN, [-700, None] * 4, 5, LOST),
        (RESIGN, [-700, None, None, None, -700, None, -700, None, -700, None], 9, LOST),
        (RESIGN, [-700, 700, -700, 700, -700, 599, -700, 700, -700, 700, -700, 700], 5, LOST),
        (RESIGN, [-700, 599, -700, 700, -700, 700, -700, 700], 8, LOST),
        (RESIGN, [-599, 600] * 9, 18, None),
        (RESIGN, [-600, 599] * 9, 18, None),
        (RESIGN, [None, 700] * 9, 18, None),
        (RESIGN, [-700, -700] * 9, 18, None),
        (DRAW, [10, -10] * 9, 6, DRAWN),
        (DRAW, [99, 99, 99] + [0] * 9, 7, DRAWN),
        (DRAW, [11, 0] * 9, 18, None),
        (DRAW, [None, 0] * 9, 18, None),
        (DRAW, [0, 0, 0, 0, 0, MATE], 6, None),
        (Adjudication(), [-700, 700] * 9, 18, None),
    ],
)
def test_a_judge_ends_games(
    adjudication: Adjudication, scores: list[Any], plies: int, ending: Ending | None
) -> None:
    assert ended(adjudication, scores) == (plies, ending)


#: Neither side can win here.
DEAD = mnk_game(3, 3, 3).parse("xoxxooox_")


def test_a_dead_draw_ends_a_game_only_by_its_own_rule() -> None:
    draws = Adjudication(draws=True)
    alive = DEAD.game.parse("x________")
    for rules, position, ending in (
        (draws, DEAD, Ending(Outcome.DRAW)),
        (draws, alive, None),
        (Adjudication(True, RESIGN.resign), DEAD, Ending(Outcome.DRAW)),
        (Adjudication(True, RESIGN.resign), alive, None),
        (RESIGN, DEAD, None),
    ):
        judge = Judge(rules, ({}, {}))
        assert judge.ending(position) == ending
        assert judge.after(Side.FIRST, position) == ending


def test_a_game_ends_where_the_judge_says_also_at_its_opening() -> None:
    players = PlayerInfo("a", lowest), PlayerInfo("b", lowest)
    streams, rules = (Stream(), Stream()), Adjudication(draws=True)
    record = play_game(DEAD.game, players, "g", streams, DEAD, rules)
    assert record == GameRecord((), Outcome.DRAW, None)
    before = DEAD.game.parse("xoxxoo_x_")
    record = play_game(DEAD.game, players, "g", streams, before, rules)
    assert record == GameRecord((6,), Outcome.DRAW, None)
    assert play_game(DEAD.game, players, "g", streams, before).moves == (6, 8)


SCORES = st.lists(st.none() | st.integers(-12, 12), max_size=30)
RULES = st.builds(
    Adjudication,
    st.just(False),
    st.none() | st.builds(ResignRule, st.integers(1, 12), st.integers(1, 3)),
    st.none() | st.builds(DrawRule, st.integers(0, 12), st.integers(1, 3), st.integers(1, 9)),
)


@given(SCORES, RULES)
def test_the_scores_that_ended_a_game_are_found_in_its_record(
    scores: list[int | None], adjudication: Adjudication
) -> None:
    plies, ending = ended(adjudication, scores)
    thoughts = tuple((p, Thought(s)) for p, s in enumerate(scores[:plies]) if s is not None)
    moves = [GAME.format_move(move) for move in range(plies)]
    outcome, how = ending or (None, "")
    noted = NotedGame(GAME.start(), moves, outcome and outcome.value, None, None, how, thoughts)
    assert noted.problem(adjudication) is None
    if ending is not None:
        assert noted.problem() is not None
        assert noted._replace(adjudicated="").problem(adjudication) is not None
        assert noted._replace(thoughts=()).problem(adjudication) is not None
        assert noted._replace(outcome="x").problem(adjudication) is not None


@given(RULES)
def test_rules_are_read_as_they_are_written(rules: Adjudication) -> None:
    words: dict[str, Any] = {"adjudicate": "none", "resign": None, "draw": None, **rules.options}
    assert Adjudication.read(**words) == rules


@pytest.mark.parametrize(
    "text",
    [
        *("", "0:0", "0:3", "600", "x:3", "600:0", "-1:3", "600:3:1", "6e2:3", "100001:3"),
        *("600:1001", "9" * 5000, f"{'9' * 5000}:3", "600:3\n", " 600:3", "\uff16:3", 600),
    ],
)
def test_another_form_of_resign_is_refused(text: Any, wording: Wording) -> None:
    with wording.raises(UsageError, match="600") as caught:
        ResignRule.read(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["", "10:8", "10:8:0", "10:0:40", "-1:8:40", "10:8:40:1", "a:b:c"])
def test_another_form_of_draw_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(UsageError, match="10.*40"):
        DrawRule.read(text)
