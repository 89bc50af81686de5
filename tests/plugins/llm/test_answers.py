"""What a model wrote is read without guessing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.inputs.resolve import get_game
from arena.plugins.llm.answers import NotAMove, read_answer
from arena.plugins.llm.briefing import telling_of
from tests.golden import Wording

GAMES = ["tictactoe", "connect4", "nim", "chess", "kuhn", "othello-6", "mnk-13-13-5"]


def seen(name: str) -> Any:
    """Return what the first player to move of a game knows."""
    position = get_game(name).start()
    while position.to_move < 0:
        position = position.play(position.chance_moves()[0][0])
    return position.observation(int(position.to_move))


def tictactoe() -> Any:
    """Return the start of the game, and its words."""
    return seen("tictactoe"), telling_of(get_game("tictactoe"), None)


def fault(text: str, form: str = "line", game: str = "tictactoe") -> str:
    with pytest.raises(NotAMove) as caught:
        read_answer(text, form, seen(game), telling_of(get_game(game), None))
    return caught.value.fault


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_every_legal_move_is_read_as_it_is_shown(game: str, data: st.DataObject) -> None:
    position = seen(game)
    own = telling_of(position.game, None)
    move = data.draw(st.sampled_from(position.legal_moves()))
    written = position.game.format_move(move)
    around = data.draw(st.sampled_from(["{}", "**{}**", "`{}`", " {} ", "{}.", '"{}"', "<{}>"]))
    before = data.draw(st.sampled_from(["", "I think.\n\n", "1. a\n2. b\n", "Move it is.\n"]))
    start = data.draw(st.sampled_from(["MOVE:", "MOVE: ", "move: ", "**MOVE:** ", "> MOVE : "]))
    end = data.draw(st.sampled_from(["", "\n", "\n\n  \n"]))
    assert (
        read_answer(f"{before}{start}{around.format(written)}{end}", "line", position, own) == move
    )
    assert read_answer(json.dumps({"move": written, "why": "so"}), "json", position, own) == move
    fenced = f"```json\n{json.dumps({'move': written})}\n```"
    assert read_answer(fenced, "json", position, own) == move


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "4", "I move to 4.", "MOVE: 4\nThat wins.", "MOVE: 4\nMOVE: 5", "MOVE: 4 5"),
        *("MOVE: 4 or 5", "MOVE: 4, 5", "MOVE:", "MOVE: 4\nbut better\nMOVE: 5", "MY MOVE: 4"),
        "MOVE: 4 MOVE: 5",
    ],
)
def test_what_names_no_move_or_several_is_unparsable(text: str) -> None:
    assert fault(text) == "unparsable"


@pytest.mark.parametrize("text", ["MOVE: 0", "MOVE: 10", "MOVE: a1", "MOVE: x", "MOVE: 4;"])
def test_a_word_that_is_no_legal_move_is_illegal(text: str) -> None:
    assert fault(text) == "illegal"


@pytest.mark.parametrize(
    "text",
    [
        *("", "4", '"4"', "[4]", '["move", "4"]', "{", '{"move": 4}', '{"move": ["4"]}', "{}"),
        *('{"move": "4", "move": "5"}', 'It is {"move": "4"}', '{"move": "4"} MOVE: 4'),
        *('[["move", "4"]]', '{"a": {"move": "4"}}', "[" * 100_000, '{"move": ""}'),
    ],
)
def test_other_json_is_unparsable(text: str) -> None:
    assert fault(text, "json") == "unparsable"


def test_the_same_move_twice_is_one_move() -> None:
    assert read_answer("MOVE: 4\nYes.\nMOVE: 4", "line", *tictactoe()) == 3


@pytest.mark.slow
@given(st.text(max_size=200), st.sampled_from(["line", "json"]))
def test_any_text_is_read_or_refused(text: str, form: str) -> None:
    position, own = tictactoe()
    try:
        move = read_answer(text, form, position, own)
    except NotAMove as error:
        fault, problem = error.fault, error.problem
    else:
        fault, problem = "", ""
        assert position.is_legal(move)
    assert fault in ("", "unparsable", "illegal")
    assert "\n" not in problem


@pytest.mark.parametrize("text", ["no idea", "MOVE: 4\nMOVE: 5", "MOVE: a 5", "MOVE: z", ""])
def test_the_problem_says_what_was_written(text: str, wording: Wording) -> None:
    with pytest.raises(NotAMove) as caught:
        read_answer(text, "line", *tictactoe())
    wording(caught.value.problem)


@pytest.mark.parametrize(
    "text", ["```" + "\n" * 100_000 + "x", "```json\n" * 20_000, "`" * 100_000]
)
def test_a_long_answer_is_read_at_once(text: str) -> None:
    assert fault(text, "json") == "unparsable"
