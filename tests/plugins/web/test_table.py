"""The process of a table, as its messages show it; played in this process."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from arena.plugins.web.table import SittingServer
from tests.golden import Wording

SETTING: dict[str, Any] = {
    "game": "tictactoe",
    "players": ["person", "tictactoe1"],
    "seed": 3,
    "moves": [],
    "winners": [],
    "plugins": [],
    "limits": {},
    "limits_of": {},
}


def said(*asked: dict[str, str], **setting: object) -> list[dict[str, Any]]:
    """Return what a table answers to these requests."""
    answers = io.StringIO()
    SittingServer({**SETTING, **setting}, answers).serve(iter(map(json.dumps, asked)))
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def move(text: str) -> dict[str, str]:
    return {"act": "move", "move": text}


def test_a_player_answers_after_the_persons_move_was_shown(wording: Wording) -> None:
    first, thinking, answered = said(move("1"))
    assert first["says"] == "Your turn."
    assert (thinking["thinking"], thinking["moves"], thinking["choices"]) == (True, ["1"], [])
    wording(answered["says"])
    assert answered["choices"][0] == {"text": "2", "squares": [1]}
    assert 'data-square="1"' in answered["board"]
    assert 'data-square="6"' not in answered["board"]


@pytest.mark.parametrize(
    "asked",
    [
        move("10"),
        move("<b>"),
        move(""),
        {"act": "again"},
        {"act": "undo"},
        {"act": "step"},
        {"act": "__init__"},
    ],
)
def test_what_cannot_be_done_changes_nothing(asked: dict[str, str], wording: Wording) -> None:
    before, after = said(asked)
    wording(after.pop("problem"))
    assert after == before


def test_a_square_that_is_taken_is_refused() -> None:
    *_, after = said(move("1"), move("7"))
    assert "square 7 is taken" in after["problem"]


def test_a_game_goes_on_where_it_was_left() -> None:
    *_, answer = said(move("1"), move("3"))
    (resumed,) = said(moves=answer["moves"])
    assert resumed == answer


def test_a_rematch_swaps_the_sides_and_keeps_the_score(wording: Wording) -> None:
    *_, again = said({"act": "resign"}, {"act": "again"})
    assert again["players"] == ["tictactoe1 (x)", "you (o)"]
    assert again["winners"] == [1]
    assert (
        said(players=["tictactoe1", "person"], winners=[1], seed=4)[-1]["players"]
        == again["players"]
    )
    *_, end = said({"act": "resign"}, {"act": "again"}, {"act": "resign"})
    wording(end["score"])


def test_a_hint_marks_the_board_and_tells_the_values() -> None:
    *_, hinted = said({"act": "hint"}, players=["person", "person"], moves=["1"])
    assert hinted["hint"] == ["draw: 5", "loss in 6: 2 3 4 6 7 8 9"]
    assert hinted["board"].count(">L6<") == 7
    assert hinted["board"].count(">D<") == 1


def test_two_players_are_watched_step_by_step() -> None:
    first, second = said({"act": "step"}, players=["tictactoe1", "tictactoe1"])
    assert first["watched"]
    assert (first["moves"], len(second["moves"])) == ([], 1)
    assert second["says"].endswith("tictactoe1 (o) to move.")


def test_a_table_that_cannot_be_set_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    (failed,) = said(players=["person", "nobody"])
    assert failed["failed"].startswith("unknown player 'nobody'")
    (failed,) = said(players=["person", "tictactoe1"], game="connect4")
    wording(failed["failed"], "tictactoe1", "connect4")
    (failed,) = said(moves=["1", "2"])
    wording(failed["failed"])


@pytest.mark.parametrize(
    ("game", "labels"),
    [
        ("mnk-15-15-5", {"a15", "h8", "o1"}),
        ("connect4", {"1", "7"}),
        ("nim-3-4-5", {"a1", "c5"}),
        ("chess", {"e2", "e4", "Nf3"[1:]}),
    ],
)
def test_every_move_can_be_chosen_on_the_board(game: str, labels: set[str]) -> None:
    (shown,) = said(game=game, players=["person", "person"])
    result = {label.partition('"')[0] for label in shown["board"].split('aria-label="')[1:]}
    assert labels <= result
    squares = [tuple(choice["squares"]) for choice in shown["choices"]]
    assert all(squares)
    assert len({(each[0], each[-1]) for each in squares}) == len(squares)
