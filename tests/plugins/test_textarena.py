"""Agents of TextArena at arena's own games."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import CannotPlay, NoMove, quoted
from arena.game import CHANCE, Game, Side
from arena.games.kuhn import kuhn_game
from arena.games.mnk import mnk_game
from arena.games.mnk_table import mnk_table_game
from arena.games.repeated import rock_paper_scissors
from arena.plugins.llm.briefing import telling_of
from arena.plugins.textarena import TextAgent, observation_of
from tests.golden import Wording
from tests.plugins.agents import ANY_LEGAL, LAST_LEGAL, written

if TYPE_CHECKING:
    from tests.conftest import Run

TICTACTOE = mnk_game(3, 3, 3)


def answering(answer: Any, game: Game = TICTACTOE) -> TextAgent:
    agent = TextAgent("", is_isolated=False)
    agent._agent, agent._telling = lambda _: answer, telling_of(game, None)
    return agent


@pytest.mark.parametrize(
    ("game", "seat"),
    [
        (TICTACTOE, 0),
        (mnk_table_game(4, 4, 3, 3), 0),
        (kuhn_game(), 1),
        (rock_paper_scissors(3), 1),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_an_agent_reads_the_rules_the_board_and_the_legal_moves(
    game: Game, seat: int, wording: Wording
) -> None:
    position = game.start()
    while position.to_move != seat:
        is_chance = position.to_move == CHANCE
        position = position.play(position.chance_moves()[0][0] if is_chance else 0)
    known = position.observation(seat)
    wording(observation_of(telling_of(game, None), seat, known))


@pytest.mark.slow
@given(st.lists(st.sampled_from(["[1]", "[5]", "[9]", "[10]", "[ 2 ]", "5", "[[3]]", "[x]", " "])))
def test_the_last_legal_move_in_brackets_is_the_move(words: list[str]) -> None:
    position = TICTACTOE.start().play(0)
    moves = {"[5]": 4, "[9]": 8, "[ 2 ]": 1, "[[3]]": 2}
    legal = [moves[word] for word in words if word in moves]
    text = "x".join(words)
    answer = answering(text).choose(position)
    if legal:
        assert answer == legal[-1]
    else:
        assert isinstance(answer, NoMove)
        assert f" {quoted(text)}: " in answer.reason


def test_an_answer_is_a_text(wording: Wording) -> None:
    answer = answering(None).choose(TICTACTOE.start())
    assert isinstance(answer, NoMove)
    wording(answer.reason, "'None'")


@pytest.mark.parametrize("is_isolated", [True, False])
def test_an_agent_is_a_function_or_a_class(tmp_path: Path, is_isolated: bool) -> None:
    for text in (LAST_LEGAL, LAST_LEGAL + "\nagent = Agent()\n"):
        player = TextAgent(written(tmp_path, "last", text), is_isolated=is_isolated)
        player.start(TICTACTOE, Side.FIRST, random.Random(1))
        assert player.choose(TICTACTOE.start()) == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", ["tictactoe", "connect4", "leduc", "rock-paper-scissors-3", "pig-20", "chess"]
)
def test_agents_fight_at_games_of_every_kind(tmp_path: Path, run: Run, game: str) -> None:
    path = written(tmp_path, "any", ANY_LEGAL.replace("lower", "__str__"))
    words = ("fight", f"a=textarena:{path}", f"b=textarena:{path}", "-n", "1", "--seed", "1")
    ran = run(*words, "--game", game, "--isolation", "process", "--format", "json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["forfeits"] == {"a": {}, "b": {}}


@pytest.mark.slow
def test_three_agents_sit_at_a_table(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path, "any", ANY_LEGAL)
    names = [f"{name}=textarena:{path}" for name in "abc"]
    ran = run("fight", *names, "-n", "1", "--game", "mnk-4-4-3-x3", "--isolation", "process")
    assert (ran.code, "forfeit" in ran.out) == (0, False)


def test_an_answer_without_a_legal_move_forfeits(
    tmp_path: Path, run: Run, wording: Wording
) -> None:
    path = written(tmp_path, "vague", "def agent(o):\n    return 'the centre, or [middle]'\n")
    words = ("fight", f"a=textarena:{path}", "monkey", "-n", "1", "--seed", "1")
    ran = run(*words, "--isolation", "process")
    assert ran.code == 4
    wording(ran.out.partition("\n\n")[0])


def test_a_game_without_rules_in_sentences_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    player = arena.get_player(f"a=textarena:{written(tmp_path, 'any', ANY_LEGAL)}")
    player.require(TICTACTOE)
    monkeypatch.setattr(type(TICTACTOE), "guide", "")
    with wording.raises(CannotPlay):
        player.require(TICTACTOE)
